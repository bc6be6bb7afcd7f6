/*
 * A place of a record in a source, such as `people.ndjson: line 3`. It is a text, since threads hand it over and the
 * table of claims keeps it.
 */

export function placeOfLine(name: string, line: number): string {
  return `${name}: line ${line}`;
}

export function placeOfRecord(name: string, index: number): string {
  return `${name}: record ${index + 1}`;
}

/** The line of a place, or the index of its record in the file; nothing where the file is one record. */
export function ordinalOf(place: string): { readonly line: number } | { readonly index: number } | undefined {
  const [, kind, number] = /: (line|record) (\d+)$/.exec(place) ?? [];
  if (kind === undefined) return undefined;
  return kind === "line" ? { line: Number(number) } : { index: Number(number) - 1 };
}
