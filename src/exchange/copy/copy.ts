import type { ContentsWriter, Totals } from "../../store/contents.ts";
import { engineAt } from "../../store/engines.ts";
import type { DatabaseLocation } from "../../store/location.ts";
import type { Progress, Store } from "../../store/store.ts";
import { refuseOtherSchema } from "../../store/unavailable.ts";
import { compare, compareAll, type OnRows, type Sides, sidesOf } from "./compare.ts";
import { ForeignContents, NoSource, SidesDiffer, WrongDocuments } from "./errors.ts";
import { type Kind, USERS } from "./kinds.ts";
import type { Pair } from "./side-by-side.ts";

/** How far a copy is: what is being done, and with what. */
export interface CopyProgress extends Progress {
  readonly step: "checking" | "clearing" | "copying" | "verifying";
  readonly what: keyof Totals | "documents";
}

type OnCopyProgress = (progress: CopyProgress) => void;

export interface CopyResult {
  /** The rows that the target lacked. */
  readonly copied: Totals;
  /** The rows that are the same in both. */
  readonly verified: Totals;
}

/**
 * Copies what the target lacks, so that it can be run again, and in the end holds both against each other. Throws the
 * errors of errors.ts, and `OtherSchema`.
 */
export async function copyContents(
  from: DatabaseLocation,
  to: DatabaseLocation,
  onProgress: OnCopyProgress,
): Promise<CopyResult> {
  const [sourceEngine, targetEngine] = [await engineAt(from), await engineAt(to)];
  if (!(await sourceEngine.exists())) throw new NoSource();
  await using opened = new AsyncDisposableStack();
  const source = opened.adopt(await sourceEngine.openSource(), (it) => it.close());
  refuseOtherSchema(sourceEngine.name, await source.schemaVersion());
  if (!(await targetEngine.exists())) await targetEngine.upgrade();
  const store = opened.adopt(await targetEngine.open(), (it) => it.close());
  const target = opened.adopt(await targetEngine.openContentsWriter(), (it) => it.close());

  const copied = await source.asOfOneMoment(async (contents) => {
    const sides = await sidesOf(contents, target.contents);
    await makeReady(sides, target, onProgress);
    return copyAll(sides, target, rowsOf("copying", onProgress));
  });
  // What was written to the source meanwhile shows now.
  const verified = await source.asOfOneMoment(async (contents) =>
    verify(await sidesOf(contents, target.contents), rowsOf("verifying", onProgress)),
  );
  await verifyDocuments(store, onProgress);
  return { copied, verified };
}

/**
 * A target that holds something must be what an earlier copy has left; that is made sure of before anything is
 * written. Users who have changed since go first, all of them: one may now have the slug that was another's.
 */
async function makeReady(sides: Sides, target: ContentsWriter, onProgress: OnCopyProgress): Promise<void> {
  if ((await sides.target.totals()).users === 0) return;
  let outdated = 0;
  await compareAll(sides, rowsOf("checking", onProgress), async (kind, differing) => {
    refuseForeign(kind, differing);
    if (kind.name === USERS.name) outdated += differing.filter((pair) => pair.target).length;
  });
  if (outdated === 0) return;
  await compare(USERS, sides, rowsOf("clearing", onProgress), async (_, differing) => {
    const stored = differing.flatMap((pair) => pair.target ?? []);
    if (stored.length > 0) await target.deleteUsers(stored);
  });
}

async function copyAll(sides: Sides, target: ContentsWriter, onRows: OnRows): Promise<Totals> {
  const copied = { users: 0, keys: 0, hooks: 0, counts: 0 };
  await compareAll(sides, onRows, async (kind, differing) => {
    refuseForeign(kind, differing);
    const rows = differing.flatMap((pair) => pair.source ?? []);
    await kind.put(target, rows);
    copied[kind.name] += rows.length;
  });
  return copied;
}

async function verify(sides: Sides, onRows: OnRows): Promise<Totals> {
  const different = { users: 0, keys: 0, hooks: 0, counts: 0 };
  const seen = await compareAll(sides, onRows, async (kind, differing) => {
    different[kind.name] += differing.length;
  });
  if (Object.values(different).some((rows) => rows > 0)) throw new SidesDiffer(different);
  return seen;
}

async function verifyDocuments(target: Store, onProgress: OnCopyProgress): Promise<void> {
  let wrong = 0;
  const report = (progress: Progress) => onProgress({ step: "verifying", what: "documents", ...progress });
  for await (const { differences } of target.upkeep.discrepancies(report)) wrong += differences.length;
  if (wrong > 0) throw new WrongDocuments(wrong);
}

function refuseForeign<Row>(kind: Kind<Row>, pairs: readonly Pair<Row>[]): void {
  for (const { source, target } of pairs) {
    const foreign = target && kind.foreign(source, target);
    if (foreign) throw new ForeignContents(foreign);
  }
}

function rowsOf(step: CopyProgress["step"], onProgress: OnCopyProgress): OnRows {
  return (what, done, total) => onProgress({ step, what, done, total });
}
