/** A place in a text, as people count: from one. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** The line itself. */
  readonly text: string;
}

export function positionAt(text: string, offset: number): Position {
  return new TextLines(text).positionAt(offset);
}

/** The lines of a text. Where they start is kept, since many places of one text may have to be told. */
export class TextLines {
  readonly #text: string;
  readonly #starts = [0];

  constructor(text: string) {
    this.#text = text;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1))
      this.#starts.push(end + 1);
  }

  positionAt(offset: number): Position {
    const line = this.#lineOf(offset);
    const start = this.#starts[line] ?? 0;
    const next = this.#starts[line + 1];
    const end = next === undefined ? this.#text.length : next - 1;
    const isWindows = this.#text[end - 1] === "\r" && end > start;
    return {
      line: line + 1,
      column: offset - start + 1,
      text: this.#text.slice(start, isWindows ? end - 1 : end),
    };
  }

  /** The last line that starts at the offset or before it, from zero. */
  #lineOf(offset: number): number {
    let line = 0;
    let behind = this.#starts.length;
    while (behind - line > 1) {
      const middle = (line + behind) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) line = middle;
      else behind = middle;
    }
    return line;
  }
}

/** Where a value of a text stands: its name, where it has one, and itself. Both are offsets. */
export interface Span {
  readonly name: number;
  readonly value: number;
}

/** A text that is parsed, in which values are found by their paths. */
export interface Places {
  /** Where the value at the end of a path stands, or the deepest of its holders that is there. */
  locate(path: readonly (string | number)[]): Span;
}
