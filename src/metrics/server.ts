import type { Log } from "../logging/log.ts";
import type { Family } from "./metrics.ts";
import { metricsText, TEXT_CONTENT_TYPE } from "./text.ts";

const METRICS_PATH = "/metrics";

interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the metrics of one process or of several together, on a port of their own. */
export function startMetricsServer(
  gather: () => Promise<readonly (readonly Family[])[]>,
  address: { readonly host: string; readonly port: number },
  log: Log,
): MetricsServer {
  const server = Bun.serve({
    hostname: address.host,
    port: address.port,
    // Else Bun lets another server have the same one, and who reads gets now the one's metrics, now the other's.
    reusePort: false,
    development: false,
    routes: {
      [METRICS_PATH]: async () => {
        const text = metricsText((await gather()).flat());
        const headers = { "Content-Type": TEXT_CONTENT_TYPE, "Cache-Control": "no-store" };
        return new Response(text, { headers });
      },
    },
    fetch: () => new Response(`Metrics are at ${METRICS_PATH}\n`, { status: 404 }),
    error: (error) => {
      log.error("metrics could not be gathered", { reason: String(error.stack ?? error) });
      return new Response("Internal Server Error\n", { status: 500 });
    },
  });
  return { url: new URL(METRICS_PATH, server.url).href, stop: () => server.stop(true) };
}
