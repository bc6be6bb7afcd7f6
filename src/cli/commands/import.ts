import { join } from "node:path";
import { formatProblem, type Problem } from "../../records/problems.ts";
import { checkRecord, type RecordInput } from "../../records/schema.ts";
import type { DatabaseLocation } from "../../store/database-url.ts";
import { databaseExists } from "../../store/open.ts";
import { type Change, RecordsRefused, type Saved, type Store } from "../../store/store.ts";
import { withNewStore } from "../database.ts";
import { Failure } from "../failure.ts";
import { candidatesOf, refuseMissing, type Source } from "../import/source.ts";
import { Staging } from "../import/staging.ts";
import { plural, print, printError, printJson } from "../output.ts";
import { ProgressBar } from "../progress.ts";

/** So many records share one transaction: large enough to be quick, small enough to leave others a turn. */
const BATCH = 500;

/** Up to so many records are reported line by line. */
const MOST_LINES = 20;

export interface ImportOptions {
  readonly database: DatabaseLocation;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Checks every record of every file first, and writes only if all of them are good. */
export async function importFiles(files: readonly string[], options: ImportOptions): Promise<void> {
  using staging = new Staging();
  const sources: Source[] = [];
  for (const file of files) {
    if (file === "-") sources.push({ name: "standard input", file: await copyStandardInput(staging.folder) });
    else {
      refuseMissing(file);
      sources.push({ name: file, file });
    }
  }
  // A rehearsal must not leave a database behind.
  const rehearsesOnNothing = options.dryRun && !(await databaseExists(options.database));
  const location: DatabaseLocation = rehearsesOnNothing
    ? { engine: "sqlite", file: join(staging.folder, "rehearsal.db") }
    : options.database;

  await withNewStore(location, async (store) => {
    const report = new Report(options);
    await checkAll(sources, staging, store, options.dryRun ? report : undefined);
    if (!options.dryRun) await saveAll(staging, store, report);
    report.print();
  });
}

async function copyStandardInput(folder: string): Promise<string> {
  const file = join(folder, "standard-input");
  const sink = Bun.file(file).writer();
  for await (const chunk of Bun.stdin.stream()) {
    sink.write(chunk);
    await sink.flush();
  }
  await sink.end();
  return file;
}

async function checkAll(
  sources: readonly Source[],
  staging: Staging,
  store: Store,
  report?: Report,
): Promise<void> {
  const problems = new Problems();
  const bar = new ProgressBar("Checking");
  const total = sources.reduce((sum, { file }) => sum + Bun.file(file).size, 0);
  let done = 0;
  let batch: { place: string; input: RecordInput }[] = [];

  const checkBatch = async () => {
    const plan = await store.plan(batch.map(({ input }) => input));
    if ("changes" in plan) report?.add(plan.changes);
    else for (const { index, problem } of plan.refused) problems.add(batch[index]?.place ?? "", problem);
    batch = [];
  };

  for (const source of sources) {
    for await (const candidate of candidatesOf(source)) {
      done += candidate.bytes;
      bar.update(done, total, plural(staging.count, "record"));
      const { place } = candidate;
      if ("fault" in candidate) {
        problems.add(place, { place: "", message: candidate.fault });
        continue;
      }
      const checked = checkRecord(candidate.value);
      if ("problems" in checked) {
        for (const problem of checked.problems) problems.add(place, problem);
        continue;
      }
      for (const problem of await staging.add(place, checked.input)) problems.add(place, problem);
      batch.push({ place, input: checked.input });
      if (batch.length === BATCH) await checkBatch();
    }
  }
  await checkBatch();
  bar.end();
  problems.throwIfAny();
}

async function saveAll(staging: Staging, store: Store, report: Report): Promise<void> {
  const bar = new ProgressBar("Importing");
  let done = 0;
  for await (const batch of staging.batches(BATCH)) {
    try {
      report.add(await store.save(batch.map(({ input }) => input)));
    } catch (error) {
      bar.end();
      if (!(error instanceof RecordsRefused)) throw error;
      // Everything was checked, so somebody else wrote in the meantime.
      const problems = new Problems();
      for (const { index, problem } of error.refused) problems.add(batch[index]?.place ?? "", problem);
      problems.throwIfAny(done);
    }
    done += batch.length;
    bar.update(done, staging.count, plural(done, "record"));
  }
  bar.end();
}

/** Prints every problem as it is found, and in the end fails if there was one. */
class Problems {
  #count = 0;
  readonly #places = new Set<string>();

  /** One record can be found wrong twice for the same thing: within its file and against what is stored. */
  add(place: string, problem: Problem): void {
    const line = `${place}: ${formatProblem(problem)}`;
    this.#count++;
    this.#places.add(place);
    printError(line);
  }

  throwIfAny(written = 0): void {
    if (this.#count === 0) return;
    const found = `${plural(this.#count, "problem")} in ${plural(this.#places.size, "record")}`;
    if (written === 0) throw new Failure(`${found}; nothing was written`, "vitrine import --dry-run FILE");
    throw new Failure(
      `${found}, made by another writer during the import; ${plural(written, "record")} before were written`,
      "mend the records and run the same import again: what is stored already stays as it is",
    );
  }
}

/** Tells what became of the records: one line each where they are few, and always a summary. */
class Report {
  readonly #options: ImportOptions;
  readonly #counts: Record<Change, number> = { created: 0, updated: 0, unchanged: 0 };
  readonly #first: Saved[] = [];
  #total = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  add(saved: readonly Saved[]): void {
    for (const one of saved) {
      this.#counts[one.change]++;
      this.#total++;
      if (this.#first.length < MOST_LINES) this.#first.push(one);
    }
  }

  print(): void {
    const { dryRun, json } = this.#options;
    if (json) {
      printJson({ dryRun, records: this.#total, ...this.#counts });
      return;
    }
    if (this.#total <= MOST_LINES)
      for (const { change, email } of this.#first) print(`${change.padEnd(9)}  ${email}`);
    if (this.#total === 1 && !dryRun) return;
    const { created, updated, unchanged } = this.#counts;
    const summary = `${plural(this.#total, "record")}: ${created} created, ${updated} updated, ${unchanged} unchanged`;
    print(dryRun ? `${summary} (rehearsal: nothing was written)` : summary);
  }
}
