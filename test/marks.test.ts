import { expect, test } from "bun:test";
import fc from "fast-check";
import { Marks } from "../src/marks.ts";

const BITS = 2 ** 10;

/** As hashes are: any 32 bits. */
const numbers = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 50 });

test("every number that was marked is known, and of the others only those that share its bit", () => {
  fc.assert(
    fc.property(numbers, numbers, (marked, others) => {
      const marks = new Marks(BITS);
      for (const number of marked) marks.add(number);
      const bits = new Set(marked.map((number) => number % BITS));
      for (const number of [...marked, ...others]) expect(marks.has(number)).toBe(bits.has(number % BITS));
    }),
  );
});
