import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import {
  gzipAnswer,
  LEAST_PACKED_BYTES,
  packAnswer,
  plainAnswer,
  type StoredAnswer,
} from "../../src/packing/answer.ts";
import { gzipLength, isGzip } from "../../src/packing/gzip.ts";
import { packJoinable } from "../../src/packing/joinable.ts";

const WHOLE = { length: null, checksum: null };

/** A text by itself, as it is stored. */
function whole(text: string): StoredAnswer {
  return { body: packAnswer(text), ...WHOLE };
}

/** A text that is a part of a longer stream, cut out of it. */
function part(text: string): StoredAnswer {
  const { stream, length, checksum } = packJoinable(text);
  const longer = Buffer.concat([packJoinable("before").stream, stream, packJoinable("behind").stream]);
  const start = packJoinable("before").stream.length;
  return { body: longer.subarray(start, start + stream.length), length, checksum };
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** JSON of all lengths around the one from which on it is sent compressed. */
const anyJson = fc.oneof(
  fc.json(),
  fc.array(fc.string(), { maxLength: 300 }).map((list) => JSON.stringify(list)),
  fc
    .integer({ min: LEAST_PACKED_BYTES - 20, max: LEAST_PACKED_BYTES + 20 })
    .map((length) => JSON.stringify("x".repeat(length - 2))),
);

describe("an answer", () => {
  test("is the text that it was, by itself and as a part of a stream", () => {
    fc.assert(
      fc.property(anyJson, (text) => {
        for (const answer of [whole(text), part(text)]) expect(textOf(plainAnswer(answer))).toBe(text);
      }),
    );
  });

  test("goes out plain while it is short, and from there on as gzip that any reader unpacks", () => {
    fc.assert(
      fc.property(anyJson, (text) => {
        const isLong = Buffer.byteLength(text) >= LEAST_PACKED_BYTES;
        for (const answer of [whole(text), part(text)]) {
          const gzip = gzipAnswer(answer);
          expect(gzip !== undefined).toBe(isLong);
          if (gzip) expect(gunzipSync(gzip).toString()).toBe(text);
        }
      }),
    );
  });

  test("is counted in bytes, not in characters", () => {
    const text = JSON.stringify("ü".repeat(LEAST_PACKED_BYTES / 2));
    expect(text.length).toBeLessThan(LEAST_PACKED_BYTES);
    expect(gzipAnswer(whole(text))).toBeDefined();
    expect(gzipAnswer(part(text))).toBeDefined();
  });

  test("that is short is stored as it is, and a long one as the gzip stream that is sent", () => {
    const [short, long] = ['{"a":1}', JSON.stringify("long ".repeat(1000))];
    expect(textOf(packAnswer(short))).toBe(short);
    const { body } = whole(long);
    expect(isGzip(body)).toBe(true);
    expect(gzipLength(body)).toBe(long.length);
    expect(gzipAnswer(whole(long))).toEqual(body);
  });

  test("that is short goes out plain though it is stored as gzip, as a full document is", () => {
    const body = Bun.gzipSync('{"a":1}');
    expect(gzipAnswer({ body, ...WHOLE })).toBeUndefined();
    expect(textOf(plainAnswer({ body, ...WHOLE }))).toBe('{"a":1}');
  });

  test("of which a byte is another is not taken for the text that it was", () => {
    const answer = part(JSON.stringify("long ".repeat(1000)));
    const body = Uint8Array.from(answer.body);
    body[10] = (body[10] ?? 0) ^ 1;
    expect(() => plainAnswer({ ...answer, body })).toThrow();
    expect(() => plainAnswer({ ...answer, checksum: (answer.checksum ?? 0) ^ 1 })).toThrow();
  });
});
