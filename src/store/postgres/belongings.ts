import type { SQL } from "bun";
import { BELONGING_TABLES, type Belonging, type Belongings, byOwner } from "../belongings.ts";
import { statement } from "./statement.ts";

const READ = { text: "", number: "::float8", bytes: "" } as const;
const GIVEN = { text: "text", number: "bigint", bytes: "text" } as const;

const TABLES = BELONGING_TABLES.map(({ name, columns, key }) => {
  const names = columns.map(([column]) => column);
  const read = columns.map(([column, type]) =>
    type === "bytes" ? `encode(${column}, 'hex') AS ${column}` : column + READ[type],
  );
  const put = columns.map(([column, type]) => (type === "bytes" ? `decode(${column}, 'hex')` : column));
  const given = columns.map(([column, type]) => `${column} ${GIVEN[type]}`);
  return {
    name,
    select: statement<Belonging, [numbers: readonly number[]]>(`
      SELECT user_number::float8 AS owner, ${read} FROM vitrine.${name}
      WHERE user_number = ANY ($1::bigint[]) ORDER BY user_number, ${name}.${key}`),
    insert: statement<unknown, [rows: string]>(`
      INSERT INTO vitrine.${name} (user_number, ${names}) SELECT owner, ${put}
      FROM json_to_recordset($1::text::json) AS given (owner bigint, ${given})`),
  };
});

/** What belongs to each of these users. */
export async function readBelongings(sql: SQL, numbers: readonly number[]): Promise<Belongings[]> {
  const tables = new Map<keyof Belongings, Belonging[]>();
  for (const { name, select } of TABLES) tables.set(name, await select(sql, numbers));
  return byOwner(numbers, tables);
}

/** Puts in what belongs to users who have nothing yet. Happens within a transaction of the caller's. */
export async function insertBelongings(sql: SQL, all: readonly Belongings[]): Promise<void> {
  for (const { name, insert } of TABLES)
    await insert(sql, JSON.stringify(all.flatMap((belongings) => belongings[name])));
}
