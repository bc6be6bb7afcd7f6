import type { RecordInput } from "../records/schema.ts";
import { engineAt } from "../store/engines.ts";
import type { DatabaseLocation } from "../store/location.ts";
import { planForNobody } from "../store/save/batch.ts";
import {
  type CompiledBatch,
  type CompiledSave,
  RecordsRefused,
  type Saved,
  type Store,
} from "../store/store.ts";
import { Claims } from "./claims.ts";
import { Crew } from "./crew.ts";
import { type Part, partsOf, Rereader } from "./parts.ts";
import { readInputs } from "./plan-part.ts";
import { Positions } from "./positions.ts";
import { NothingToImport, type PlacedProblem, Problems } from "./problems.ts";
import { knownSize, openSource, refuseMissing } from "./source.ts";
import { Spool } from "./spool.ts";
import { type ImportSummary, Tally } from "./tally.ts";
import { answered, type OnWaiting } from "./waiting.ts";

/** Parts are committed together up to about this size of what was read: a transaction waits once for the disk. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Checking is measured in bytes, importing in records. */
export interface ImportProgress {
  readonly phase: "checking" | "importing";
  readonly done: number;
  readonly total: number;
  readonly records: number;
}

interface ImportOptions {
  readonly database: DatabaseLocation;
  readonly isDryRun: boolean;
  /** Told of every problem as it is found. */
  readonly onProblem: (problem: PlacedProblem) => void;
  readonly onProgress: (progress: ImportProgress) => void;
  /** Told each second while the database takes long to answer. */
  readonly onWaiting: OnWaiting;
}

interface Work extends ImportOptions {
  readonly files: readonly string[];
  readonly tally: Tally;
  /** What is closed when the import ends. */
  readonly opened: AsyncDisposableStack;
}

/** Checks and plans every record of every file, and writes only if all of them are good, or throws `ImportRefused`. */
export async function importRecords(
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  refuseMissing(files);
  const engine = await engineAt(options.database);
  engine.refuseMissingFolder();
  await using opened = new AsyncDisposableStack();
  const wait = <Answer>(step: Promise<Answer>) => answered(step, options.onWaiting);
  const work: Work = { ...options, files, tally: new Tally(), opened };
  const found = await wait(engine.openExisting());
  if (found) opened.defer(() => found.close());
  const crew = opened.use(
    new Crew({
      database: found && options.database,
      isDryRun: options.isDryRun,
      plan: found ? (inputs) => found.records.plan(inputs) : planForNobody,
      wait,
    }),
  );
  const spool = await planAll(work, crew);
  if (!spool) return work.tally;
  // Where there was no database, one is made now that all is good.
  if (!found) await wait(engine.upgrade());
  await commitAll(spool, found ?? opened.adopt(await wait(engine.open()), (store) => store.close()), work);
  return work.tally;
}

/** Plans everything against what is stored. Returns it, unless this is a dry run. */
async function planAll(work: Work, crew: Crew): Promise<Spool | undefined> {
  const { files, isDryRun, tally, opened, onProgress } = work;
  const spool = isDryRun ? undefined : opened.use(new Spool());
  using claims = new Claims();
  const problems = new Problems(work.onProblem);
  const positions = new Positions();
  const names: string[] = [];
  const filled = new Set<string>();
  let done = 0;
  let total = files.reduce((sum, file) => sum + knownSize(file), 0);
  const parts = async function* () {
    for (const file of files) {
      const source = await openSource(file, opened);
      total += source.content.size - knownSize(file);
      names.push(source.name);
      yield* partsOf(source);
    }
  };
  for await (const { part, result: planned } of crew.planAll(parts())) {
    problems.add(await positions.locate(part, [...claims.add(planned), ...planned.problems]));
    tally.add(planned.changes);
    if (planned.count > 0) filled.add(part.source.name);
    if (planned.parcel && problems.count === 0) spool?.add(part, planned.count, planned.parcel);
    done += part.bytes;
    onProgress({ phase: "checking", done, total, records: claims.records });
  }
  problems.throwIfAny();
  if (claims.records === 0) throw new NothingToImport(files);
  tally.empty.push(...names.filter((name) => !filled.has(name)));
  return spool;
}

async function commitAll(
  spool: Spool,
  store: Store,
  { tally, onProblem, onProgress, onWaiting }: Work,
): Promise<void> {
  const problems = new Problems(onProblem);
  const again: Again = { store, problems, rereader: new Rereader(), positions: new Positions() };
  onProgress({ phase: "importing", done: 0, total: spool.records, records: 0 });
  for await (const { parts, batch } of joined(spool.batches())) {
    const saved =
      (await answered(store.records.commit(batch), onWaiting)) ??
      (await answered(saveAnew(parts, again), onWaiting));
    problems.throwIfAny(tally.records);
    tally.add(saved);
    onProgress({ phase: "importing", done: tally.records, total: spool.records, records: tally.records });
  }
}

/** Parts that follow each other, as batches that are worth a transaction. */
async function* joined(
  batches: AsyncIterable<{ part: Part; batch: CompiledBatch }>,
): AsyncGenerator<{ parts: readonly Part[]; batch: CompiledBatch }> {
  let parts: Part[] = [];
  let saves: CompiledSave[] = [];
  let bytes = 0;
  for await (const { part, batch } of batches) {
    parts.push(part);
    saves.push(...batch.saves);
    bytes += part.bytes;
    if (bytes < BATCH_BYTES) continue;
    yield { parts, batch: { saves } };
    [parts, saves, bytes] = [[], [], 0];
  }
  if (parts.length > 0) yield { parts, batch: { saves } };
}

interface Again {
  readonly store: Store;
  readonly problems: Problems;
  readonly rereader: Rereader;
  readonly positions: Positions;
}

/** Everything was good when it was planned: what stands in the way now was written by somebody else since. */
async function saveAnew(parts: readonly Part[], again: Again): Promise<Saved[]> {
  const { store, problems, rereader, positions } = again;
  const records: { readonly part: Part; readonly place: string; readonly input: RecordInput }[] = [];
  for (const part of parts) {
    const { places, inputs, problems: found } = readInputs(await rereader.valuesOf(part));
    records.push(...inputs.map((input, index) => ({ part, place: places[index] ?? "", input })));
    problems.add(await positions.locate(part, found));
  }
  if (problems.count > 0) return [];
  try {
    return await store.records.save(records.map(({ input }) => input));
  } catch (error) {
    if (!(error instanceof RecordsRefused)) throw error;
    for (const { index, problem } of error.refused) {
      const { part, place } = records[index] as (typeof records)[number];
      problems.add(await positions.locate(part, [{ record: place, problem }]));
    }
    return [];
  }
}
