/**
 * A text as it is stored where compressing it pays: a mark with which no text of ours begins, the checksum and the
 * length of the text, and the text as a DEFLATE stream (RFC 1951), which can become the end of a gzip stream as it is.
 */
const MARK = 0;
const CHECKSUM_AT = 1;
const LENGTH_AT = 5;
const STREAM_AT = 9;

/** Once and for all who will ask: thoroughly rather than quickly. */
const LEVEL = 6;

const encoder = new TextEncoder();

export function pack(text: string): Uint8Array<ArrayBuffer> {
  const bytes = encoder.encode(text);
  const stream = Bun.deflateSync(bytes, { library: "libdeflate", level: LEVEL });
  const packed = new Uint8Array(STREAM_AT + stream.length);
  const view = new DataView(packed.buffer);
  packed[0] = MARK;
  view.setUint32(CHECKSUM_AT, Bun.hash.crc32(bytes), true);
  view.setUint32(LENGTH_AT, bytes.length, true);
  packed.set(stream, STREAM_AT);
  return packed;
}

/** A compressed text. */
export interface Packed {
  readonly checksum: number;
  /** Of the text, in bytes. */
  readonly length: number;
  readonly stream: Uint8Array<ArrayBuffer>;
}

/** Nothing where the bytes are a text as it is. */
export function packedIn(bytes: Uint8Array): Packed | undefined {
  if (bytes[0] !== MARK || bytes.length < STREAM_AT) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    checksum: view.getUint32(CHECKSUM_AT, true),
    length: view.getUint32(LENGTH_AT, true),
    stream: bytes.subarray(STREAM_AT) as Uint8Array<ArrayBuffer>,
  };
}

/** The text itself, as bytes, packed or not. */
export function unpacked(bytes: Uint8Array): Uint8Array {
  const packed = packedIn(bytes);
  return packed ? Bun.inflateSync(packed.stream) : bytes;
}
