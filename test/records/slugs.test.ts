import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { slugFaults } from "../../src/contract/texts.ts";
import { slugFrom } from "../../src/records/slugs.ts";

describe("the slug that is made of a name", () => {
  test.each([
    ["Zoë Ångström", "zoe-angstrom"],
    ["Łukasz Groß", "lukasz-gross"],
    ["Đorđe Þórð Åse Ødegård", "dorde-thord-ase-odegard"],
    ["IŞIL Işıl Æsop Œuvre", "isil-isil-aesop-oeuvre"],
    ["Андрей Воробьёв", "андрей-воробьёв"],
    ["Γιώργος", "γιώργος"],
    ["ゆうじ・デザイン", "ゆうじ-デザイン"],
    ["김서연", "김서연"],
    ["हिन्दी", "हिन्दी"],
    ["ada@example.com", "ada"],
    ["@ada | Notes", "ada-notes"],
  ])("has the letters of its script: %s", (name, slug) => {
    expect(slugFrom(name)).toBe(slug);
  });

  test("is one that may be imported, whatever the name", () => {
    const sign = fc.oneof(
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.constantFrom("a", "É", "İ", "й", "ー", "\u3164", "\ufe0f", "\u034f", "\u0301", "-", " ", "가"),
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 150 }), (signs) => {
        const slug = slugFrom(signs.join(""));
        expect(slug === undefined ? [] : slugFaults(slug)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
