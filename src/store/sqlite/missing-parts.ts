import { Database } from "bun:sqlite";
import { LEFTOVERS } from "../leftovers.ts";
import { MIGRATIONS, schemaVersionOf } from "./migrations.ts";

interface Part {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
}

/** Those that statements have made. SQLite makes some by itself, which go with their table. */
function partsOf(database: Database): Part[] {
  return database
    .query<Part, []>("SELECT type, name, tbl_name FROM sqlite_schema WHERE sql IS NOT NULL")
    .all();
}

/** Tables and indexes that should be there and are not, in words. Leftovers may be gone. */
export function missingParts(database: Database): string[] {
  using whole = new Database(":memory:");
  for (const migration of MIGRATIONS.slice(0, schemaVersionOf(database).found)) whole.run(migration);
  const there = new Set(partsOf(database).map(({ name }) => name));
  return partsOf(whole)
    .filter(({ name, tbl_name }) => !there.has(name) && !(LEFTOVERS as readonly string[]).includes(tbl_name))
    .map(({ type, name }) => `the ${type} ${name} is missing`);
}
