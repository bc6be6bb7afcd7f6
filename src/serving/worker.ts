import { Log } from "../logging/log.ts";
import type { Settings } from "../settings.ts";
import { type Instance, startInstance } from "./instance.ts";
import type { ToParent, ToWorker } from "./messages.ts";

/** What a parent is told of a worker that could not serve. */
type Explain = (error: unknown) => { readonly message: string; readonly remedy: string | undefined };

/** One of the processes of `serve --workers`. It listens to its parent alone, and ends when that is gone. */
export async function serveWorker(explain: Explain): Promise<void> {
  const tell = (message: ToParent) => void process.send?.(message);
  // Ctrl+C and a stop by systemd reach every process; the parent passes them on when it is time.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

  const told = Promise.withResolvers<Settings>();
  const stopped = Promise.withResolvers<{ delayMs: number }>();
  const delayIsOver = Promise.withResolvers<void>();
  let instance: Instance | undefined;
  process.on("message", async (message: ToWorker) => {
    if (message.kind === "serve") told.resolve(message.settings);
    else if (message.kind === "stop") stopped.resolve(message);
    else if (message.kind === "ask") tell({ kind: "alive" });
    else tell({ kind: "collected", families: (await instance?.metrics()) ?? [] });
  });
  process.on("disconnect", () => {
    told.reject(new Error("the parent is gone"));
    delayIsOver.resolve();
    stopped.resolve({ delayMs: 0 });
  });

  try {
    const settings = await told.promise;
    await using log = new Log({
      level: settings.logLevel,
      readable: process.stdout.isTTY === true,
      isShared: true,
    });
    await using started = await startInstance(settings, log, { isWorker: true });
    instance = started;
    tell({ kind: "serving", url: started.url });
    const { delayMs } = await stopped.promise;
    const timer = setTimeout(delayIsOver.resolve, delayMs);
    await started.stop(delayIsOver.promise);
    clearTimeout(timer);
  } catch (error) {
    const { message, remedy } = explain(error);
    if (process.connected) tell({ kind: "failed", message, remedy });
    process.exitCode = 1;
  } finally {
    if (process.connected) process.disconnect?.();
  }
}
