import { Database } from "bun:sqlite";
import { SQL } from "bun";
import type { Program } from "./program.ts";

/** Changes a database behind Vitrine's back, as a faulty disk or a bold operator might. */
export function tamper(file: string, ...statements: readonly string[]): void {
  using database = new Database(file);
  for (const statement of statements) database.run(statement);
}

/** The same, whatever the engine of a program's database. */
export async function tamperWith({ database }: Program, ...statements: readonly string[]): Promise<void> {
  if (database.engine === "sqlite") tamper(database.file, ...statements);
  else {
    await using sql = new SQL({ url: database.url, max: 1, connection: { search_path: "vitrine" } });
    for (const statement of statements) await sql.unsafe(statement);
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
    what: "a missing link tree",
    statement: "DELETE FROM link_trees WHERE slug = 'empty-1'",
    finding: "linktrees/empty-1 of person1@example.com is missing",
  },
  {
    what: "a link tree too many",
    statement: "INSERT INTO link_trees VALUES ('extra', 'extra-id', 1, '\"x\"', 0, 2)",
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
