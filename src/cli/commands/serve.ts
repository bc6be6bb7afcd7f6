import { Log } from "../../logging/log.ts";
import type { Settings } from "../../settings.ts";
import { openStore } from "../../store/open.ts";
import { Misuse } from "../failure.ts";
import { startInstance } from "../serving/instance.ts";
import { serveMetrics, workerFamilies } from "../serving/metrics.ts";
import { delayAfter, nextSignal } from "../serving/signals.ts";
import { supervise } from "../serving/supervisor.ts";

export type Announce = (url: string) => void;

/** Serves until the process is told to stop. `announce` runs once requests are answered. */
export async function serve(settings: Settings, announce?: Announce): Promise<void> {
  if (settings.workers > 1 && !settings.redis) {
    throw new Misuse(
      `${settings.workers} workers without Redis would count apart, and let a user in ${settings.workers} times as often as the limits say`,
      `vitrine serve --workers ${settings.workers} --redis redis://127.0.0.1:6379`,
    );
  }
  const log = new Log({ level: settings.logLevel, readable: process.stdout.isTTY === true });
  // Opening the store brings the schema up to date, once for all workers; serving needs only the read side.
  await (await openStore(settings.database)).close();
  if (settings.workers > 1) await supervise(settings, log, announce);
  else await serveAlone(settings, log, announce);
}

async function serveAlone(settings: Settings, log: Log, announce?: Announce): Promise<void> {
  await using instance = await startInstance(settings, log);
  await using _metrics = await serveMetrics(
    settings,
    async () => [await instance.metrics(), workerFamilies(1, 0)],
    log,
  );
  announce?.(instance.url);
  log.info("listening", { url: instance.url });

  const signal = await nextSignal();
  log.info("stopping", { signal });
  await instance.stop(Bun.sleep(delayAfter(signal, settings)));
  log.info("stopped");
}
