import { formatPlace } from "../records/problems.ts";
import type { RecordInput } from "../records/schema.ts";
import { compileBatch } from "../store/save/batch.ts";
import { type Parcel, pack } from "../store/save/parcel.ts";
import { uniqueValues } from "../store/save/plan.ts";
import { type PlannedBatch, type PlannedSave, RecordsRefused, type Saved } from "../store/store.ts";
import type { PlacedProblem } from "./problems.ts";
import type { PlacedValue } from "./syntax/value.ts";
import { checkOwnRecord } from "./vocabulary.ts";

/** A value that no other record may have: the value, the position of its record among the good ones of its part,
 * the record's place and the place in it. */
export type Claim = readonly [value: string, index: number, record: string, place: string];

/** A part that is checked, planned and compiled. */
export interface PlannedPart {
  readonly problems: readonly PlacedProblem[];
  /** How many records are good by themselves. */
  readonly count: number;
  /** Claims as JSON: text goes from thread to thread, and into a statement, far quicker than objects do. */
  readonly claims: string;
  readonly claimCount: number;
  /** What saving does, where that was asked for. */
  readonly changes: readonly Saved[];
  /** What is to be saved, compiled, where that was asked for and no record has a problem. */
  readonly parcel?: Parcel;
}

export type Plan = (inputs: readonly RecordInput[]) => Promise<PlannedBatch>;

/** Checks a part, plans it against what is stored, and compiles what is to be saved. */
export async function planPart(
  values: Iterable<PlacedValue>,
  plan: Plan,
  isDryRun: boolean,
): Promise<PlannedPart> {
  const { places, inputs, problems } = readInputs(values);
  const saves = await planOrList(inputs, places, plan, problems);
  const claims = inputs.flatMap((input, index) =>
    claimsOf(input, index, places[index] ?? "", saves?.[index]),
  );
  const isGood = saves !== undefined && problems.length === 0;
  return {
    problems,
    count: inputs.length,
    claims: JSON.stringify(claims),
    claimCount: claims.length,
    changes: isDryRun && saves ? saves.map(({ change, email }) => ({ change, email })) : [],
    ...(!isDryRun && isGood && { parcel: pack(compileBatch({ saves })) }),
  };
}

/** The records that values stand for, each with its place, and the problems of the other values. */
export function readInputs(values: Iterable<PlacedValue>) {
  const places: string[] = [];
  const inputs: RecordInput[] = [];
  const problems: PlacedProblem[] = [];
  for (const one of values) {
    const record = one.place;
    if ("fault" in one) {
      const { fault: message, advice, position = null } = one;
      const problem = { place: "", message, ...(advice !== undefined && { advice }) };
      problems.push({ record, problem, position });
      continue;
    }
    const checked = checkOwnRecord(one.value);
    if ("input" in checked) {
      places.push(record);
      inputs.push(checked.input);
    } else problems.push(...checked.problems.map((problem) => ({ record, problem })));
  }
  return { places, inputs, problems };
}

async function planOrList(
  inputs: readonly RecordInput[],
  places: readonly string[],
  plan: Plan,
  problems: PlacedProblem[],
): Promise<readonly PlannedSave[] | undefined> {
  try {
    return (await plan(inputs)).saves;
  } catch (error) {
    if (!(error instanceof RecordsRefused)) throw error;
    for (const { index, problem } of error.refused) problems.push({ record: places[index] ?? "", problem });
    return undefined;
  }
}

/** A record also claims the stored user it concerns, whom another might reach by another way. */
function claimsOf(input: RecordInput, index: number, record: string, save: PlannedSave | undefined): Claim[] {
  const values = uniqueValues(input);
  if (save?.earlier && !values.some(({ kind, value }) => kind === "user" && value === save.id))
    values.push({ kind: "user", value: save.id, path: ["email"] });
  return values.map(({ kind, value, path }) => [`${kind} ${value}`, index, record, formatPlace(path)]);
}
