import { describe, expect, test } from "bun:test";
import { barChart, lineChart } from "../../bench/plot.ts";

const bars = barChart({
  title: "Speed",
  groups: [
    {
      name: "/a",
      bars: [
        { name: "one <&>", value: 1000 },
        { name: "two", value: 250 },
      ],
    },
  ],
});
const lines = lineChart({
  title: "Growth",
  x: "users",
  y: "requests/s",
  series: [
    {
      name: "one",
      points: [
        [10, 50],
        [1000, 40],
      ],
    },
    {
      name: "two",
      points: [
        [10, 51],
        [1000, 41],
      ],
    },
  ],
});

/** The numbers of an attribute, in order. */
function numbers(svg: string, element: string, attribute: string): number[] {
  return [...svg.matchAll(new RegExp(`<${element}[^>]* ${attribute}="([^"]+)"`, "g"))].map((match) =>
    Number(match[1]),
  );
}

describe("a bar chart", () => {
  test("has bars as long as their values are large", () => {
    const [, first = 0, second = 0] = numbers(bars, "rect", "width");
    expect(first / second).toBeCloseTo(4, 1);
  });

  test("says each value, and escapes each name", () => {
    for (const text of [">1,000<", ">250<", "one &lt;&amp;&gt;"]) expect(bars).toContain(text);
  });
});

describe("a line chart", () => {
  test("has higher points for larger values, and places on a logarithmic axis", () => {
    const heights = numbers(lines, "circle", "cy");
    expect(heights[0]).toBeLessThan(heights[1] ?? 0);
    expect(numbers(lines, "circle", "cx")[1]).toBeGreaterThan(numbers(lines, "circle", "cx")[0] ?? 0);
  });

  test("names its axes, its places and its lines", () => {
    for (const text of [">users<", ">requests/s<", ">10<", ">1,000<", ">one<", ">two<"])
      expect(lines).toContain(text);
  });

  test("keeps the names of lines that end close together apart", () => {
    const places = [...lines.matchAll(/<text class="(?:first|second)" x="[^"]+" y="([^"]+)"/g)];
    const [one = 0, other = 0] = places.map((match) => Number(match[1]));
    expect(Math.abs(one - other)).toBeGreaterThanOrEqual(18);
  });
});

test.each([
  ["bar", bars],
  ["line", lines],
])("a %s chart follows the reader's scheme and loads nothing", (_, svg) => {
  expect(svg).toContain("prefers-color-scheme: dark");
  expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|href|url\(/);
});
