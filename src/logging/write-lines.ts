import { writeAll } from "./write-all.ts";

/** What a pipe takes in one piece (POSIX: PIPE_BUF), whoever else writes to it at the same time. */
const MOST_BYTES = 4096;

const NEWLINE = 0x0a;

/** Writes whole lines at a time, so that those of several processes do not end up within each other. */
export function writeLines(descriptor: number, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) {
    const length = lengthOfLines(rest);
    writeAll(descriptor, rest.subarray(0, length));
    rest = rest.subarray(length);
  }
}

/** As many lines as fit, or one that does not. */
function lengthOfLines(bytes: Uint8Array): number {
  if (bytes.length <= MOST_BYTES) return bytes.length;
  const last = bytes.subarray(0, MOST_BYTES).lastIndexOf(NEWLINE);
  const end = last === -1 ? bytes.indexOf(NEWLINE, MOST_BYTES) : last;
  return end === -1 ? bytes.length : end + 1;
}
