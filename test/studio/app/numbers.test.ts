import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { kindFor, spansOf, stepFor } from "../../../src/studio/app/numbers/spans.ts";
import { daysUntil } from "../../../src/tracking/stats.ts";

/** A Wednesday. */
const TODAY = Date.parse("2026-11-11T09:00:00Z");

function days(count: number) {
  return daysUntil(TODAY, count).map((day) => ({ day, views: 2, clicks: 1 }));
}

describe("the bars of a chart", () => {
  test.each([
    [7, "day", 7],
    [30, "day", 30],
    [90, "week", 14],
    [365, "month", 13],
  ] as const)("of %d days are by %s", (count, kind, bars) => {
    expect(kindFor(count)).toBe(kind);
    const spans = spansOf(days(count), kind);
    expect(spans).toHaveLength(bars);
    expect(spans.reduce((sum, { views }) => sum + views, 0)).toBe(2 * count);
  });

  test("say which of them is not over, and which began before the period", () => {
    const weeks = spansOf(days(90), "week");
    expect(weeks.at(-1)).toMatchObject({ from: "2026-11-09", to: "2026-11-11", part: "so far", views: 6 });
    expect(weeks.at(-2)).toMatchObject({ name: "Nov 2 – 8", part: undefined, views: 14 });
    expect(weeks[0]).toMatchObject({ from: "2026-08-14", to: "2026-08-16", part: "in part" });
    const months = spansOf(days(365), "month");
    expect(months.map(({ part }) => part).filter(Boolean)).toEqual(["in part", "so far"]);
    expect(
      spansOf(days(7), "day")
        .map(({ part }) => part)
        .filter(Boolean),
    ).toEqual(["so far"]);
  });

  test("fit under a grid of whole numbers", () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), (highest) => {
        const step = stepFor(highest, 4);
        expect(Number.isInteger(step)).toBe(true);
        expect(step * 4).toBeGreaterThanOrEqual(highest);
        expect(step * 4).toBeLessThan(Math.max(highest * 2.1, 9));
      }),
    );
  });
});
