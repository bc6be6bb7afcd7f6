import { styleText } from "node:util";
import { tryRedis } from "../../limits/redis.ts";
import { readSettings, SETTINGS, SettingError, type SettingName } from "../../settings.ts";
import { type DatabaseLocation, describeDatabase } from "../../store/database-url.ts";
import { databaseExists, openStore } from "../../store/open.ts";
import type { Discrepancy, Store } from "../../store/store.ts";
import { Failure } from "../failure.ts";
import { plural, print, printJson } from "../output.ts";
import { ProgressBar } from "../progress.ts";

/** One thing the doctor looked at. What is not well comes with what to do about it. */
interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

/** So many wrong documents are named; the rest are counted. */
const MOST_NAMED = 10;

export async function doctor(options: {
  flags: Partial<Record<SettingName, string>>;
  json: boolean;
}): Promise<void> {
  const findings = [...checkSettings(options.flags)];
  const location = locationOf(options.flags);
  if (location) findings.push(...(await checkDatabase(location)));
  findings.push(...(await checkRedis(options.flags)));

  if (options.json) printJson({ ok: findings.every(({ ok }) => ok), findings });
  else for (const finding of findings) printFinding(finding);

  const unwell = findings.filter(({ ok }) => !ok);
  if (unwell.length > 0) throw new Failure(`${plural(unwell.length, "check")} failed`, unwell[0]?.remedy);
  if (!options.json) print("All is well.");
}

function printFinding({ check, ok, detail, remedy }: Finding): void {
  const mark = ok ? styleText("green", "✓") : styleText("red", "✗");
  print(`${mark} ${check}: ${detail}`);
  if (remedy) print(`  → ${remedy}`);
}

function locationOf(flags: Partial<Record<SettingName, string>>): DatabaseLocation | undefined {
  try {
    return readSettings(["database"], flags).database;
  } catch {
    return undefined;
  }
}

function* checkSettings(flags: Partial<Record<SettingName, string>>): Generator<Finding> {
  const names = Object.keys(SETTINGS) as SettingName[];
  let sound = true;
  for (const name of names) {
    try {
      readSettings([name], flags);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      sound = false;
      yield {
        check: "Settings",
        ok: false,
        detail: error.message,
        remedy: `set ${SETTINGS[name].variable} to ${error.expected}`,
      };
    }
  }
  if (sound) yield { check: "Settings", ok: true, detail: `all ${names.length} can be used` };
}

async function checkDatabase(location: DatabaseLocation): Promise<Finding[]> {
  let store: Store;
  try {
    if (!(await databaseExists(location))) {
      return [
        {
          check: "Database",
          ok: false,
          detail: `there is none at ${describeDatabase(location)}`,
          remedy: "vitrine import FILE",
        },
      ];
    }
    store = await openStore(location);
  } catch (error) {
    return [
      {
        check: "Database",
        ok: false,
        detail: (error as Error).message,
        remedy:
          location.engine === "sqlite" ? `cp BACKUP ${location.file}` : 'psql "$DATABASE_URL" -c "SELECT 1"',
      },
    ];
  }
  try {
    return [await checkSchema(store), await checkIntegrity(store), await checkDocuments(store)];
  } finally {
    await store.close();
  }
}

/** Only where there is one: a process that counts by itself needs none. */
async function checkRedis(flags: Partial<Record<SettingName, string>>): Promise<Finding[]> {
  let url: string;
  try {
    url = readSettings(["redis"], flags).redis;
  } catch {
    return [];
  }
  if (!url) return [];
  try {
    await tryRedis(url);
    return [{ check: "Redis", ok: true, detail: "answers and takes writes" }];
  } catch (error) {
    const detail = `is away: ${(error as Error).message}`;
    return [{ check: "Redis", ok: false, detail, remedy: "start it, or correct REDIS_URL" }];
  }
}

async function checkSchema(store: Store): Promise<Finding> {
  const { found, expected } = await store.schemaVersion();
  const ok = found === expected;
  return {
    check: "Schema",
    ok,
    detail: ok ? `version ${found}, as it should be` : `version ${found}, but it should be ${expected}`,
  };
}

async function checkIntegrity(store: Store): Promise<Finding> {
  const faults = await store.integrityFaults();
  if (faults.length === 0) return { check: "Storage", ok: true, detail: "sound" };
  return { check: "Storage", ok: false, detail: faults.join("; "), remedy: "restore the last backup" };
}

async function checkDocuments(store: Store): Promise<Finding> {
  const bar = new ProgressBar("Comparing");
  const wrong: Discrepancy[] = [];
  let count = 0;
  for await (const discrepancy of store.discrepancies(({ done, total }) => bar.update(done, total))) {
    count++;
    if (wrong.length < MOST_NAMED) wrong.push(discrepancy);
  }
  bar.end();
  const users = plural(await store.countUsers(), "user");
  if (count === 0)
    return { check: "Documents", ok: true, detail: `those of ${users} equal what their records compile to` };
  const named = wrong.map(({ email, document, fault }) => `${document} of ${email} is ${fault}`).join("; ");
  return {
    check: "Documents",
    ok: false,
    detail: `${plural(count, "document")} of ${users} ${count === 1 ? "is" : "are"} wrong: ${named}${count > wrong.length ? "; …" : ""}`,
    remedy: "vitrine rebuild",
  };
}
