import { NotInFormat } from "./errors.ts";

/** More rows than any person's archive has of what is read here. */
const MAX_ROWS = 10_000;

export type Row = Readonly<Record<string, string>>;

/** The rows of a table by the names of its columns, some of which it must have. */
export async function rowsOf(name: string, text: string, expected: readonly string[]): Promise<Row[]> {
  const { parse } = await import("csv-parse/sync");
  let rows: Row[];
  try {
    rows = parse(text, {
      columns(header: string[]) {
        // Nothing would be left of what another program has saved anew, with semicolons or a line before.
        if (expected.length > 0 && !header.some((column) => expected.includes(column)))
          throw new NotInFormat(
            `${name} begins with no line of LinkedIn's columns, with commas between them`,
          );
        return header;
      },
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 1,
    }) as Row[];
  } catch (cause) {
    if (cause instanceof NotInFormat) throw cause;
    throw new NotInFormat(`${name} is no table of comma-separated values: ${(cause as Error).message}`);
  }
  if (rows.length > MAX_ROWS) throw new NotInFormat(`${name} has more than ${MAX_ROWS} rows`);
  return rows;
}
