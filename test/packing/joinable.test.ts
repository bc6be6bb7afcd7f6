import { describe, expect, test } from "bun:test";
import { crc32, gunzipSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { GZIP_HEADER, gzipOf, gzipTrailer } from "../../src/packing/gzip.ts";
import { lastBlock, packJoinable } from "../../src/packing/joinable.ts";
import { JoinedStreams } from "../../src/packing/joined.ts";
import { anyCharacter } from "../support/arbitraries.ts";

/** The most bytes that a block which is not compressed can hold. */
const BLOCK_BYTES = 65_535;

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text.toWellFormed());
}

/** Bytes that no compression makes shorter, the same for the same seed. */
function noise(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let state = seed | 1;
  for (let index = 0; index < length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state;
  }
  return bytes;
}

/** Empty, short, long, random and very repetitive ones, and such as the documents are made of. */
const anyBytes: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc.oneof(
  fc.constant(new Uint8Array()),
  fc.string({ unit: anyCharacter, maxLength: 400 }).map(bytesOf),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 20_000 }))
    .map(([text, times]) => bytesOf(text.repeat(times))),
  fc.json({ maxDepth: 4 }).map(bytesOf),
  fc
    .tuple(fc.integer({ min: 0, max: 3 * BLOCK_BYTES }), fc.integer())
    .map(([length, seed]) => noise(length, seed)),
  fc
    .tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer())
    .map(([length, seed]) => noise(length, seed).map((byte) => 97 + (byte % 5))),
);

/** Streams one behind the other, as one that any reader of gzip takes. */
function gzipOfAll(pieces: readonly ReturnType<typeof packJoinable>[]): Uint8Array {
  const joined = new JoinedStreams();
  joined.add(GZIP_HEADER);
  for (const piece of pieces) joined.add(piece);
  joined.add(lastBlock(""));
  return joined.bytes(joined.size, gzipTrailer(joined));
}

describe("a joinable stream", () => {
  test("is its text by itself, with the right length and checksum", () => {
    fc.assert(
      fc.property(anyBytes, (text) => {
        const packed = packJoinable(text);
        expect(packed.length).toBe(text.length);
        expect(packed.checksum).toBe(crc32(text));
        // Both check the checksum and the length at the end.
        expect(Buffer.compare(gunzipSync(gzipOf(packed)), text)).toBe(0);
        expect(Buffer.compare(Bun.gunzipSync(gzipOf(packed), { library: "libdeflate" }), text)).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  test("of a text is that of its bytes in UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        expect(packJoinable(text.toWellFormed())).toEqual(packJoinable(bytesOf(text)));
      }),
    );
  });

  test.each([0, 1, 47, 48, 49, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 2 * BLOCK_BYTES, 300_000])(
    "holds %i bytes, whether they can be compressed or not",
    (length) => {
      for (const text of [new Uint8Array(length), noise(length, length), new Uint8Array(length).fill(97)])
        expect(Buffer.compare(gunzipSync(gzipOf(packJoinable(text))), text)).toBe(0);
    },
  );

  test("is never much longer than its text, and much shorter where that says the same again and again", () => {
    const blocks = (length: number) => Math.max(1, Math.ceil(length / BLOCK_BYTES));
    fc.assert(
      fc.property(anyBytes, (text) => {
        expect(packJoinable(text).stream.length).toBeLessThanOrEqual(
          text.length + 5 * blocks(text.length) + 5,
        );
      }),
    );
    expect(packJoinable("again ".repeat(10_000)).stream.length).toBeLessThan(1000);
  });
});

describe("joined streams", () => {
  test("are their texts one behind the other, with the right length and checksum", () => {
    fc.assert(
      fc.property(fc.array(anyBytes, { maxLength: 8 }), (texts) => {
        const whole = Buffer.concat(texts);
        const joined = new JoinedStreams();
        const pieces = texts.map((text) => packJoinable(text));
        for (const piece of pieces) joined.add(piece);
        expect(joined.length).toBe(whole.length);
        expect(joined.checksum).toBe(crc32(whole));
        const stream = gzipOfAll(pieces);
        expect(Buffer.compare(gunzipSync(stream), whole)).toBe(0);
        expect(
          Buffer.compare(Bun.gunzipSync(stream as Uint8Array<ArrayBuffer>, { library: "libdeflate" }), whole),
        ).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  test("say where each begins, and can be cut there", () => {
    fc.assert(
      fc.property(fc.array(anyBytes, { minLength: 1, maxLength: 6 }), (texts) => {
        const joined = new JoinedStreams();
        const pieces = texts.map((text) => packJoinable(text));
        const starts = pieces.map((piece) => joined.add(piece));
        const bytes = joined.bytes(joined.size, new Uint8Array());
        for (const [index, { length, checksum }] of pieces.entries()) {
          const stream = bytes.slice(starts[index], starts[index + 1]);
          const text = gunzipSync(gzipOf({ stream, length, checksum }));
          expect(Buffer.compare(text, texts[index] ?? new Uint8Array())).toBe(0);
        }
      }),
    );
  });

  test("end where a text stands that is marked as the last", () => {
    const joined = new JoinedStreams();
    joined.add(packJoinable("before "));
    joined.add(lastBlock("the end"));
    joined.add(packJoinable(" and behind it"));
    const bytes = joined.bytes(joined.size, new Uint8Array());
    expect(inflateRawSync(bytes).toString()).toBe("before the end");
  });

  test("give as many of their first bytes as are asked for, and others behind them", () => {
    const [one, other] = [packJoinable("one"), packJoinable("other")];
    const joined = new JoinedStreams();
    joined.add(one);
    joined.add(other);
    const end = new Uint8Array([1, 2, 3]);
    expect(joined.bytes(one.stream.length, end)).toEqual(new Uint8Array([...one.stream, ...end]));
    expect(joined.bytes(0, end)).toEqual(end);
  });
});

describe("the shared end of two", () => {
  const [a, b, c] = ["a", "bb", "ccc"].map((text) => packJoinable(text)) as [
    ReturnType<typeof packJoinable>,
    ReturnType<typeof packJoinable>,
    ReturnType<typeof packJoinable>,
  ];
  const joinedOf = (...pieces: readonly ReturnType<typeof packJoinable>[]) => {
    const joined = new JoinedStreams();
    for (const piece of pieces) joined.add(piece);
    return joined;
  };
  const sizeOf = (...pieces: readonly ReturnType<typeof packJoinable>[]) => joinedOf(...pieces).size;

  test.each([
    ["is nothing where the last streams are others", [a, b], [a, c], 0],
    ["is the last streams that are the same", [a, b, c], [c, b, c], sizeOf(b, c)],
    ["ends at the first that is another, from the back", [b, a, c], [b, b, c], sizeOf(c)],
    ["is all of the one that the other only begins before", [b, c], [a, b, c], sizeOf(b, c)],
    ["is everything where both are the same", [a, b, c], [a, b, c], sizeOf(a, b, c)],
    ["is nothing where one of them is empty", [], [a], 0],
    ["is nothing where streams are equal, but not the very same", [packJoinable("a")], [a], 0],
  ])("%s", (_, one, other, size) => {
    expect(joinedOf(...one).sharedEnd(joinedOf(...other))).toBe(size);
    expect(joinedOf(...other).sharedEnd(joinedOf(...one))).toBe(size);
  });
});
