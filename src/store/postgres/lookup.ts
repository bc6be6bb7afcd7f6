import type { SQL } from "bun";
import { givenUserId } from "../../records/reconcile.ts";
import { foldEmail } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import { readStored } from "../../records/stored.ts";
import type { Lookup, StoredUser } from "../save/plan.ts";
import { type EarlierRecord, recordTextOf, recovered } from "../stored-record.ts";
import { statement } from "./statement.ts";

/** A stored user whom a batch concerns, or who owns a value that it claims. */
interface Found extends StoredUser {
  readonly kind: "user" | "profileSlug" | "treeSlug" | "treeId";
  readonly value: string;
  /** Both null for mere owners; the tag also for a user without documents. */
  readonly record: string | null;
  readonly packedRecord: Uint8Array | null;
  readonly etag: string | null;
}

/** Everything that is stored about a batch: whom it concerns, with record and tag, and who owns what it claims. */
const lookUp = statement<
  Found,
  [
    ids: readonly string[],
    emails: readonly string[],
    profileSlugs: readonly string[],
    treeSlugs: readonly string[],
    treeIds: readonly string[],
  ]
>(`
  SELECT 'user' AS kind, folded_email AS value, number::float8, id, email, record,
    packed_record AS "packedRecord", full_etag AS etag
  FROM vitrine.users LEFT JOIN vitrine.answers ON answers.user_number = users.number
  WHERE number IN (
    SELECT number FROM vitrine.users WHERE id = ANY ($1::text[])
    UNION SELECT number FROM vitrine.users WHERE folded_email = ANY ($2::text[])
  )
  UNION ALL
  SELECT 'profileSlug', profile_slug, number::float8, id, email, NULL, NULL, NULL
  FROM vitrine.users WHERE profile_slug = ANY ($3::text[])
  UNION ALL
  SELECT 'treeSlug', trees.slug, number::float8, users.id, email, NULL, NULL, NULL
  FROM vitrine.trees JOIN vitrine.users ON users.number = trees.user_number
  WHERE trees.slug = ANY ($4::text[])
  UNION ALL
  SELECT 'treeId', trees.id, number::float8, users.id, email, NULL, NULL, NULL
  FROM vitrine.trees JOIN vitrine.users ON users.number = trees.user_number
  WHERE trees.id = ANY ($5::text[])`);

const fullDocuments = statement<{ number: number; body: Uint8Array }, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS number, body FROM vitrine.answers WHERE user_number = ANY ($1::bigint[])`);

/** Answers all that planning will ask about a batch with one statement, and so as of one moment. */
export async function gatherLookup(
  inputs: readonly RecordInput[],
  sql: SQL,
): Promise<Lookup & { etagOf(user: StoredUser): string }> {
  const trees = inputs.flatMap((input) => input.linkTrees);
  const given = (values: (string | undefined)[]) => values.filter((value) => value !== undefined);
  const rows = await lookUp(
    sql,
    given(inputs.map(givenUserId)),
    inputs.map(({ email }) => foldEmail(email)),
    inputs.map(({ profile }) => profile.slug),
    trees.map(({ slug }) => slug),
    given(trees.map(({ id }) => id)),
  );
  const users = rows.filter(({ kind }) => kind === "user");
  const byNumber = new Map(users.map((user) => [user.number, user]));
  const records = await recordsOf(users, sql);
  const byId = new Map(users.map((user) => [user.id, user]));
  const byValue = (wanted: Found["kind"]) => {
    const found = new Map(rows.filter(({ kind }) => kind === wanted).map((row) => [row.value, row]));
    return (value: string) => found.get(value);
  };
  return {
    userById: (id) => byId.get(id),
    userByEmail: byValue("user"),
    ownerOfProfileSlug: byValue("profileSlug"),
    ownerOfTreeSlug: byValue("treeSlug"),
    ownerOfTreeId: byValue("treeId"),
    recordOf: ({ number }) => records.get(number) ?? { record: undefined, isDamaged: true },
    etagOf: ({ number }) => byNumber.get(number)?.etag ?? "",
  };
}

/** The records of users. The full documents are asked for of those alone whose records are damaged. */
async function recordsOf(users: readonly Found[], sql: SQL): Promise<Map<number, EarlierRecord>> {
  const read = users.map((user) => {
    const text = recordTextOf({ ...user, record: user.record ?? "" }).record;
    return { ...user, text, stored: readStored(text) };
  });
  const damaged = read.filter(({ stored }) => "fault" in stored).map(({ number }) => number);
  const found = damaged.length > 0 ? await fullDocuments(sql, damaged) : [];
  const documents = new Map(found.map(({ number, body }) => [number, body]));
  return new Map(
    read.map(({ number, id, text, stored }) => [
      number,
      "record" in stored
        ? { record: stored.record, text, isDamaged: false }
        : recovered(id, documents.get(number)),
    ]),
  );
}
