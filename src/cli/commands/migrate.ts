import type { Engine } from "../../store/engine.ts";
import { engineAt } from "../../store/engines.ts";
import type { Store } from "../../store/store.ts";
import type { DamagedUser } from "../../store/stored-record.ts";
import { type Upgraded, upgradeSchema } from "../../store/upgrade.ts";
import { refuseDamaged } from "../damaged.ts";
import { closing, type DatabaseOption } from "../database.ts";
import { onInterruption } from "../interruption.ts";
import { number, plural, print, printJson } from "../output.ts";
import { ProgressBar } from "../progress.ts";

interface MigrateOptions extends DatabaseOption {
  readonly copy: boolean;
  readonly json?: true;
}

/** Brings schema and documents up to date, and says what that was. */
export async function migrate({ database, copy, json }: MigrateOptions): Promise<void> {
  const engine = await engineAt(database);
  const upgraded = await upgradeWithProgress(engine, copy);
  const { found: from, expected: to, copiedTo } = upgraded;
  if (!json && from !== to) sayOfNewSchema(engine, upgraded);
  const { compiled, damaged } = await compileOutdated(engine);
  // An upgrade may have just begun, and servers of the older Vitrine may still run.
  const isSettled = from === to && compiled + damaged.length === 0;
  const removed = isSettled && (await removeLeftovers(engine));
  if (json)
    printJson({
      from,
      to,
      copy: copiedTo ?? null,
      compiled,
      removedLeftovers: removed,
      ...(damaged.length > 0 && { damaged: damaged.map(({ email }) => email) }),
    });
  if (!json && from === to) print(`The schema is up to date (version ${to}).`);
  if (!json && compiled > 0) print(`Compiled the documents of ${plural(compiled, "user")} anew.`);
  if (!json && removed) print("Removed what only an older Vitrine could read.");
  refuseDamaged(damaged, KEPT);
}

/** What becomes of documents whose record is damaged. */
export const KEPT = "its documents stay as they are";

/** Before documents are compiled, which may fail or be ended: an older Vitrine can no longer be used from now on. */
function sayOfNewSchema(engine: Engine, { found: from, expected: to, copiedTo }: Upgraded): void {
  if (copiedTo) print(`Copied the database to ${copiedTo}: with it, the upgrade can be undone.`);
  if (from === 0) print(`Made the schema at ${engine.name} (version ${to}).`);
  else print(`Brought the schema from version ${from} to version ${to}.`);
}

async function upgradeWithProgress(engine: Engine, copy: boolean): Promise<Upgraded> {
  using bar = new ProgressBar("Copying");
  using interruption = onInterruption(() => "the schema is as it was.");
  return await upgradeSchema(engine, {
    copy,
    backup: {
      onProgress: (written, total) => bar.update(written, total),
      signal: interruption.signal,
    },
  });
}

async function compileOutdated(engine: Engine): Promise<CompiledUsers> {
  if (!(await engine.hasOutdatedDocuments())) return { compiled: 0, damaged: [] };
  return closing(await engine.open(), (store) => compileAll(store, "Compiling"));
}

async function removeLeftovers(engine: Engine): Promise<boolean> {
  return closing(await engine.open(), ({ upkeep }) => upkeep.removeLeftovers());
}

interface CompiledUsers {
  /** How many users got new documents. */
  readonly compiled: number;
  readonly damaged: readonly DamagedUser[];
}

/** Compiles all outdated documents, a few users at a time. */
export async function compileAll({ upkeep }: Store, label: string): Promise<CompiledUsers> {
  using bar = new ProgressBar(label);
  const total = await upkeep.outdated();
  const damaged: DamagedUser[] = [];
  let done = 0;
  using _ = onInterruption(
    () =>
      `the documents of ${number(done)} of ${plural(total, "user")} are compiled anew. \`vitrine migrate\` does the rest.`,
  );
  for (;;) {
    const step = await upkeep.compileNext();
    if (step.users === 0) break;
    damaged.push(...step.damaged);
    done += step.users;
    bar.update(done, total, () => plural(done, "user"));
  }
  return { compiled: done - damaged.length, damaged };
}
