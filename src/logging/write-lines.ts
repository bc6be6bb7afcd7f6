import { writeAll } from "./write-all.ts";

/** What a pipe takes in one piece (POSIX: PIPE_BUF), whoever else writes to it at the same time. */
export const MOST_BYTES = 4096;

const NEWLINE = 0x0a;

/** Writes whole lines at a time, so that those of several processes do not end up within each other. */
export function writeLines(descriptor: number, bytes: Uint8Array): void {
  for (const lines of inPieces(bytes)) writeAll(descriptor, lines);
}

/** As many lines as fit into a piece, or one that does not. */
export function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let rest = bytes; rest.length > 0; ) {
    const length = rest.length <= MOST_BYTES ? rest.length : endOfLines(rest);
    yield rest.subarray(0, length);
    rest = rest.subarray(length);
  }
}

function endOfLines(bytes: Uint8Array): number {
  const fitting = bytes.subarray(0, MOST_BYTES).lastIndexOf(NEWLINE);
  const end = fitting === -1 ? bytes.indexOf(NEWLINE) : fitting;
  return end === -1 ? bytes.length : end + 1;
}
