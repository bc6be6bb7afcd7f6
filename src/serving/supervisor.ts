import type { Log } from "../logging/log.ts";
import { ofWorker } from "../metrics/metrics.ts";
import type { Settings } from "../settings.ts";
import { listening } from "./listening.ts";
import { serveMetrics, workerFamilies } from "./metrics.ts";
import { delayAfter, nextSignal } from "./signals.ts";
import { WorkerFailed, WorkerProcess } from "./worker-process.ts";

/** Lets several processes serve on one port, and replaces those that die. It answers no request itself. */
export async function supervise(
  settings: Settings,
  log: Log,
  announce?: (url: string) => void | Promise<void>,
): Promise<void> {
  const shared = { ...settings, port: claimPort(settings) };
  const workers = Array.from(
    { length: settings.workers },
    (_, index) => new WorkerProcess(index + 1, shared, log),
  );
  const stopAll = (delayMs: number) => Promise.all(workers.map((worker) => worker.stop(delayMs)));
  await using stack = new AsyncDisposableStack();
  stack.defer(async () => void (await stopAll(0)));

  const [url = ""] = await Promise.all(workers.map((worker) => worker.start()));
  const gather = async () => {
    const families = await Promise.all(
      workers.map(async (worker, index) => ofWorker(index + 1, await worker.collect())),
    );
    const alive = workers.filter(({ isAlive }) => isAlive).length;
    const restarts = workers.reduce((sum, worker) => sum + worker.restarts, 0);
    return [...families, workerFamilies(alive, restarts)];
  };
  await using _metrics = serveMetrics(settings, gather, log);
  await announce?.(url);
  log.info("listening", { url, workers: workers.length });

  const signal = await nextSignal();
  log.info("stopping", { signal });
  const exitCodes = await stopAll(delayAfter(signal, settings));
  if (exitCodes.some((code) => code !== 0)) throw new WorkerFailed("a worker did not end as it should");
  log.info("stopped");
}

/** Sharing a port would hide that somebody else has it; so it is first taken alone, for a moment. */
function claimPort({ host, port }: Settings): number {
  const socket = { data: () => {} };
  using listener = listening({ host, port, hostFlag: "--host", portFlag: "--port" }, () =>
    Bun.listen({ hostname: host, port, socket }),
  );
  return listener.port;
}
