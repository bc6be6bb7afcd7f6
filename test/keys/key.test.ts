import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hashKey, isWellFormedKey, mintKey, viewOf } from "../../src/keys/key.ts";

test("a key of the public view is vitp_ and otherwise of the same form, and tells its view", () => {
  const key = mintKey("public");
  expect(key).toMatch(/^vitp_[0-9A-Za-z]{49}$/);
  expect([isWellFormedKey(key), viewOf(key), viewOf(mintKey())]).toEqual([true, "public", "full"]);
  // The checksum covers what it begins with.
  expect(isWellFormedKey(key.replace("vitp_", "vit_"))).toBe(false);
  expect(isWellFormedKey(mintKey().replace("vit_", "vitp_"))).toBe(false);
});

describe("a key", () => {
  test("is vit_, 43 random characters and 6 of checksum", () => {
    expect(mintKey()).toMatch(/^vit_[0-9A-Za-z]{49}$/);
  });

  test("carries a checksum that anyone can compute: CRC-32 of what precedes, in base 62", () => {
    const checked = `vit_${"0".repeat(43)}`;
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let crc = Bun.hash.crc32(checked);
    let text = "";
    for (let digit = 0; digit < 6; digit++) {
      text = digits[crc % 62] + text;
      crc = Math.floor(crc / 62);
    }
    expect(isWellFormedKey(checked + text)).toBe(true);
  });

  test("is never the same twice", () => {
    const keys = new Set(Array.from({ length: 1000 }, () => mintKey()));
    expect(keys.size).toBe(1000);
  });

  test("has each digit as often as any other, within a tenth", () => {
    // 860,000 digits are 13,871 of each, give or take 117: a tenth is twelve times that, and never met by chance.
    const counts = new Map<string, number>();
    for (let index = 0; index < 20_000; index++) {
      for (const digit of mintKey().slice(4, 47)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    const share = (20_000 * 43) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - share)).toBeLessThan(share / 10);
  });

  test("with one mistyped character is turned away by its checksum", () => {
    const alphabet = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 52 }), fc.constantFrom(...alphabet), (position, character) => {
        const key = mintKey();
        const mistyped = key.slice(0, position) + character + key.slice(position + 1);
        expect(isWellFormedKey(mistyped)).toBe(mistyped === key);
      }),
    );
  });

  test("is known to the store by its SHA-256 alone", () => {
    const key = mintKey();
    expect(Buffer.from(hashKey(key)).toString("hex")).toBe(
      new Bun.CryptoHasher("sha256").update(key).digest("hex"),
    );
  });
});

describe("a text", () => {
  test.each([
    "",
    "vit_",
    "vit_short",
    `vit_${"a".repeat(50)}`,
    `xit_${"a".repeat(49)}`,
    `vit_${"-".repeat(49)}`,
    `vit_${"é".repeat(49)}`,
  ])("%p is no key", (text) => {
    expect(isWellFormedKey(text)).toBe(false);
  });

  test("is no key for white space around one", () => {
    const key = mintKey();
    expect([`${key}\n`, ` ${key}`, `${key} `].map(isWellFormedKey)).toEqual([false, false, false]);
  });
});
