/**
 * Any number of rows for one statement: short values as one JSON text, long ones as bytes laid end to end. The
 * bytes are sent as they are, where an array of them would have to be written out in hexadecimal.
 */
export class PackedRows {
  readonly #rows: Record<string, unknown>[] = [];
  readonly #bytes: Uint8Array[] = [];
  #length = 0;

  add(
    values: Readonly<Record<string, string | number | boolean | null>>,
    long: Readonly<Record<string, Uint8Array | null>> = {},
  ): void {
    const row: Record<string, unknown> = { ...values };
    for (const [column, bytes] of Object.entries(long)) {
      if (bytes === null) continue;
      // PostgreSQL counts bytes from one.
      row[`${column}_at`] = this.#length + 1;
      row[`${column}_size`] = bytes.length;
      this.#bytes.push(bytes);
      this.#length += bytes.length;
    }
    this.#rows.push(row);
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  get parameters(): [rows: string, bytes: Uint8Array] {
    return [JSON.stringify(this.#rows), Buffer.concat(this.#bytes, this.#length)];
  }
}

/** The columns of packed rows by their types. The long ones lie among the bytes. */
export type PackedColumns = Readonly<Record<string, "text" | "bigint" | "int" | "boolean" | "long bytes">>;

/** SQL that unpacks rows, given as parameters 1 and 2: the values in the order of their columns, and their source. */
export function unpacking(columns: PackedColumns): { values: string; source: string } {
  const fields: string[] = [];
  const values: string[] = [];
  for (const [column, type] of Object.entries(columns)) {
    if (type === "long bytes") {
      fields.push(`${column}_at int, ${column}_size int`);
      values.push(`substring($2::bytea, ${column}_at, ${column}_size)`);
    } else {
      fields.push(`${column} ${type}`);
      values.push(`packed.${column}`);
    }
  }
  return {
    values: values.join(", "),
    source: `json_to_recordset($1::text::json) AS packed (${fields.join(", ")})`,
  };
}

export function insertInto(table: string, columns: PackedColumns): string {
  const { values, source } = unpacking(columns);
  return `INSERT INTO vitrine.${table} (${Object.keys(columns).join(", ")}) SELECT ${values} FROM ${source}`;
}
