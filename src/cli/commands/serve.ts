import { Log } from "../../logging/log.ts";
import { Compiling } from "../../serving/compiling.ts";
import { startInstance } from "../../serving/instance.ts";
import { serveMetrics, workerFamilies } from "../../serving/metrics.ts";
import { delayAfter, nextSignal } from "../../serving/signals.ts";
import { supervise } from "../../serving/supervisor.ts";
import type { Settings } from "../../settings.ts";
import type { Engine } from "../../store/engine.ts";
import { engineAt } from "../../store/engines.ts";
import { refuseOtherSchema } from "../../store/unavailable.ts";
import { upgradeSchema } from "../../store/upgrade.ts";
import { serverConflicts } from "../conflicts.ts";
import { onInterruption } from "../interruption.ts";

/** Told where requests are answered, and where the process says what becomes of it. */
type Announce = (url: string, log: Log) => void | Promise<void>;

interface ServeOptions {
  /** Runs once requests are answered. */
  readonly announce?: Announce;
  /** Whether an older schema is brought up to date, and documents of an older compiler are made anew. */
  readonly migrate?: boolean;
  /** Whether an older database is copied first. */
  readonly copy?: boolean;
  /** Runs once the database is up to date. */
  readonly prepare?: (engine: Engine) => Promise<void>;
}

/** Serves until the process is told to stop. */
export async function serve(settings: Settings, options: ServeOptions = {}): Promise<void> {
  const { announce, migrate = true, copy = true } = options;
  const [conflict] = await serverConflicts(settings);
  if (conflict) throw conflict;
  const engine = await engineAt(settings.database);
  await using log = new Log({
    level: settings.logLevel,
    readable: process.stdout.isTTY === true,
    isShared: settings.workers > 1,
  });
  if (migrate) await upgrade(engine, copy, log);
  else refuseOtherSchema(engine.name, await engine.schemaVersion());
  await options.prepare?.(engine);
  const isOutdated = await engine.hasOutdatedDocuments();
  if (isOutdated && !migrate)
    log.warn("documents are of an older version; `vitrine migrate` compiles them anew");
  using _ = isOutdated && migrate ? new Compiling(settings.database, log) : undefined;
  if (settings.workers > 1) await supervise(settings, log, (url) => announce?.(url, log));
  else await serveAlone(settings, log, announce);
}

/** Brings a schema up to date, once for all processes. */
async function upgrade(engine: Engine, copy: boolean, log: Log): Promise<void> {
  using interruption = onInterruption(() => "the schema is as it was.");
  const backup = { signal: interruption.signal };
  const { found, expected, copiedTo } = await upgradeSchema(engine, { copy, backup });
  if (copiedTo) log.info("copied the database before its upgrade", { file: copiedTo });
  if (found > 0 && found < expected) log.info("brought the schema up to date", { from: found, to: expected });
}

async function serveAlone(settings: Settings, log: Log, announce?: Announce): Promise<void> {
  await using instance = await startInstance(settings, log);
  await using _metrics = await serveMetrics(
    settings,
    async () => [await instance.metrics(), workerFamilies(1, 0)],
    log,
  );
  await announce?.(instance.url, log);
  log.info("listening", { url: instance.url });

  const signal = await nextSignal();
  log.info("stopping", { signal });
  await instance.stop(Bun.sleep(delayAfter(signal, settings)));
  log.info("stopped");
}
