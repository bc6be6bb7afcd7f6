const NEWLINE = 0x0a;

/** The lines of a file as bytes, one at a time, whatever the size of the file. */
export async function* linesOf(file: string): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of Bun.file(file).stream()) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = chunk.subarray(start, end);
      yield rest.length > 0 ? Buffer.concat([rest, line]) : line;
      rest = rest.subarray(rest.length);
      start = end + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(start)]);
  }
  if (rest.length > 0) yield rest;
}
