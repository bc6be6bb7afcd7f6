import { Log } from "../../logging/log.ts";
import type { Settings } from "../../settings.ts";
import { type DatabaseLocation, describeDatabase } from "../../store/database-url.ts";
import { openStore, schemaVersionAt } from "../../store/open.ts";
import { Failure, Misuse } from "../failure.ts";
import { startInstance } from "../serving/instance.ts";
import { serveMetrics, workerFamilies } from "../serving/metrics.ts";
import { delayAfter, nextSignal } from "../serving/signals.ts";
import { supervise } from "../serving/supervisor.ts";

export type Announce = (url: string) => void;

/** Serves until the process is told to stop. `announce` runs once requests are answered. */
export async function serve(
  settings: Settings,
  { announce, migrate = true }: { announce?: Announce; migrate?: boolean } = {},
): Promise<void> {
  if (settings.workers > 1 && !settings.redis) {
    throw new Misuse(
      `${settings.workers} workers without Redis would count apart, and let a user in ${settings.workers} times as often as the limits say`,
      `vitrine serve --workers ${settings.workers} --redis redis://127.0.0.1:6379`,
    );
  }
  const log = new Log({ level: settings.logLevel, readable: process.stdout.isTTY === true });
  if (settings.databaseRead && settings.database.engine !== "postgres") {
    throw new Misuse(
      "DATABASE_READ_URL is set, but only a PostgreSQL database has replicas",
      "vitrine serve --database postgres://HOST/DATABASE --database-read postgres://REPLICA/DATABASE",
    );
  }
  // Opening the store brings the schema up to date, once for all workers; serving needs only the read side.
  if (migrate) await (await openStore(settings.database)).close();
  else await refuseOtherSchema(settings.database);
  if (settings.workers > 1) await supervise(settings, log, announce);
  else await serveAlone(settings, log, announce);
}

/** Nothing is changed, so that a role which may not change the schema can serve. */
async function refuseOtherSchema(location: DatabaseLocation): Promise<void> {
  const { found, expected } = await schemaVersionAt(location);
  if (found === expected) return;
  const name = describeDatabase(location);
  if (found === 0) throw new Failure(`the database ${name} has no schema of Vitrine's`, "vitrine migrate");
  throw new Failure(
    `the database ${name} has schema version ${found}, and this Vitrine needs version ${expected}`,
    found < expected ? "vitrine migrate" : "use a newer Vitrine",
  );
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
