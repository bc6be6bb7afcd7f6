import { join } from "node:path";
import { formatProblem } from "../../records/problems.ts";
import type { DatabaseLocation } from "../../store/database-url.ts";
import { buildStore, databaseExists } from "../../store/open.ts";
import { type Change, RecordsRefused, type Saved, type Store } from "../../store/store.ts";
import { withNewStore } from "../database.ts";
import { Failure } from "../failure.ts";
import { chunksOfLines, type LineChunk } from "../import/lines.ts";
import { formatOf, fromWhole, refuseMissing, type Source } from "../import/source.ts";
import { Staging } from "../import/staging.ts";
import { checkCandidates, type PlacedProblem, parseStaged, placed } from "../import/tasks.ts";
import { Crew, type CrewAtWork } from "../import-crew.ts";
import { onInterruption } from "../interruption.ts";
import { number, plural, print, printError, printJson } from "../output.ts";
import { ProgressBar } from "../progress.ts";

/** Files are read and checked in parts of about this size. */
const PART_BYTES = 64 * 1024;

/** Records are saved in batches of about this size: one transaction waits once for the disk. */
const BATCH_BYTES = 512 * 1024;

/** From this size on it is worth starting threads. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** Up to so many records are reported line by line. */
const MOST_LINES = 20;

export interface ImportOptions {
  readonly database: DatabaseLocation;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Checks every record of every file first, and writes only if all of them are good. */
export async function importFiles(files: readonly string[], options: ImportOptions): Promise<void> {
  using leftovers = new DisposableStack();
  using _ = onInterruption(() => leftovers.dispose());
  const staging = leftovers.use(new Staging());
  const sources: Source[] = [];
  for (const file of files) {
    if (file === "-") sources.push({ name: "standard input", file: await copyStandardInput(staging.folder) });
    else {
      refuseMissing(file);
      sources.push({ name: file, file });
    }
  }
  const report = new Report(options);
  const isLarge = sources.some(({ file }) => Bun.file(file).size > LARGE_BYTES);
  // Where there is no database yet, the check is made against an empty one, so that a refusal leaves nothing.
  const exists = await databaseExists(options.database);
  const rehearsal: DatabaseLocation = { engine: "sqlite", file: join(staging.folder, "rehearsal.db") };
  const checkedAgainst = exists ? options.database : rehearsal;
  using crew = new Crew(isLarge);
  if (isLarge && !exists && !options.dryRun) {
    const built = await buildFrom(sources, options, { crew, leftovers });
    if (built) return built.print();
  }
  await withNewStore(checkedAgainst, async (store) => {
    const stage = { staging, store, crew: crew.at(checkedAgainst, store) };
    await checkAll(sources, { ...stage, ...(options.dryRun && { report }) });
  });
  if (!options.dryRun) {
    await withNewStore(options.database, (store) =>
      saveAll({ staging, store, crew: crew.at(options.database, store), report }),
    );
  }
  report.print();
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

interface Stage {
  readonly staging: Staging;
  readonly store: Store;
  readonly crew: CrewAtWork;
}

async function checkAll(sources: readonly Source[], stage: Stage & { report?: Report }): Promise<void> {
  const { staging, report } = stage;
  const problems = new Problems();
  const bar = new ProgressBar("Checking");
  const total = sizeOf(sources);
  let done = 0;
  for (const source of sources) {
    for await (const { part, bytes } of checkedParts(source, stage, report !== undefined)) {
      const found = Map.groupBy([...staging.add(part), ...part.problems], placeOf);
      // Records that clash can be found wrong twice; the first message, which names both places, is kept.
      problems.add(found.values().flatMap(withoutRepeatedClash).toArray());
      report?.add(part.changes);
      done += bytes;
      bar.update(done, total, () => plural(staging.count, "record"));
    }
  }
  bar.end();
  problems.throwIfAny();
}

function withoutRepeatedClash(atOnePlace: PlacedProblem[]): PlacedProblem[] {
  const [first] = atOnePlace;
  return first?.isClash ? [first] : atOnePlace;
}

function placeOf({ record, problem }: PlacedProblem): string {
  return `${record}: ${problem.place}`;
}

/**
 * Where nothing is stored yet, one pass over the files does: a new database is filled as they are checked, and
 * takes its place only if all is good. Anything else is left to the careful way, which says what is wrong.
 */
async function buildFrom(
  sources: readonly Source[],
  options: ImportOptions,
  { crew, leftovers }: { crew: Crew; leftovers: DisposableStack },
): Promise<Report | undefined> {
  const formats = await Promise.all(sources.map(formatOf));
  if (formats.some((format) => format !== "ndjson")) return undefined;
  const build = await buildStore(options.database);
  if (!build) return undefined;
  leftovers.defer(() => void build.discard());
  const atWork = crew.at(options.database);
  const report = new Report(options);
  const bar = new ProgressBar("Importing");
  const total = sizeOf(sources);
  let done = 0;
  try {
    for (const { name, file } of sources) {
      const tasks = tasksOf(file, (chunk) => ({ kind: "prepareFirst", name, chunk }) as const);
      for await (const { result, extra } of atWork.performAll(tasks)) {
        const saved = result && (await build.add(result));
        if (!saved) return undefined;
        report.add(saved);
        done += extra;
        bar.update(done, total, () => plural(report.total, "record"));
      }
    }
    return (await build.finish()) ? report : undefined;
  } finally {
    bar.end();
    await build.discard();
  }
}

function sizeOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { file }) => sum + Bun.file(file).size, 0);
}

