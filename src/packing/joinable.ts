import { MAX_STORED_BYTES, putStored, STORED_HEADER_BYTES } from "./gzip.ts";
import type { Piece } from "./joined.ts";

/**
 * DEFLATE streams (RFC 1951) that can stand one behind the other: none of them ends the whole, each ends on a byte's
 * edge, and none refers to what stands before it. So a text is compressed once, and is a part of longer ones as well as
 * an answer by itself.
 */

/** Below this a text is shorter, or hardly longer, as it is. */
const SHORT_BYTES = 48;

/** The first bits of a stream of one block, which is the last one and has codes of its own. */
const ONE_DYNAMIC_BLOCK = 0b101;

const encoder = new TextEncoder();

export function packJoinable(text: string | Uint8Array<ArrayBuffer>): Piece {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  const stream = bytes.length < SHORT_BYTES ? undefined : compressed(bytes);
  return packedAs(stream ?? storedBlocks(bytes), bytes);
}

/** A text as it is, for one that is too short to be compressed. */
export function joinableText(text: string): Piece {
  const bytes = encoder.encode(text);
  return packedAs(storedBlocks(bytes), bytes);
}

function packedAs(stream: Uint8Array<ArrayBuffer>, text: Uint8Array): Piece {
  return { stream, length: text.length, checksum: Bun.hash.crc32(text), text };
}

/** The same as the last block of a whole. */
export function lastBlock(text: string): Piece {
  const packed = joinableText(text);
  packed.stream[0] = 1;
  return packed;
}

function storedBlocks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAX_STORED_BYTES));
  const stream = new Uint8Array(bytes.length + blocks * STORED_HEADER_BYTES);
  for (let block = 0; block < blocks; block++) {
    const text = bytes.subarray(block * MAX_STORED_BYTES, (block + 1) * MAX_STORED_BYTES);
    putStored(stream, block * (MAX_STORED_BYTES + STORED_HEADER_BYTES), text);
  }
  return stream;
}

/**
 * Nothing where the text would not get shorter. The quick library ends the whole with its last block; where that is the
 * only one and has codes of its own, its end can be found, and changed.
 */
function compressed(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const stream = Bun.deflateSync(bytes, { library: "libdeflate", level: 1 });
  if (((stream[0] as number) & 0b111) !== ONE_DYNAMIC_BLOCK) return flushed(bytes);
  const unused = unusedBits(stream);
  if (unused === undefined) return flushed(bytes);
  // An empty block follows, which is not compressed and so begins on a byte's edge. Three bits say so.
  const edge = stream.length + (unused >= 3 ? 0 : 1);
  const joinable = new Uint8Array(edge + 4);
  joinable.set(stream);
  joinable[0] = (stream[0] as number) & 0b11111110;
  joinable[edge + 2] = 0xff;
  joinable[edge + 3] = 0xff;
  return joinable;
}

/** The same by the library that can do it by itself, and takes twice as long. */
function flushed(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const { constants, deflateRawSync } = process.getBuiltinModule("node:zlib");
  const stream = deflateRawSync(bytes, { level: 6, finishFlush: constants.Z_SYNC_FLUSH });
  return stream.length < bytes.length ? new Uint8Array(stream) : undefined;
}

/**
 * How many bits of a stream's last byte stand behind its end. They are zeros, and so may be the end of the code before
 * them, which is that for the end of the block: only at the right place all of that code is found.
 */
function unusedBits(stream: Uint8Array): number | undefined {
  const { code, length } = endCode(stream);
  // A code of zeros alone could end anywhere.
  if (code === 0) return undefined;
  const last = stream[stream.length - 1] as number;
  for (let unused = 0; unused < 8 && last >>> (8 - unused) === 0; unused++) {
    const start = 8 * stream.length - unused - length;
    let found = 0;
    for (let bit = 0; bit < length; bit++) found = (found << 1) | bitAt(stream, start + bit);
    if (found === code) return unused;
  }
  return undefined;
}

function bitAt(stream: Uint8Array, position: number): number {
  return ((stream[position >>> 3] as number) >>> (position & 7)) & 1;
}

interface Code {
  readonly code: number;
  readonly length: number;
}

const END_OF_BLOCK = 256;

/** The longest codes there are: for the symbols, and for the lengths of their codes. */
const MAX_CODE_BITS = 15;
const MAX_LENGTH_CODE_BITS = 7;

/** Section 3.2.7: the order in which the lengths of the codes for lengths are given. */
const LENGTHS_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** The code that ends the first block of a stream, by the table at its beginning. */
function endCode(stream: Uint8Array): Code {
  let position = 3;
  const read = (bits: number): number => {
    let value = 0;
    for (let bit = 0; bit < bits; bit++) value |= bitAt(stream, position++) << bit;
    return value;
  };
  const symbols = read(5) + 257;
  read(5);
  const given = read(4) + 4;
  const lengthsOfLengths = new Uint8Array(LENGTHS_ORDER.length);
  for (let index = 0; index < given; index++) lengthsOfLengths[LENGTHS_ORDER[index] as number] = read(3);

  const entryOf = decodingTable(lengthsOfLengths);
  // How many codes there are of each length, and of the one sought, how many stand before it.
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  let [endLength, before] = [0, 0];
  let last = 0;
  const note = (symbol: number): void => {
    const count = counts[last] as number;
    if (symbol === END_OF_BLOCK) {
      endLength = last;
      before = count;
    }
    counts[last] = count + 1;
  };
  for (let symbol = 0; symbol < symbols; ) {
    const at = position >>> 3;
    const next = ((stream[at] as number) | ((stream[at + 1] as number) << 8)) >>> (position & 7);
    const entry = entryOf[next & (entryOf.length - 1)] as number;
    position += entry >>> 8;
    const length = entry & 0xff;
    if (length < 16) {
      last = length;
      note(symbol++);
    } else if (length === 16) {
      for (let times = 3 + read(2); times > 0; times--) note(symbol++);
    } else {
      last = 0;
      symbol += length === 17 ? 3 + read(3) : 11 + read(7);
    }
  }
  return { code: firstCode(counts, endLength) + before, length: endLength };
}

/** Section 3.2.2: codes of one length follow each other, behind those of the lengths before it. */
function firstCode(counts: Uint16Array, length: number): number {
  let code = 0;
  for (let shorter = 1; shorter < length; shorter++)
    code += (counts[shorter] as number) << (length - shorter);
  return code;
}

/** For each seven bits that can come, the symbol that they begin with, and behind it how long its code is. */
function decodingTable(lengths: Uint8Array): Uint16Array {
  const counts = new Uint16Array(MAX_LENGTH_CODE_BITS + 1);
  for (const length of lengths) counts[length] = (counts[length] as number) + 1;
  const nextCode = counts.map((_, length) => firstCode(counts, length));
  const table = new Uint16Array(1 << MAX_LENGTH_CODE_BITS);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const code = nextCode[length] as number;
    nextCode[length] = code + 1;
    // Codes come with their first bit first, all else with its last.
    let reversed = 0;
    for (let bit = 0; bit < length; bit++) reversed |= ((code >>> bit) & 1) << (length - 1 - bit);
    for (let bits = reversed; bits < table.length; bits += 1 << length) table[bits] = (length << 8) | symbol;
  }
  return table;
}
