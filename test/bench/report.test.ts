import { describe, expect, test } from "bun:test";
import { BUSY, busyLines, median, ratio, table, withResults } from "../../bench/report.ts";
import { ticksIn } from "../../bench/stolen.ts";

describe("the results", () => {
  const results = [
    "# Results\n\nAn introduction.\n",
    "## X (x64)\n",
    "### One\n\nfirst\n\n#### Part\n\nmore\n",
    "### Two\n\nsecond\n",
    "## Y (arm64)\n",
    "### One\n\nother\n",
  ].join("\n");

  test("get a section that was measured again in its old place, and keep the others", () => {
    expect(withResults(results, "X (x64)", "One", "changed\n\n### Part\n\nless")).toBe(
      results.replace("first\n\n#### Part\n\nmore", "changed\n\n#### Part\n\nless"),
    );
  });

  test("get a section that was never measured before at the end of its processor", () => {
    expect(withResults(results, "X (x64)", "Three", "third")).toBe(
      results.replace("## Y", "### Three\n\nthird\n\n## Y"),
    );
  });

  test("get a processor that was never measured on at the end", () => {
    expect(withResults(results, "Z (x64)", "One", "new")).toBe(`${results}\n## Z (x64)\n\n### One\n\nnew\n`);
  });

  test("are the same after the same section was written twice", () => {
    const once = withResults(results, "Y (arm64)", "Two", "again\n\n### Part");
    expect(withResults(once, "Y (arm64)", "Two", "again\n\n### Part")).toBe(once);
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

describe("what was measured", () => {
  const stat = (idle: number, stolen: number) =>
    ticksIn(`cpu  100 0 50 ${idle} 5 0 5 ${stolen} 0 0\ncpu0 50 0 25 400 0 0 0 0 0 0\n`);

  test("counts where the machine was its own", () => {
    expect(busyLines(1, stat(100, 40), stat(1080, 60))).toEqual([]);
  });

  test("means little where others on the same hardware had much of its time", () => {
    expect(busyLines(1, stat(100, 40), stat(1080, 61))).toEqual([
      `- ${BUSY}: others on the same hardware had 2 % of its time`,
    ]);
  });

  test("means little where there was much to do before", () => {
    expect(busyLines(4096, stat(100, 0), stat(200, 0))).toEqual([`- ${BUSY}: load average 4096.0 before`]);
  });

  test("counts where the system does not tell", () => {
    expect(busyLines(0, ticksIn(""), ticksIn(""))).toEqual([]);
  });
});
