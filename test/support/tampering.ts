import { Database } from "bun:sqlite";
import { RENDITION_VERSION } from "../../src/documents/version.ts";
import { engineAt } from "../../src/store/engines.ts";
import { openWritable } from "../../src/store/postgres/connection.ts";
import type { Program } from "./program.ts";

/** Changes a database behind Vitrine's back, as a faulty disk or a bold operator might. */
export function tamper(file: string, ...statements: readonly string[]): void {
  using database = new Database(file);
  // A server that runs on the file writes now and then.
  database.run("PRAGMA busy_timeout = 10000");
  for (const statement of statements) database.run(statement);
}

/** The same, whatever the engine of a program's database. */
export async function tamperWith(
  { database }: Pick<Program, "database">,
  ...statements: readonly string[]
): Promise<void> {
  if (database.engine === "sqlite") tamper(database.file, ...statements);
  else {
    const sql = await openWritable(database);
    // A connection of PgBouncer's is somebody else's after each transaction.
    await sql.begin(async (inside) => {
      await inside.unsafe("SET LOCAL search_path TO vitrine");
      for (const statement of statements) await inside.unsafe(statement);
    });
    await sql.close();
  }
}

/** Leaves the rows of a user in one table to somebody who is not there, which no engine would do by itself. */
export async function orphanRows(
  program: Pick<Program, "database">,
  table: string,
  number: number,
): Promise<void> {
  const unguarded =
    program.database.engine === "sqlite"
      ? "PRAGMA foreign_keys = OFF"
      : "SET LOCAL session_replication_role = replica";
  const statement = `UPDATE ${table} SET user_number = 99 WHERE user_number = ${number}`;
  await tamperWith(program, unguarded, statement);
}

/** The record of a user as a text of anybody's making, in place of the one that is stored. */
export function recordStatement(number: number, text: string): string {
  return `UPDATE users SET record = '${text.replaceAll("'", "''")}', packed_record = NULL WHERE number = ${number}`;
}

/** Changes the text of a stored record, and nothing that was made of it. */
export async function tamperWithRecord(
  program: Pick<Program, "database">,
  number: number,
  change: (text: string) => string,
): Promise<void> {
  const source = await (await engineAt(program.database)).openSource();
  const users = await source.asOfOneMoment((contents) => contents.usersAfter(undefined));
  await source.close();
  const text = users.find((user) => user.number === number)?.record;
  if (text === undefined || change(text) === text) throw new Error(`nothing changes for user ${number}`);
  await tamperWith(program, recordStatement(number, change(text)));
}

/** Cuts off a stored record within its compressed bytes. */
export const CUT_OFF_RECORD =
  "UPDATE users SET packed_record = substr(packed_record, 1, 200) WHERE number = 1";

/** The row of a page that somebody has asked for, with the addresses of the owner in place of a page. */
function pageRow(treeId: string): string {
  return `
    INSERT INTO renditions (user_number, kind, tree_id, version, etag, picture_origin, opening, scene, body)
    SELECT user_number, 'page', ${treeId}, ${RENDITION_VERSION}, '"x"', '', '', '', links
    FROM trees JOIN answers USING (user_number) WHERE slug = 'empty-1'`;
}

/** Ways in which documents can part from their records, each with the words the doctor has for it. */
export const TAMPERINGS = [
  {
    what: "a changed document",
    statement: "UPDATE answers SET body = links WHERE user_number = 1",
    finding: "full of person1@example.com is different",
  },
  {
    what: "a changed tag",
    statement: `UPDATE answers SET links_etag = '"other"' WHERE user_number = 1`,
    finding: "links of person1@example.com is different",
  },
  {
    what: "missing documents",
    statement: "DELETE FROM answers WHERE user_number = 1",
    finding: "full of person1@example.com is missing",
  },
  {
    what: "missing public documents",
    statement: "DELETE FROM public_answers WHERE user_number = 1",
    finding: "public/full of person1@example.com is missing",
  },
  {
    what: "a link tree elsewhere in the public documents",
    statement: "UPDATE trees SET public_start = 0 WHERE slug = 'empty-1'",
    finding: "linktrees/empty-1 of person1@example.com is different",
  },
  {
    what: "a missing link tree",
    statement: "DELETE FROM trees WHERE slug = 'empty-1'",
    finding: "linktrees/empty-1 of person1@example.com is missing",
  },
  {
    what: "a link tree too many",
    statement: `
      INSERT INTO trees (slug, id, user_number, etag, start, size, length, checksum)
      VALUES ('extra', 'extra-id', 1, '"x"', 0, 2, 2, 0)`,
    finding: "linktrees/extra of person1@example.com is unexpected",
  },
  {
    what: "a changed page",
    statement: pageRow("id"),
    finding: "pages/empty-1 of person1@example.com is different",
  },
  {
    what: "a page too many",
    statement: pageRow("'extra-id'"),
    finding: "pages/extra-id of person1@example.com is unexpected",
  },
] as const;
