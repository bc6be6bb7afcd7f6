import type { SQL } from "bun";
import type { PackedRows } from "./packed-rows.ts";

type Value = string | number | null | Uint8Array | readonly string[] | readonly number[];

/** A statement by its text, which Bun prepares once on every connection. Arrays are for `= ANY`. */
export function statement<Row, Parameters extends Value[] = []>(text: string) {
  return async (sql: SQL, ...parameters: Parameters): Promise<Row[]> =>
    sql.unsafe<Row[]>(
      text,
      parameters.map((value) => {
        if (Array.isArray(value)) return sql.array(value, typeof value[0] === "number" ? "BIGINT" : "TEXT");
        return typeof value === "string" ? findable(value) : value;
      }),
    );
}

/** The same, for a statement that takes packed rows. */
export function packedStatement<Row = unknown>(text: string) {
  const run = statement<Row, [string, Uint8Array]>(text);
  return (sql: SQL, rows: PackedRows): Promise<Row[]> => run(sql, ...rows.parameters);
}

/** PostgreSQL refuses a text with NUL in it, even to look for it. None is stored, and neither is the empty text. */
export function findable(text: string): string {
  return text.includes("\0") ? "" : text;
}
