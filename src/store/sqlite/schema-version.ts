import { existsSync } from "node:fs";
import { openReadOnly } from "./connection.ts";
import { schemaVersionOf } from "./migrations.ts";

/** The version of a database as it is, without bringing it up to date. 0 where there is none. */
export function schemaVersionAt(file: string): number {
  if (!existsSync(file)) return 0;
  using database = openReadOnly(file);
  return schemaVersionOf(database);
}
