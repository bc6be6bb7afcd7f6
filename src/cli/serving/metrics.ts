import type { Log } from "../../logging/log.ts";
import { type Family, single } from "../../metrics/metrics.ts";
import type { MetricsServer } from "../../metrics/server.ts";
import type { Settings } from "../../settings.ts";
import { listening } from "./listening.ts";

/** Serves metrics where a setting asks for them. The library is loaded only then. */
export async function serveMetrics(
  { metricsHost: host, metricsPort: port }: Settings,
  gather: () => Promise<readonly (readonly Family[])[]>,
  log: Log,
): Promise<AsyncDisposable | undefined> {
  if (port === null) return undefined;
  const { startMetricsServer } = await import("../../metrics/server.ts");
  const place = { host, port, hostFlag: "--metrics-host", portFlag: "--metrics-port" };
  const server: MetricsServer = listening(place, () => startMetricsServer(gather, place, log));
  log.info("serving metrics", { url: server.url });
  return { [Symbol.asyncDispose]: () => server.stop() };
}

export function workerFamilies(workers: number, restarts: number): Family[] {
  return [single("vitrine_workers", workers), single("vitrine_worker_restarts_total", restarts)];
}
