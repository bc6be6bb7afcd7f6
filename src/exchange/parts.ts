import type { Source } from "./source.ts";
import { type Format, formatOf } from "./syntax/format.ts";
import { type Lines, piecesOfLines, valuesOfLines } from "./syntax/ndjson.ts";
import type { PlacedValue } from "./syntax/value.ts";
import { valuesOfWhole } from "./syntax/whole.ts";

/** Sources are read and checked in parts of about this many bytes. */
const PART_BYTES = 256 * 1024;

/** A piece of a source that can be read again by itself: lines of NDJSON, or some values of a file that is one. */
export type Part = { readonly source: Source; readonly bytes: number } & (
  | { readonly lines: Lines }
  | { readonly format: Exclude<Format, "ndjson">; readonly first: number; readonly count: number }
);

/** What a part holds, as one thread can hand it to another. */
export type Content =
  | { readonly name: string; readonly firstLine: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly values: readonly PlacedValue[] };

export function valuesOf(content: Content): Iterable<PlacedValue> {
  return "values" in content ? content.values : valuesOfLines(content.name, content.firstLine, content.bytes);
}

export async function* partsOf(source: Source): AsyncGenerator<{ part: Part; content: Content }> {
  const { name, content: file } = source;
  const format = await formatOf(name, file);
  if (format === "ndjson") {
    for await (const { lines, bytes } of piecesOfLines(file, PART_BYTES)) {
      const part = { source, lines, bytes: bytes.length };
      yield { part, content: { name, firstLine: lines.first, bytes } };
    }
    return;
  }
  const values = await valuesOfWhole(name, file, format);
  const count = Math.max(1, Math.floor((PART_BYTES * values.length) / Math.max(1, file.size)));
  for (let first = 0; first < values.length; first += count) {
    const some = values.slice(first, first + count);
    const bytes = Math.ceil((file.size * some.length) / values.length);
    yield { part: { source, format, first, count, bytes }, content: { values: some } };
  }
}

/** Reads parts again. A file that has to be read as a whole is kept for its next part. */
export class Rereader {
  #whole: { readonly source: Source; readonly values: readonly PlacedValue[] } | undefined;

  async valuesOf(part: Part): Promise<Iterable<PlacedValue>> {
    const { name, content: file } = part.source;
    if ("lines" in part) {
      const { start, end, first } = part.lines;
      return valuesOfLines(name, first, await file.slice(start, end));
    }
    if (this.#whole?.source !== part.source)
      this.#whole = { source: part.source, values: await valuesOfWhole(name, file, part.format) };
    return this.#whole.values.slice(part.first, part.first + part.count);
  }
}
