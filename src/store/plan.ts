import { formatPlace, type Problem } from "../records/problems.ts";
import { givenUserId, reconcile } from "../records/reconcile.ts";
import { foldEmail, type UserRecord } from "../records/record.ts";
import type { RecordInput } from "../records/schema.ts";
import type { Change, RefusedRecord } from "./store.ts";

export interface StoredUser {
  readonly number: number;
  readonly email: string;
}

/** What planning asks of an engine about what is stored now. */
export interface Lookup {
  userById(id: string): StoredUser | undefined;
  userByEmail(foldedEmail: string): StoredUser | undefined;
  recordOf(user: StoredUser): UserRecord;
  ownerOfProfileSlug(slug: string): StoredUser | undefined;
  ownerOfTreeSlug(slug: string): StoredUser | undefined;
  ownerOfTreeId(id: string): StoredUser | undefined;
}

export interface PlannedSave {
  readonly change: Change;
  readonly record: UserRecord;
  /** The stored user that this record replaces, if there is one. */
  readonly earlier: StoredUser | undefined;
}

export type Plan = { saves: PlannedSave[] } | { refused: RefusedRecord[] };

/** Decides what saving these records means, and refuses what would take from another user. */
export function planSave(inputs: readonly RecordInput[], lookup: Lookup, now: number): Plan {
  const batch = new BatchClaims();
  const saves: PlannedSave[] = [];
  const refused: RefusedRecord[] = [];
  for (const [index, input] of inputs.entries()) {
    const planned = planOne(input, lookup, batch, now);
    if ("problems" in planned) refused.push(...planned.problems.map((problem) => ({ index, problem })));
    else saves.push(planned);
  }
  return refused.length > 0 ? { refused } : { saves };
}

function planOne(
  input: RecordInput,
  lookup: Lookup,
  batch: BatchClaims,
  now: number,
): PlannedSave | { problems: Problem[] } {
  const givenId = givenUserId(input);
  const earlier =
    (givenId === undefined ? undefined : lookup.userById(givenId)) ??
    lookup.userByEmail(foldEmail(input.email));
  const earlierRecord = earlier && lookup.recordOf(earlier);

  const reconciled = reconcile(input, earlierRecord, now);
  if ("problems" in reconciled) return reconciled;
  const { record, changed } = reconciled;

  const problems: Problem[] = [];
  for (const { kind, value, path } of uniqueValues(record)) {
    const owner = ownerOf[kind](lookup, value);
    const rival =
      owner && owner.number !== earlier?.number ? owner.email : batch.claim(kind, value, record.email);
    if (rival !== undefined)
      problems.push({ place: formatPlace(path), message: `is already taken by ${rival}` });
  }
  if (problems.length > 0) return { problems };
  return { change: earlier ? (changed ? "updated" : "unchanged") : "created", record, earlier };
}

const ownerOf = {
  user: (lookup: Lookup, id: string) => lookup.userById(id),
  email: (lookup: Lookup, email: string) => lookup.userByEmail(email),
  profileSlug: (lookup: Lookup, slug: string) => lookup.ownerOfProfileSlug(slug),
  treeSlug: (lookup: Lookup, slug: string) => lookup.ownerOfTreeSlug(slug),
  treeId: (lookup: Lookup, id: string) => lookup.ownerOfTreeId(id),
} as const;

export type UniqueKind = keyof typeof ownerOf;

export interface UniqueValue {
  readonly kind: UniqueKind;
  readonly value: string;
  readonly path: readonly PropertyKey[];
}

interface HasUniqueValues {
  readonly id?: string | undefined;
  readonly email: string;
  readonly profile: { readonly slug: string };
  readonly linkTrees: readonly { readonly id?: string | undefined; readonly slug: string }[];
}

/** What no two users may share. */
export function uniqueValues(record: HasUniqueValues): UniqueValue[] {
  const values: UniqueValue[] = [
    { kind: "email", value: foldEmail(record.email), path: ["email"] },
    { kind: "profileSlug", value: record.profile.slug, path: ["profile", "slug"] },
  ];
  if (record.id !== undefined) values.push({ kind: "user", value: record.id, path: ["id"] });
  for (const [index, tree] of record.linkTrees.entries()) {
    values.push({ kind: "treeSlug", value: tree.slug, path: ["linkTrees", index, "slug"] });
    if (tree.id !== undefined)
      values.push({ kind: "treeId", value: tree.id, path: ["linkTrees", index, "id"] });
  }
  return values;
}

/** Who claimed a unique value first within one batch. */
class BatchClaims {
  readonly #claims = new Map<string, string>();

  /** The e-mail address of whoever was first, if somebody was. */
  claim(kind: UniqueKind, value: string, email: string): string | undefined {
    const key = `${kind} ${value}`;
    const first = this.#claims.get(key);
    if (first === undefined) this.#claims.set(key, email);
    return first;
  }
}
