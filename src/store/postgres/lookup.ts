import type { SQL } from "bun";
import { givenUserId } from "../../records/reconcile.ts";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import type { Lookup, StoredUser } from "../plan.ts";
import { lookUp } from "./statements.ts";

/** A stored user whom a batch concerns, or who owns a value that it claims. */
export interface Found extends StoredUser {
  readonly kind: "user" | "profileSlug" | "treeSlug" | "treeId";
  readonly value: string;
  /** Both null for mere owners; the tag also for a user without documents. */
  readonly record: string | null;
  readonly etag: string | null;
}

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
    recordOf: ({ number }) => JSON.parse(byNumber.get(number)?.record ?? "null") as UserRecord,
    etagOf: ({ number }) => byNumber.get(number)?.etag ?? "",
  };
}
