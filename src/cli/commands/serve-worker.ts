import { Log, toStandardOutput } from "../../logging/log.ts";
import { writeLines } from "../../logging/write-lines.ts";
import type { Settings } from "../../settings.ts";
import { Failure } from "../failure.ts";
import { type Instance, startInstance } from "../serving/instance.ts";
import type { ToParent, ToWorker } from "../serving/messages.ts";

/** One of the processes of `serve --workers`. It listens to its parent alone, and ends when that is gone. */
export async function serveWorker(): Promise<void> {
  if (!process.send)
    throw new Failure("only `vitrine serve --workers` starts workers", "vitrine serve --workers auto");
  const tell = (message: ToParent) => void process.send?.(message);
  // Ctrl+C and a stop by systemd reach every process; the parent passes them on when it is time.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});

  const told = Promise.withResolvers<Settings>();
  const stopped = Promise.withResolvers<{ delayMs: number }>();
  const delayIsOver = Promise.withResolvers<void>();
  let instance: Instance | undefined;
  process.on("message", async (message: ToWorker) => {
    if (message.kind === "serve") told.resolve(message.settings);
    else if (message.kind === "stop") stopped.resolve(message);
    else tell({ kind: "collected", families: (await instance?.metrics()) ?? [] });
  });
  process.on("disconnect", () => {
    told.reject(new Error("the parent is gone"));
    delayIsOver.resolve();
    stopped.resolve({ delayMs: 0 });
  });

  try {
    const settings = await told.promise;
    const log = new Log({
      level: settings.logLevel,
      readable: process.stdout.isTTY === true,
      write: toStandardOutput(writeLines),
    });
    await using started = await startInstance(settings, log, { isWorker: true });
    instance = started;
    tell({ kind: "serving", url: started.url });
    const { delayMs } = await stopped.promise;
    const timer = setTimeout(delayIsOver.resolve, delayMs);
    await started.stop(delayIsOver.promise);
    clearTimeout(timer);
  } catch (error) {
    const { message, remedy } = error as Failure;
    if (process.connected) tell({ kind: "failed", message, remedy });
    process.exitCode = 1;
  } finally {
    if (process.connected) process.disconnect?.();
  }
}
