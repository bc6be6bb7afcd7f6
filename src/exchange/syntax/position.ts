/** A place in a text, as people count: from one. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** The line itself. */
  readonly text: string;
}

export function positionAt(source: string, offset: number): Position {
  const start = source.lastIndexOf("\n", offset - 1) + 1;
  const end = source.indexOf("\n", start);
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < start; at = source.indexOf("\n", at + 1)) line++;
  const text = source.slice(start, end === -1 ? source.length : end).replace(/\r$/, "");
  return { line, column: offset - start + 1, text };
}

/** Where a value of a text stands: its name, where it has one, and itself. Both are offsets. */
export interface Span {
  readonly name: number;
  readonly value: number;
}
