import { NotInFormat } from "./errors.ts";

/** More rows than any person's archive has of what is read here. */
const MAX_ROWS = 10_000;

export type Row = Readonly<Record<string, string>>;

/** The rows of a table by the names of its columns. */
export async function rowsOf(name: string, text: string): Promise<Row[]> {
  const { parse } = await import("csv-parse/sync");
  let rows: Row[];
  try {
    rows = parse(text, {
      columns: true,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 1,
    }) as Row[];
  } catch (cause) {
    throw new NotInFormat(`${name} is no table of comma-separated values: ${(cause as Error).message}`);
  }
  if (rows.length > MAX_ROWS) throw new NotInFormat(`${name} has more than ${MAX_ROWS} rows`);
  return rows;
}
