import type { Database } from "bun:sqlite";
import { BELONGING_TABLES, type Belonging, type Belongings, byOwner } from "../belongings.ts";

/** What belongs to each of these users. */
export function readBelongings(database: Database, numbers: readonly number[]): Belongings[] {
  const wanted = JSON.stringify(numbers);
  const rows = BELONGING_TABLES.map(({ name, columns, key }) => {
    const values = columns.map(([column, type]) =>
      type === "bytes" ? `lower(hex(${column})) AS ${column}` : column,
    );
    const select = database.query<Belonging, [string]>(`
      SELECT user_number AS owner, ${values} FROM ${name}
      WHERE user_number IN (SELECT value FROM json_each(?)) ORDER BY user_number, ${key}`);
    return [name, select.all(wanted)] as const;
  });
  return byOwner(numbers, new Map(rows));
}

/** Puts in what belongs to users who have nothing yet. Happens within a transaction of the caller's. */
export function insertBelongings(database: Database, all: readonly Belongings[]): void {
  for (const { name, columns } of BELONGING_TABLES) {
    const names = columns.map(([column]) => column);
    const values = columns.map(([column, type]) =>
      type === "bytes" ? `unhex(value ->> '${column}')` : `value ->> '${column}'`,
    );
    const rows = all.flatMap((belongings) => belongings[name]);
    const insert = database.query<unknown, [string]>(`
      INSERT INTO ${name} (user_number, ${names}) SELECT value ->> 'owner', ${values} FROM json_each(?)`);
    insert.run(JSON.stringify(rows));
  }
}
