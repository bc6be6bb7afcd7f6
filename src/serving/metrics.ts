import type { Log } from "../logging/log.ts";
import { type Family, single } from "../metrics/metrics.ts";
import { startMetricsServer } from "../metrics/server.ts";
import type { Settings } from "../settings.ts";
import { commit, VERSION } from "../version.ts";
import { listening } from "./listening.ts";

/** Serves metrics where a setting asks for them. */
export function serveMetrics(
  { metricsHost: host, metricsPort: port }: Settings,
  gather: () => Promise<readonly (readonly Family[])[]>,
  log: Log,
): AsyncDisposable | undefined {
  if (port === null) return undefined;
  const build = buildFamily();
  const place = { host, port, hostFlag: "--metrics-host", portFlag: "--metrics-port" };
  const server = listening(place, () =>
    startMetricsServer(async () => [...(await gather()), [build]], place, log),
  );
  log.info("serving metrics", { url: server.url });
  return { [Symbol.asyncDispose]: () => server.stop() };
}

export function workerFamilies(workers: number, restarts: number): Family[] {
  return [single("vitrine_workers", workers), single("vitrine_worker_restarts_total", restarts)];
}

/** Told once for all workers: they run the same. */
function buildFamily(): Family {
  const labels = { version: VERSION, commit: commit(), bun: Bun.version };
  return { name: "vitrine_build_info", samples: [{ value: 1, labels }] };
}
