import { describe, expect, test } from "bun:test";
import { median, ratio, table, withSection } from "../../bench/report.ts";

describe("the results", () => {
  const results =
    "# Results\n\nAn introduction.\n\n## One\n\nfirst\n\n### Part\n\nmore\n\n## Two\n\nsecond\n";

  test("get a section that was measured again in its old place, and keep the others", () => {
    expect(withSection(results, "One", "changed")).toBe(
      "# Results\n\nAn introduction.\n\n## One\n\nchanged\n\n## Two\n\nsecond\n",
    );
  });

  test("get a section that was never measured before at the end", () => {
    expect(withSection(results, "Three", "third")).toBe(`${results}\n## Three\n\nthird\n`);
  });

  test("are the same after the same section was written twice", () => {
    const once = withSection(results, "Two", "again");
    expect(withSection(once, "Two", "again")).toBe(once);
  });

  test("have tables that Markdown knows", () => {
    expect(table(["a", "b"], [["1", "2"]])).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |");
  });
});

describe("a ratio", () => {
  test.each([
    [0.654, "0.65×"],
    [1.234, "1.23×"],
    [4.56, "4.6×"],
    [61.7, "62×"],
  ])("of %d is written as %s", (times, text) => {
    expect(ratio(times)).toBe(text);
  });
});

describe("a median", () => {
  test("is the one in the middle, in whatever order they came", () => {
    expect(median([30, 10, 20])).toBe(20);
  });
});