/** A task for each part of a file, and the size of the part. */
async function* tasksOf<Task>(file: string, taskFor: (chunk: LineChunk) => Task) {
  for await (const chunk of chunksOfLines(file, PART_BYTES)) {
    const extra = chunk.bytes.length;
    yield { task: taskFor(chunk), extra };
  }
}

async function* checkedParts(source: Source, { store, crew }: Stage, wantsChanges: boolean) {
  const format = await formatOf(source);
  if (format !== "ndjson") {
    const candidates = await fromWhole(source, format);
    yield { part: await checkCandidates(candidates, store, wantsChanges), bytes: Bun.file(source.file).size };
    return;
  }
  const { name, file } = source;
  const tasks = tasksOf(file, (chunk) => ({ kind: "check", name, chunk, wantsChanges }) as const);
  for await (const { result, extra } of crew.performAll(tasks)) yield { part: result, bytes: extra };
}

async function saveAll({ staging, store, crew, report }: Stage & { report: Report }): Promise<void> {
  const bar = new ProgressBar("Importing");
  let done = 0;
  const tasks = async function* () {
    for await (const bytes of staging.batches(BATCH_BYTES)) {
      // A copy for the case that somebody else writes in between and the batch must be planned anew.
      yield { task: { kind: "prepare", staged: new Uint8Array(bytes) } as const, extra: bytes };
    }
  };
  for await (const { result, extra } of crew.performAll(tasks())) {
    const saved = ("saves" in result && (await store.commit(result))) || (await saveAnew(extra, store, done));
    report.add(saved);
    done += saved.length;
    bar.update(done, staging.count, () => plural(done, "record"));
  }
  bar.end();
}

/** Everything was checked and prepared, so what stands in the way was written by somebody else since. */
async function saveAnew(staged: Uint8Array, store: Store, written: number): Promise<Saved[]> {
  const batch = parseStaged(staged);
  try {
    return await store.save(batch.map(({ input }) => input));
  } catch (error) {
    if (!(error instanceof RecordsRefused)) throw error;
    const problems = new Problems();
    problems.add(placed(error.refused, batch));
    return problems.throwIfAny(written) ?? [];
  }
}

/** Prints every problem as it is found, and in the end fails if there was one. */
class Problems {
  #count = 0;
  readonly #records = new Set<string>();

  add(problems: readonly PlacedProblem[]): void {
    for (const { record, problem } of problems) {
      this.#count++;
      this.#records.add(record);
      printError(`${record}: ${formatProblem(problem)}`);
    }
  }

  throwIfAny(written = 0): void {
    if (this.#count === 0) return;
    const found = `${plural(this.#count, "problem")} in ${plural(this.#records.size, "record")}`;
    if (written === 0)
      throw new Failure(
        `${found}; nothing was written`,
        "mend what is listed above and run the same import again",
      );
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
  total = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  add(saved: readonly Saved[]): void {
    for (const one of saved) {
      this.#counts[one.change]++;
      this.total++;
      if (this.#first.length < MOST_LINES) this.#first.push(one);
    }
  }

  print(): void {
    const { dryRun, json } = this.#options;
    if (json) {
      printJson({ dryRun, records: this.total, ...this.#counts });
      return;
    }
    if (this.total <= MOST_LINES)
      for (const { change, email } of this.#first) print(`${change.padEnd(9)}  ${email}`);
    if (this.total === 1 && !dryRun) return;
    const { created, updated, unchanged } = this.#counts;
    const summary = `${plural(this.total, "record")}: ${number(created)} created, ${number(updated)} updated, ${number(unchanged)} unchanged`;
    print(dryRun ? `${summary} (dry run: nothing was written)` : summary);
  }
}
