import type { SQL } from "bun";
import { LEFTOVERS } from "../leftovers.ts";
import { MIGRATIONS, schemaVersionOf } from "./migrations.ts";
import { statement } from "./statement.ts";

const tables = statement<{ name: string; hasKey: boolean }>(`
  SELECT relname AS name,
    EXISTS (SELECT FROM pg_constraint WHERE conrelid = pg_class.oid AND contype = 'p') AS "hasKey"
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'vitrine'`);

/** The tables that a version has and the columns of each, by the statements that make them. */
function* tablesOf(version: number): Generator<{ name: string; columns: string }> {
  const creation = /CREATE TABLE vitrine\.(?<name>\w+) \((?<columns>[^;]*)\);/g;
  for (const { groups } of MIGRATIONS.slice(0, version).join("\n").matchAll(creation))
    yield groups as { name: string; columns: string };
}

/** Tables and primary keys that should be there and are not, in words. Leftovers may be gone. */
export async function missingParts(sql: SQL): Promise<string[]> {
  const { found } = await schemaVersionOf(sql);
  const there = new Map((await tables(sql)).map(({ name, hasKey }) => [name, hasKey]));
  const missing: string[] = [];
  for (const { name, columns } of tablesOf(found)) {
    if ((LEFTOVERS as readonly string[]).includes(name)) continue;
    if (!there.has(name)) missing.push(`the table ${name} is missing`);
    else if (!there.get(name) && columns.includes("PRIMARY KEY"))
      missing.push(`the table ${name} has no primary key`);
  }
  return missing;
}
