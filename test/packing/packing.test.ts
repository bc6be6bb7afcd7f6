import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { joinedCrc32 } from "../../src/packing/crc32.ts";
import { GzipStart } from "../../src/packing/gzip.ts";
import { pack, packedIn, unpacked } from "../../src/packing/packed.ts";
import { anyCharacter } from "../support/arbitraries.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Texts of all lengths, those with much to compress included. */
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 5000 }))
    .map(([text, times]) => text.repeat(times)),
);

describe("a packed text", () => {
  test("unpacks to what it was, whatever that is", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const wellFormed = text.toWellFormed();
        expect(decoder.decode(unpacked(pack(wellFormed)))).toBe(wellFormed);
      }),
    );
  });

  test("is told from one that is not", () => {
    const plain = encoder.encode("<title>A page</title>");
    expect(packedIn(plain)).toBeUndefined();
    expect(unpacked(plain)).toBe(plain);
    expect(packedIn(new Uint8Array())).toBeUndefined();
  });
});

describe("a gzip stream", () => {
  test("around a start holds all that comes before and behind it, packed or not, for any reader of gzip", () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (opening, start, middle, end) => {
        const few = (text: string) => encoder.encode(text).slice(0, 65_535);
        const last = encoder.encode(end.toWellFormed());
        const packed = packedIn(pack(end.toWellFormed()));
        if (!packed) throw new Error("it is not packed");
        for (const form of last.length > 65_535 ? [packed] : [packed, last]) {
          const stream = new GzipStart(encoder.encode(start)).with(few(opening), few(middle), form);
          const expected = Buffer.concat([few(opening), encoder.encode(start), few(middle), last]);
          // Both check the checksum and the length at the end.
          expect(Buffer.compare(gunzipSync(stream), expected)).toBe(0);
          expect(Buffer.compare(Bun.gunzipSync(stream), expected)).toBe(0);
        }
      }),
    );
  });

  test("has no room for more bytes as they are than a block holds", () => {
    const [nothing, tooMuch] = [new Uint8Array(), new Uint8Array(65_536)];
    const start = new GzipStart(nothing);
    expect(() => start.with(tooMuch, nothing, nothing)).toThrow(RangeError);
    expect(() => start.with(nothing, tooMuch, nothing)).toThrow(RangeError);
    expect(() => start.with(nothing, nothing, tooMuch)).toThrow(RangeError);
  });
});

test("the checksum of two texts in a row follows from those of each", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), fc.uint8Array({ maxLength: 5000 }), (one, other) => {
      const joined = joinedCrc32(Bun.hash.crc32(one), Bun.hash.crc32(other), other.length);
      expect(joined).toBe(Bun.hash.crc32(Buffer.concat([one, other])));
    }),
  );
});
