import { countLines } from "../../logging/pieces.ts";
import type { Bytes } from "../bytes.ts";
import { parseJson } from "./json.ts";
import { placeOfLine } from "./place.ts";
import { MAX_TEXT_BYTES, TextTooLong, textOf } from "./text.ts";
import type { PlacedValue } from "./value.ts";

const NEWLINE = 0x0a;

/** Whole lines of a file: where they lie in it, and the number of the first. */
export interface Lines {
  readonly start: number;
  readonly end: number;
  readonly first: number;
}

/** A file in pieces of whole lines, each of about this many bytes or one longer line. */
export async function* piecesOfLines(
  file: Bytes,
  size: number,
): AsyncGenerator<{ lines: Lines; bytes: Uint8Array<ArrayBuffer> }> {
  let first = 1;
  let room = size;
  for (let start = 0; start < file.size; ) {
    const read = await file.slice(start, start + room);
    const isLast = read.length < room;
    const bytes = isLast ? read : read.subarray(0, read.lastIndexOf(NEWLINE) + 1);
    if (bytes.length === 0 && !isLast) {
      if (room >= MAX_TEXT_BYTES) throw new TextTooLong(first);
      room = Math.min(4 * room, MAX_TEXT_BYTES);
      continue;
    }
    const lines = { start, end: start + bytes.length, first };
    // Counted now: the bytes may be handed to another thread, and are gone then.
    first += countLines(bytes);
    if (bytes.length > 0) yield { lines, bytes };
    if (isLast) return;
    start = lines.end;
    room = size;
  }
}

/** The lines of a piece, without their ends. */
export function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    yield bytes.subarray(start, end === -1 ? bytes.length : end);
    start = end === -1 ? bytes.length : end + 1;
  }
}

/** The values of whole lines. Blank lines have none. */
export function* valuesOfLines(name: string, first: number, bytes: Uint8Array): Generator<PlacedValue> {
  let number = first - 1;
  for (const line of linesOf(bytes)) {
    number++;
    const place = placeOfLine(name, number);
    const decoded = textOf(line);
    if ("fault" in decoded)
      yield {
        place,
        ...decoded,
        ...(decoded.position && { position: { ...decoded.position, line: number } }),
      };
    else if (decoded.text.trim() !== "") yield { place, ...parseJson(decoded.text, number) };
  }
}
