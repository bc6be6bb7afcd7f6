import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { number, plural } from "../src/cli/output.ts";
import { bun, MAIN, say, writeRecords } from "./dataset.ts";
import type { GrowthPlan } from "./growth.ts";
import { barChart } from "./plot.ts";
import { startCluster } from "./postgres.ts";
import { memoryOf } from "./processes.ts";
import { circumstances, type Figures, median, rate, table } from "./report.ts";

/** How often it is looked how much memory an import has. */
const WATCH_MS = 100;

/** A database that each import finds empty. */
interface Target {
  readonly name: string;
  readonly url: string;
  empty(): Promise<void>;
}

interface Import {
  readonly target: Target;
  readonly file: string;
  readonly recordBytes: number;
  readonly seconds: number[];
  mostMegabytes: number;
}

/** How many records a second `vitrine import` takes from a file of NDJSON into an empty database, all checked. */
export async function importing(plan: GrowthPlan): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-import-"));
  try {
    await using cluster = await startCluster(folder, { fsync: true });
    const targets = [sqliteIn(folder), postgresAt(cluster.url)];
    const imports: Import[] = [];
    for (const half of [true, false]) {
      const file = join(folder, half ? "half.ndjson" : "whole.ndjson");
      await writeRecords(file, plan.users, { half });
      const recordBytes = statSync(file).size / plan.users;
      imports.push(
        ...targets.map((target) => ({ target, file, recordBytes, seconds: [], mostMegabytes: 0 })),
      );
    }
    for (let round = 1; round <= plan.rounds; round++) {
      for (const one of imports) {
        await one.target.empty();
        await importOnce(one);
        const perSecond = rate(plan.users / (one.seconds.at(-1) ?? Number.NaN));
        say(
          `round ${round} of ${plan.rounds}  ${nameOf(one)} into ${one.target.name}: ${perSecond} records/s`,
        );
      }
    }
    return await figuresOf(imports, plan);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function importOnce(one: Import): Promise<void> {
  const startedAt = performance.now();
  const program = Bun.spawn([bun, MAIN, "import", one.file, "--database", one.target.url], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const watch = setInterval(() => {
    one.mostMegabytes = Math.max(one.mostMegabytes, memoryOf(program.pid)?.own ?? 0);
  }, WATCH_MS);
  const exitCode = await program.exited;
  clearInterval(watch);
  if (exitCode !== 0) throw new Error(`the import into ${one.target.name} failed`);
  one.seconds.push((performance.now() - startedAt) / 1000);
}

async function figuresOf(imports: readonly Import[], plan: GrowthPlan): Promise<Figures> {
  const perSecond = ({ seconds }: Import) => plan.users / median(seconds);
  const rows = imports.map((one) => [
    nameOf(one),
    one.target.name,
    rate(perSecond(one)),
    ((perSecond(one) * one.recordBytes) / 1e6).toFixed(0),
    one.mostMegabytes ? one.mostMegabytes.toFixed(0) : "–",
  ]);
  const facts = await circumstances(plan.command, [
    `Versions: Bun ${Bun.version}`,
    `\`vitrine import\` of ${number(plan.users)} records from one file of NDJSON into an empty database, from the start of the program to its end, ${plural(plan.rounds, "round")}, in turns; the medians are given, and the most memory`,
    "Commits wait for the disk. Nothing is pinned: with PostgreSQL, client and server share the cores",
  ]);
  const groups = Map.groupBy(imports, nameOf)
    .entries()
    .map(([name, those]) => ({
      name: `records ${name}`,
      bars: those.map((one) => ({ name: one.target.name, value: perSecond(one) })),
    }))
    .toArray();
  return {
    markdown: `${facts}\n\n${table(["records", "into", "records/s", "MB/s of JSON", "memory MB"], rows)}`,
    plot: barChart({ title: "Records imported a second", groups }),
  };
}

function nameOf({ recordBytes }: Import): string {
  return `of ${(recordBytes / 1000).toFixed(1)} KB`;
}

function sqliteIn(folder: string): Target {
  const file = join(folder, "imported.db");
  return {
    name: "SQLite",
    url: `sqlite:${file}`,
    empty: async () => rmSync(file, { force: true }),
  };
}

function postgresAt(url: string): Target {
  return {
    name: "PostgreSQL",
    url,
    async empty() {
      await using sql = new SQL({ url, database: "postgres", max: 1 });
      await sql.unsafe("SET client_min_messages = warning; DROP SCHEMA IF EXISTS vitrine CASCADE").simple();
      await sql.unsafe("CHECKPOINT");
    },
  };
}
