/** What a pipe takes in one piece (POSIX: PIPE_BUF), also while others write to it. */
export const MAX_PIECE_BYTES = 4096;

export const NEWLINE = 0x0a;

/**
 * As many lines at a time as fit into a piece, or one that does not: so the lines of several processes do not end up
 * within each other.
 */
export function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let rest = bytes; rest.length > 0; ) {
    const length = rest.length <= MAX_PIECE_BYTES ? rest.length : endOfLines(rest);
    yield rest.subarray(0, length);
    rest = rest.subarray(length);
  }
}

function endOfLines(bytes: Uint8Array): number {
  const fitting = bytes.subarray(0, MAX_PIECE_BYTES).lastIndexOf(NEWLINE);
  const end = fitting === -1 ? bytes.indexOf(NEWLINE) : fitting;
  return end === -1 ? bytes.length : end + 1;
}

export function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
