import { joinedCrc32 } from "./crc32.ts";
import type { Piece } from "./joined.ts";
import type { Packed } from "./packed.ts";

/** RFC 1952, section 2.3: gzip, DEFLATE, no flags, no time, an unknown system. */
const HEADER = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** RFC 1951, section 3.2.4: a block that is not compressed has these bytes before its own, and at most 65,535. */
export const STORED_HEADER_BYTES = 5;
export const MAX_STORED_BYTES = 0xffff;

/** Section 2.3.1: the checksum and the length of the text. */
export const TRAILER_BYTES = 8;
const LAST_BLOCK = 1;

/** What ends a stream whose last block is not marked as such. */
const EMPTY_LAST_BLOCK = new Uint8Array([LAST_BLOCK, 0, 0, 0xff, 0xff]);

/** A joinable stream as a gzip stream of its own. */
export function gzipOf({ stream, length, checksum }: Packed): Uint8Array<ArrayBuffer> {
  const endAt = HEADER.length + stream.length;
  const bytes = new Uint8Array(endAt + EMPTY_LAST_BLOCK.length + TRAILER_BYTES);
  bytes.set(HEADER);
  bytes.set(stream, HEADER.length);
  bytes.set(EMPTY_LAST_BLOCK, endAt);
  putTrailer(bytes, endAt + EMPTY_LAST_BLOCK.length, checksum, length);
  return bytes;
}

/** What a gzip stream begins with, where joinable streams follow. */
export const GZIP_HEADER: Piece = { stream: HEADER, length: 0, checksum: 0, text: new Uint8Array() };

/** The end of a gzip stream, behind streams of which the last one is marked as such. */
export function gzipTrailer({
  length,
  checksum,
}: Pick<Packed, "length" | "checksum">): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(TRAILER_BYTES);
  putTrailer(bytes, 0, checksum, length);
  return bytes;
}

/** Whether bytes are a gzip stream. No text of ours begins like one. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === HEADER[0] && bytes[1] === HEADER[1];
}

/** How long the text of a gzip stream is. */
export function gzipLength(bytes: Uint8Array): number {
  const at = bytes.length - 4;
  return (
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  );
}

/** This library makes room for the whole text at once, by the length that the stream tells. */
export function gunzip(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Bun.gunzipSync(bytes as Uint8Array<ArrayBuffer>, { library: "libdeflate" });
}

/**
 * Gzip streams of texts that have a long part in common, compressed once: before it come a few bytes as they are,
 * behind it a few more, and at last a packed text as it was stored, or a short one as it is. So nothing is compressed
 * when something is sent.
 */
export class GzipStart {
  readonly #text: Uint8Array;
  /** Ends on a byte's edge, as DEFLATE allows between two blocks. */
  readonly #stream: Uint8Array;
  readonly #checksum: number;

  constructor(text: Uint8Array) {
    // Imported above, it would be loaded by every command, served pages or not.
    const { constants, deflateRawSync } = process.getBuiltinModule("node:zlib");
    this.#text = text;
    this.#stream = deflateRawSync(text, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
    this.#checksum = Bun.hash.crc32(text);
  }

  with(opening: Uint8Array, middle: Uint8Array, end: Packed | Uint8Array): Uint8Array<ArrayBuffer> {
    const isStored = end instanceof Uint8Array;
    const endBytes = isStored ? STORED_HEADER_BYTES + end.length : end.stream.length;
    const startAt = HEADER.length + STORED_HEADER_BYTES + opening.length;
    const middleAt = startAt + this.#stream.length;
    const endAt = middleAt + STORED_HEADER_BYTES + middle.length;
    const trailerAt = endAt + endBytes;
    const bytes = new Uint8Array(trailerAt + TRAILER_BYTES);
    bytes.set(HEADER);
    putStored(bytes, HEADER.length, opening);
    bytes.set(this.#stream, startAt);
    putStored(bytes, middleAt, middle);
    if (isStored) {
      putStored(bytes, endAt, end);
      bytes[endAt] = LAST_BLOCK;
    } else bytes.set(end.stream, endAt);

    const beforeMiddle = joinedCrc32(Bun.hash.crc32(opening), this.#checksum, this.#text.length);
    // The checksum goes on from the one before it.
    const beforeEnd = Bun.hash.crc32(middle, beforeMiddle);
    const checksum = isStored
      ? Bun.hash.crc32(end, beforeEnd)
      : joinedCrc32(beforeEnd, end.checksum, end.length);
    const length = opening.length + this.#text.length + middle.length + end.length;
    putTrailer(bytes, trailerAt, checksum, length);
    return bytes;
  }
}

/** Writes a block that is not compressed. Its first byte stays 0: not the last block, and stored. */
export function putStored(bytes: Uint8Array, at: number, text: Uint8Array): void {
  if (text.length > MAX_STORED_BYTES) throw new RangeError(`${text.length} bytes do not fit a block`);
  putNumber(bytes, at + 1, text.length, 2);
  putNumber(bytes, at + 3, ~text.length, 2);
  bytes.set(text, at + STORED_HEADER_BYTES);
}

function putTrailer(bytes: Uint8Array, at: number, checksum: number, length: number): void {
  putNumber(bytes, at, checksum, 4);
  putNumber(bytes, at + 4, length, 4);
}

/** The low byte first, as both formats have it. A DataView over bytes that are new each time costs more than all else. */
function putNumber(bytes: Uint8Array, at: number, value: number, count: 2 | 4): void {
  for (let byte = 0; byte < count; byte++) bytes[at + byte] = value >>> (8 * byte);
}
