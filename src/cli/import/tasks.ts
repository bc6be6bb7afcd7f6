import { formatPlace, type Problem } from "../../records/problems.ts";
import { checkRecord, type RecordInput } from "../../records/schema.ts";
import { uniqueValues } from "../../store/plan.ts";
import { prepareFirst } from "../../store/prepare.ts";
import { type PreparedBatch, RecordsRefused, type Saved, type Store } from "../../store/store.ts";
import { type LineChunk, linesOf } from "./lines.ts";
import { type Candidate, fromLines } from "./source.ts";

/** A problem and the record it is in. */
export interface PlacedProblem {
  readonly record: string;
  readonly problem: Problem;
  /** Whether it is that another record of the same import has the same value. */
  readonly isClash?: true;
}

/** A checked record as it waits on disk, and where it came from. */
export interface Staged {
  readonly record: string;
  readonly input: RecordInput;
}

/** A value that no other record may have: the value, the position of its record among the good ones of its part,
 * the record's name and the place in it. */
export type Claim = readonly [value: string, index: number, record: string, place: string];

export interface CheckedPart {
  readonly problems: readonly PlacedProblem[];
  /** Claims as JSON: text goes from thread to thread, and into a statement, far quicker than objects do. */
  readonly claims: string;
  readonly claimCount: number;
  /** The good records, one a line. */
  readonly staged: string;
  readonly count: number;
  /** What saving would do, where that was asked for. */
  readonly changes: readonly Saved[];
}

/** The work of an import that can be done beside the main thread, in any order. */
export type Task =
  | {
      readonly kind: "check";
      readonly name: string;
      readonly chunk: LineChunk;
      readonly wantsChanges: boolean;
    }
  | { readonly kind: "prepare"; readonly staged: Uint8Array<ArrayBuffer> }
  | { readonly kind: "prepareFirst"; readonly name: string; readonly chunk: LineChunk };

export interface Results {
  check: CheckedPart;
  prepare: PreparedBatch | { readonly problems: readonly PlacedProblem[] };
  /** Nothing where a record is not good. */
  prepareFirst: PreparedBatch | undefined;
}

export async function perform(task: Task, store: () => Promise<Store>): Promise<Results[Task["kind"]]> {
  switch (task.kind) {
    case "check":
      return checkCandidates(fromLines(task.name, task.chunk), await store(), task.wantsChanges);
    case "prepare":
      return prepareStaged(task.staged, await store());
    case "prepareFirst":
      return prepareLines(fromLines(task.name, task.chunk));
  }
}

/** Checks records by themselves and against what is stored. */
export async function checkCandidates(
  candidates: Iterable<Candidate>,
  store: Store,
  wantsChanges: boolean,
): Promise<CheckedPart> {
  const problems: PlacedProblem[] = [];
  const good: Staged[] = [];
  for (const candidate of candidates) {
    const record = candidate.place;
    if ("fault" in candidate) {
      problems.push({ record, problem: { place: "", message: candidate.fault } });
      continue;
    }
    const checked = checkRecord(candidate.value);
    if ("input" in checked) good.push({ record, input: checked.input });
    else problems.push(...checked.problems.map((problem) => ({ record, problem })));
  }
  const plan = await store.plan(good.map(({ input }) => input));
  if ("refused" in plan) problems.push(...placed(plan.refused, good));
  const changes = "changes" in plan ? plan.changes : [];
  const claims = good.flatMap((staged, index) => claimsOf(staged, index, changes[index]?.earlierId));
  return {
    problems,
    claims: JSON.stringify(claims),
    claimCount: claims.length,
    staged: good.map((one) => `${JSON.stringify(one)}\n`).join(""),
    count: good.length,
    changes: wantsChanges ? changes : [],
  };
}

/** A record also claims the stored user it concerns, whom another might reach by another way. */
function claimsOf({ record, input }: Staged, index: number, earlierId: string | undefined): Claim[] {
  const values = uniqueValues(input);
  if (earlierId !== undefined && !values.some(({ kind, value }) => kind === "user" && value === earlierId)) {
    values.push({ kind: "user", value: earlierId, path: ["email"] });
  }
  return values.map(({ kind, value, path }) => [`${kind} ${value}`, index, record, formatPlace(path)]);
}

async function prepareStaged(staged: Uint8Array, store: Store): Promise<Results["prepare"]> {
  const batch = parseStaged(staged);
  try {
    return await store.prepare(batch.map(({ input }) => input));
  } catch (error) {
    if (!(error instanceof RecordsRefused)) throw error;
    return { problems: placed(error.refused, batch) };
  }
}

function prepareLines(candidates: Iterable<Candidate>): PreparedBatch | undefined {
  const inputs: RecordInput[] = [];
  for (const candidate of candidates) {
    const checked = "fault" in candidate ? undefined : checkRecord(candidate.value);
    if (!checked || !("input" in checked)) return undefined;
    inputs.push(checked.input);
  }
  try {
    return prepareFirst(inputs, Date.now());
  } catch (error) {
    if (error instanceof RecordsRefused) return undefined;
    throw error;
  }
}

const decoder = new TextDecoder();

export function parseStaged(staged: Uint8Array): Staged[] {
  return linesOf(staged)
    .map((line) => JSON.parse(decoder.decode(line)) as Staged)
    .toArray();
}

export function placed(refused: RecordsRefused["refused"], batch: readonly Staged[]): PlacedProblem[] {
  return refused.map(({ index, problem }) => ({ record: batch[index]?.record ?? "", problem }));
}
