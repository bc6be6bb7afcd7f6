import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { percentile, total, uncorrected } from "../../bench/latencies.ts";

/** What wrk 4 does to its latencies (`stats_correct` in its source), step by step. */
function corrected(histogram: ReadonlyMap<number, number>, pace: number): Map<number, number> {
  const counts = new Map(histogram);
  const longest = Math.max(...counts.keys());
  for (let taken = 2 * pace; taken <= longest; taken++) {
    const count = counts.get(taken) ?? 0;
    if (count === 0) continue;
    for (let made = taken - pace; made > pace; made -= pace)
      counts.set(made, (counts.get(made) ?? 0) + count);
  }
  return counts;
}

const anyHistogram = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 50 })), { minLength: 1 })
  .map((entries) => new Map(entries));

/** Without the times that nothing took. */
function taken(histogram: ReadonlyMap<number, number>): [number, number][] {
  return [...histogram].filter(([, count]) => count !== 0).toSorted(([one], [other]) => one - other);
}

describe("latencies", () => {
  test("are what they were before wrk added some, at any pace", () => {
    fc.assert(
      fc.property(anyHistogram, fc.integer({ min: 1, max: 2000 }), (histogram, pace) => {
        expect(taken(uncorrected(corrected(histogram, pace), pace))).toEqual(taken(histogram));
      }),
    );
  });

  test("have a slow answer once, where wrk has it and those that it makes up", () => {
    const histogram = new Map([
      [10, 99],
      [50, 1],
    ]);
    expect(total(corrected(histogram, 10))).toBe(103);
    expect(total(uncorrected(corrected(histogram, 10), 10))).toBe(100);
  });

  test("have as percentile the time within which that share was answered", () => {
    const histogram = new Map([
      [30, 1],
      [10, 50],
      [20, 49],
    ]);
    expect([0.5, 0.51, 0.99, 1].map((share) => percentile(histogram, share))).toEqual([10, 20, 20, 30]);
  });
});
