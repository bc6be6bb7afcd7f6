import { type AllSettings, readSettings, SETTINGS, SettingError, type SettingName } from "../../settings.ts";
import type { Source } from "../../store/contents.ts";
import type { Engine } from "../../store/engine.ts";
import { engineAt } from "../../store/engines.ts";
import { asUnavailable } from "../../store/faults.ts";
import { type DatabaseLocation, urlForTools } from "../../store/location.ts";
import { OtherSchema, type SchemaVersion, StoreUnavailable } from "../../store/unavailable.ts";
import { serverConflicts, studioConflicts } from "../conflicts.ts";
import { checkDocuments } from "../doctor/documents.ts";
import { type Finding, printFinding } from "../doctor/finding.ts";
import { checkHooks } from "../doctor/hooks.ts";
import { checkRedis } from "../doctor/redis.ts";
import { explain, explainStore } from "../explain.ts";
import { Failure } from "../failure.ts";
import { plural, print, printJson } from "../output.ts";
import { onDatabase } from "../remedy.ts";
import { shellWord } from "../shell-quotes.ts";

type Flags = Partial<Record<SettingName, string>>;

export async function doctor(flags: Flags & { readonly json?: true }): Promise<void> {
  const findings = await allFindings(flags);
  if (flags.json) printJson({ ok: findings.every(({ ok }) => ok), findings: findings.map(withDatabase) });
  else for (const finding of findings) printFinding(finding);

  const unwell = findings.filter(({ ok }) => !ok);
  if (unwell.length > 0) throw new Failure(`${plural(unwell.length, "check")} failed`, unwell[0]?.remedy);
  if (!flags.json) print("All is well.");
}

/** As a script reads it. Where a remedy is printed, it is one to be typed. */
function withDatabase(finding: Finding): Finding {
  return finding.remedy === undefined ? finding : { ...finding, remedy: onDatabase(finding.remedy) };
}

async function allFindings(flags: Flags): Promise<Finding[]> {
  const { usable, wrong } = readEach(flags);
  const findings = wrong.length > 0 ? wrong : await checkTogether(usable as AllSettings);
  const { database, redis } = usable;
  if (database) for await (const finding of checkDatabase(database)) findings.push(finding);
  return [...findings, ...(await checkReplica(usable)), ...(await checkRedis(redis))];
}

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** The settings that can be used, and a finding for each that cannot. All are read once: a pipe gives its secret once. */
function readEach(flags: Flags): { usable: Partial<AllSettings>; wrong: Finding[] } {
  const wrong: Finding[] = [];
  const read = NAMES.map((name) => {
    try {
      return readSettings([name], flags);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const remedy = `set ${error.setting} to ${error.expected}`;
      wrong.push({ check: "Settings", ok: false, detail: error.message, remedy });
      return {};
    }
  });
  return { usable: Object.assign({}, ...read) as Partial<AllSettings>, wrong };
}

async function checkTogether(settings: AllSettings): Promise<Finding[]> {
  const check = "Settings";
  const conflicts = [...(await serverConflicts(settings)), ...studioConflicts(settings)];
  if (conflicts.length > 0)
    return conflicts.map(({ message, remedy = "" }) => ({ check, ok: false, detail: message, remedy }));
  return [{ check, ok: true, detail: `all ${NAMES.length} can be used` }];
}

async function* checkDatabase(location: DatabaseLocation): AsyncGenerator<Finding> {
  const check = "Database";
  const engine = await engineAt(location);
  try {
    if (!(await engine.exists())) {
      engine.refuseMissingFolder();
      yield { check, ok: false, detail: `there is none at ${engine.name}`, remedy: "vitrine import FILE" };
      return;
    }
    const fault = await engine.writeFault();
    if (fault) yield { check, ok: false, ...wordsFor(fault, engine) };
    yield* examine(engine);
  } catch (error) {
    yield { check, ok: false, ...wordsFor(error, engine) };
  }
}

function wordsFor(error: unknown, engine: Engine): Pick<Finding, "detail" | "remedy"> {
  const { probeCommand = `ls -l ${shellWord(engine.name)}` } = engine;
  const fault = error instanceof OtherSchema ? undefined : asUnavailable(error, fileOf(engine));
  const { message, remedy } = fault ? explainStore(fault, probeCommand) : explain(error, "vitrine doctor");
  return { detail: message, remedy: remedy ?? probeCommand };
}

/** Where Vitrine makes no backups, the database is no file. */
function fileOf({ backup, name }: Engine): string | undefined {
  return backup && name;
}

/** Looks, and changes nothing: neither schema nor documents, of any version. */
async function* examine(engine: Engine): AsyncGenerator<Finding> {
  const source = await engine.openSource();
  try {
    const version = await source.schemaVersion();
    yield schemaFinding(version);
    if (version.found > version.expected) return;
    const integrity = await checkIntegrity(source, engine);
    yield integrity;
    // A backup takes the place of what is not sound, and of all that could be said of it.
    if (!integrity.ok || version.found < version.expected) return;
  } finally {
    await source.close();
  }
  const store = await engine.open({ readOnly: true });
  try {
    yield* await checkDocuments(store);
    yield* await checkHooks(store);
  } finally {
    await store.close();
  }
}

/** Only where there is one. Its schema is the database's own, as soon as it has caught up: so that is looked at first. */
async function checkReplica({
  databaseRead: location,
  database: primary,
}: Partial<AllSettings>): Promise<Finding[]> {
  if (!location) return [];
  const check = "Replica";
  try {
    const engine = await engineAt(location);
    const { found, expected } = await engine.schemaVersion();
    const fault = primary && (await (await engineAt(primary)).replicaFault?.(location));
    if (fault) return [{ check, ok: false, detail: fault, remedy: "let it follow, or name another replica" }];
    if (found === expected) return [{ check, ok: true, detail: `answers, and has schema version ${found}` }];
    const detail = `has schema version ${found}, but it should be ${expected}`;
    return [{ check, ok: false, detail, remedy: "vitrine migrate" }];
  } catch (error) {
    const detail = (error as Error).message;
    const remedy = `psql ${urlForTools("DATABASE_READ_URL", location)} -c "SELECT 1"`;
    return [{ check, ok: false, detail, remedy }];
  }
}

function schemaFinding({ found, expected }: SchemaVersion): Finding {
  const check = "Schema";
  if (found === expected) return { check, ok: true, detail: `version ${found}, as it should be` };
  return found < expected
    ? {
        check,
        ok: false,
        detail: `version ${found}, and this Vitrine needs version ${expected}; documents were not looked at`,
        remedy: "vitrine migrate",
      }
    : {
        check,
        ok: false,
        detail: `version ${found}, which a newer Vitrine has made; this one knows version ${expected}`,
        remedy: "use a newer Vitrine",
      };
}

async function checkIntegrity(source: Source, engine: Engine): Promise<Finding> {
  const faults = await source.integrityFaults();
  if (faults.length === 0) return { check: "Storage", ok: true, detail: "sound" };
  const detail = faults.join("; ");
  const file = fileOf(engine);
  const remedy = file
    ? explainStore(new StoreUnavailable(detail, { fault: "damaged", file })).remedy
    : "restore the last dump";
  return { check: "Storage", ok: false, detail, remedy: remedy ?? "" };
}
