import type { Statement } from "bun:sqlite";
import { givenUserId } from "../../records/reconcile.ts";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import type { Lookup, StoredUser } from "../plan.ts";
import type { Statements } from "./statements.ts";

/** Answers all that planning will ask about a batch with one statement for each kind of question. */
export function gatherLookup(inputs: readonly RecordInput[], statements: Statements): Lookup {
  const trees = inputs.flatMap((input) => input.linkTrees);
  const find = (statement: Statement<Found, [string]>, values: (string | undefined)[]) => {
    const found = new Map(statement.all(JSON.stringify(values)).map((row) => [row.value, row]));
    return (value: string) => found.get(value);
  };
  return {
    userById: find(statements.usersByIds, inputs.map(givenUserId)),
    userByEmail: find(
      statements.usersByEmails,
      inputs.map(({ email }) => foldEmail(email)),
    ),
    ownerOfProfileSlug: find(
      statements.ownersOfProfileSlugs,
      inputs.map(({ profile }) => profile.slug),
    ),
    ownerOfTreeSlug: find(
      statements.ownersOfTreeSlugs,
      trees.map(({ slug }) => slug),
    ),
    ownerOfTreeId: find(
      statements.ownersOfTreeIds,
      trees.map(({ id }) => id),
    ),
    recordOf: ({ number }) =>
      JSON.parse(statements.recordByNumber.get(number)?.record ?? "null") as UserRecord,
  };
}

export interface Found extends StoredUser {
  /** The value that was asked about. */
  readonly value: string;
}
