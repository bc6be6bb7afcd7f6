import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { packRecord, unpackRecord } from "../../src/store/packed-record.ts";
import { anyCharacter } from "../support/arbitraries.ts";

/** A record, and what was stored of it on the day on which records were first compressed. */
const TEXT =
  '{"id":"user-1","createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","email":"ada@example.com","profile":{"updatedAt":"2026-01-01T00:00:00.000Z","isPublic":true,"slug":"ada"},"jobs":[],"projects":[],"linkTrees":[],"education":[]}';
const PACKED = "KLUv/SD9tQEAgHVzZXItMWFkYWFkYSJdXX0LANqrA4GiQwSZwPx8L1550+I5g2AxAGQ8o0k8v8BfSVRdLgUC";

describe("a packed record", () => {
  test("can be read for ever, since what all records have in common is never changed", () => {
    expect(unpackRecord(Buffer.from(PACKED, "base64"))).toBe(TEXT);
  });

  test("is any text again when it is unpacked", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 3000 }), (text) => {
        expect(unpackRecord(packRecord(text))).toBe(text);
      }),
    );
  });

  test("does not say what all records say", () => {
    expect(packRecord(TEXT).length).toBeLessThan(TEXT.length / 3);
  });

  test("of an older Vitrine, which had nothing in common with others, is read as well", () => {
    expect(unpackRecord(Bun.zstdCompressSync(TEXT, { level: 1 }))).toBe(TEXT);
  });

  test("that is damaged is no text at all", () => {
    const packed = packRecord(TEXT);
    for (const bytes of [packed.subarray(0, -1), new Uint8Array(), new TextEncoder().encode(TEXT)])
      expect(unpackRecord(bytes)).toBe("");
  });
});
