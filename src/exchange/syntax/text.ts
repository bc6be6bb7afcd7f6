import { type Position, positionAt } from "./position.ts";
import type { Fault } from "./value.ts";

/** The longest text that is read as one: a line of NDJSON, or a file of JSON or YAML. */
export const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** Thrown where a text is longer than that. */
export class TextTooLong extends Error {
  override readonly name = "TextTooLong";
  /** The line that is too long, or nothing where it is the file. */
  readonly line: number | undefined;

  constructor(line?: number) {
    super(`a text has more than ${MAX_TEXT_BYTES} bytes`);
    this.line = line;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The end of a line that old Macs wrote. YAML knows it, but its parser does not. */
const LONE_RETURN = /\r(?!\n)/g;

/** The text that bytes are, without a byte order mark. All syntaxes are UTF-8. */
export function textOf(bytes: Uint8Array): { readonly text: string } | Fault {
  let text: string;
  try {
    text = decoder.decode(bytes).replaceAll(LONE_RETURN, "\n");
  } catch {
    if (isGzip(bytes)) return { fault: "is compressed", advice: "unpack it first, with gunzip" };
    return notUtf8(positionOfBroken(bytes));
  }
  // No text has this character, but for UTF-16 that is read as UTF-8.
  const nul = text.indexOf("\0");
  return nul === -1 ? { text } : notUtf8(positionAt(text, nul));
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function notUtf8(position: Position): Fault {
  return { fault: "is not UTF-8 text", advice: "save it as UTF-8", position };
}

const REPLACEMENT = "\uFFFD";

/** Where bytes stop being UTF-8: the first replacement character that does not stand there itself. */
function positionOfBroken(bytes: Uint8Array): Position {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  for (let from = 0, at = 0; ; from = offset + 1) {
    offset = text.indexOf(REPLACEMENT, from);
    at += Buffer.byteLength(text.slice(from, offset));
    if (!Buffer.from(REPLACEMENT).equals(bytes.subarray(at, at + 3))) return positionAt(text, offset);
    at += 3;
  }
}
