import { formatPlace, type Problem } from "../../records/problems.ts";
import { givenUserId, reconcile } from "../../records/reconcile.ts";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import { unresolvedJobs } from "../../records/references.ts";
import type { RecordInput } from "../../records/schema.ts";
import type { Change, RefusedRecord } from "../store.ts";
import type { EarlierRecord } from "../stored-record.ts";

export interface StoredUser {
  readonly number: number;
  readonly id: string;
  readonly email: string;
}

/** What planning asks about what is stored now. An engine gathers the answers for a whole batch at once. */
export interface Lookup {
  userById(id: string): StoredUser | undefined;
  userByEmail(foldedEmail: string): StoredUser | undefined;
  recordOf(user: StoredUser): EarlierRecord;
  ownerOfProfileSlug(slug: string): StoredUser | undefined;
  ownerOfTreeSlug(slug: string): StoredUser | undefined;
  ownerOfTreeId(id: string): StoredUser | undefined;
}

/** A record that may be saved, and the stored user it replaces, if there is one. */
interface AcceptedRecord {
  readonly input: RecordInput;
  readonly earlier: (EarlierRecord & { readonly user: StoredUser }) | undefined;
}

type Plan = { accepted: AcceptedRecord[] } | { refused: RefusedRecord[] };

/** Decides whom saving these records concerns, and refuses what would take from another user. */
export function planSave(inputs: readonly RecordInput[], lookup: Lookup): Plan {
  const batch = new BatchClaims();
  const accepted: AcceptedRecord[] = [];
  const refused: RefusedRecord[] = [];
  for (const [index, input] of inputs.entries()) {
    const givenId = givenUserId(input);
    const user =
      (givenId === undefined ? undefined : lookup.userById(givenId)) ??
      lookup.userByEmail(foldEmail(input.email));
    const earlier = user && { user, ...lookup.recordOf(user) };
    const problems = [...unresolvedJobs(input, earlier?.record), ...conflicts(input, user, lookup, batch)];
    const twin = user && batch.claim("stored", String(user.number), input.email);
    if (twin !== undefined) {
      const place = givenId === undefined ? "email" : "id";
      problems.push({ place, message: `is that of the same user as the record of ${twin}` });
    }
    for (const problem of problems) refused.push({ index, problem });
    accepted.push({ input, earlier });
  }
  return refused.length > 0 ? { refused } : { accepted };
}

function conflicts(
  input: RecordInput,
  user: StoredUser | undefined,
  lookup: Lookup,
  batch: BatchClaims,
): Problem[] {
  return uniqueValues(input).flatMap(({ kind, value, path }) => {
    const owner = ownerOf[kind](lookup, value);
    const rival =
      owner && owner.number !== user?.number ? owner.email : batch.claim(kind, value, input.email);
    if (rival === undefined) return [];
    return [{ place: formatPlace(path), message: `is already taken by ${rival}`, isTaken: true }];
  });
}

/** What an accepted record comes to: the record to store, and what it is to the user. */
export function settle(
  { input, earlier }: AcceptedRecord,
  now: number,
): { change: Change; record: UserRecord } {
  if (!earlier) return { change: "created", record: reconcile(input, undefined, now).record };
  // The user's own id, where the stored record does not tell it.
  const { record, changed } = reconcile({ ...input, id: earlier.user.id }, earlier.record, now);
  return { change: changed || earlier.isDamaged ? "updated" : "unchanged", record };
}

const ownerOf = {
  user: (lookup: Lookup, id: string) => lookup.userById(id),
  email: (lookup: Lookup, email: string) => lookup.userByEmail(email),
  profileSlug: (lookup: Lookup, slug: string) => lookup.ownerOfProfileSlug(slug),
  treeSlug: (lookup: Lookup, slug: string) => lookup.ownerOfTreeSlug(slug),
  treeId: (lookup: Lookup, id: string) => lookup.ownerOfTreeId(id),
} as const;

type UniqueKind = keyof typeof ownerOf;

interface UniqueValue {
  readonly kind: UniqueKind;
  readonly value: string;
  readonly path: readonly PropertyKey[];
}

/** What a record claims for its user alone. What the server will make up is new by itself. */
export function uniqueValues(input: RecordInput): UniqueValue[] {
  const values: UniqueValue[] = [
    { kind: "email", value: foldEmail(input.email), path: ["email"] },
    { kind: "profileSlug", value: input.profile.slug, path: ["profile", "slug"] },
  ];
  const id = givenUserId(input);
  if (id !== undefined) values.push({ kind: "user", value: id, path: ["id"] });
  for (const [index, tree] of input.linkTrees.entries()) {
    values.push({ kind: "treeSlug", value: tree.slug, path: ["linkTrees", index, "slug"] });
    if (tree.id !== undefined)
      values.push({ kind: "treeId", value: tree.id, path: ["linkTrees", index, "id"] });
  }
  return values;
}

/** Who claimed a unique value first within one batch. */
class BatchClaims {
  readonly #claims = new Map<string, string>();

  /** The e-mail address of the first, if there was one. */
  claim(kind: UniqueKind | "stored", value: string, email: string): string | undefined {
    const key = `${kind} ${value}`;
    const first = this.#claims.get(key);
    if (first === undefined) this.#claims.set(key, email);
    return first;
  }
}
