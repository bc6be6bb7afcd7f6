import { Database } from "bun:sqlite";
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

/** Ways in which documents can part from their records, each with the words the doctor has for it. */
export const TAMPERINGS = [
  {
    what: "a changed document",
    statement: "UPDATE documents SET body = links WHERE user_number = 1",
    finding: "full of person1@example.com is different",
  },
  {
    what: "a changed tag",
    statement: `UPDATE documents SET links_etag = '"other"' WHERE user_number = 1`,
    finding: "links of person1@example.com is different",
  },
  {
    what: "missing documents",
    statement: "DELETE FROM documents WHERE user_number = 1",
    finding: "full of person1@example.com is missing",
  },
  {
    what: "missing public documents",
    statement: "DELETE FROM public_documents WHERE user_number = 1",
    finding: "public/full of person1@example.com is missing",
  },
  {
    what: "a link tree elsewhere in the public documents",
    statement: "UPDATE link_trees SET public_start = 0 WHERE slug = 'empty-1'",
    finding: "linktrees/empty-1 of person1@example.com is different",
  },
  {
    what: "a missing link tree",
    statement: "DELETE FROM link_trees WHERE slug = 'empty-1'",
    finding: "linktrees/empty-1 of person1@example.com is missing",
  },
  {
    what: "a link tree too many",
    statement: "INSERT INTO link_trees VALUES ('extra', 'extra-id', 1, '\"x\"', 0, 2, NULL)",
    finding: "linktrees/extra of person1@example.com is unexpected",
  },
  {
    what: "a changed page",
    statement:
      "UPDATE pages SET html = (SELECT links FROM documents WHERE user_number = 1) WHERE slug = 'empty-1'",
    finding: "pages/empty-1 of person1@example.com is different",
  },
  {
    what: "a missing page",
    statement: "DELETE FROM pages WHERE slug = 'empty-1'",
    finding: "pages/empty-1 of person1@example.com is missing",
  },
] as const;
