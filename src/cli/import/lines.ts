const NEWLINE = 0x0a;

/** Whole lines of a file, and the number of the first of them. */
export interface LineChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly firstLine: number;
}

/** A file in pieces of whole lines, each of about so many bytes (or one longer line), whatever the file's size. */
export async function* chunksOfLines(file: string, size: number): AsyncGenerator<LineChunk> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let firstLine = 1;
  for await (const read of Bun.file(file).stream()) {
    const end = read.lastIndexOf(NEWLINE) + 1;
    if (end === 0 || length + end < size) {
      waiting.push(read);
      length += read.length;
      continue;
    }
    const bytes = concatenated([...waiting, read.subarray(0, end)]);
    const lines = countLines(bytes);
    // Whoever takes the bytes may hand them on to another thread: from here on they are gone.
    yield { bytes, firstLine };
    firstLine += lines;
    waiting = [read.slice(end)];
    length = read.length - end;
  }
  if (length > 0) yield { bytes: concatenated(waiting), firstLine };
}

/** With memory of its own, which can be handed to another thread: that of a Buffer may be shared. */
function concatenated(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Bun.concatArrayBuffers(parts, Number.POSITIVE_INFINITY, true) as Uint8Array<ArrayBuffer>;
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** The lines of a piece, without their ends. */
export function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    yield bytes.subarray(start, end === -1 ? bytes.length : end);
    start = end === -1 ? bytes.length : end + 1;
  }
}
