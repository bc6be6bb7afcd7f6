import { describe, expect, test } from "bun:test";
import { CONTENDERS } from "../../bench/contenders.ts";
import { GROWTH } from "../../bench/growth.ts";
import { withFigures } from "../../bench/readme.ts";
import { BUSY } from "../../bench/report.ts";
import { code, firstTable, readFile, sectionOf } from "./markdown.ts";

const readme = readFile("README.md");
const section = sectionOf(readme, "Performance");
const results = readFile("bench/RESULTS.md");
const guide = readFile("bench/README.md");

describe("the README's section on performance", () => {
  test("has the comparison of the results, and no other figures", () => {
    expect(withFigures(readme, results)).toBe(readme);
  });

  test("states no other figures than those of the results", () => {
    const figures = section.match(/\d+(?:[.,]\d+)*×?/g) ?? [];
    expect(figures.filter((figure) => !results.includes(figure))).toEqual([]);
  });
});

describe("the figures that the README gets", () => {
  const measured = (heading: string, content: string) => `## ${heading}\n\n- Command: x\n\n${content}\n`;
  const ratios = "| Beside | a |\n| --- | --- |\n| other | 12× |";
  const before = "text\n\n<!-- figures of bench/RESULTS.md -->\nold\n<!-- end of figures -->\n\nmore\n";
  const between = (figures: string) => before.replace("old\n", () => figures);

  test("are the ratios and the plot of the comparison", () => {
    const sections = [
      measured("Growth: connections", "| 1 | 2 |"),
      measured("Comparison", `| 3 |\n\n### As ratios\n\n${ratios}`),
    ];
    expect(withFigures(before, `# Results\n\n${sections.join("\n")}`)).toBe(
      between(
        `\nVitrine's requests a second, as a multiple of each other's:\n\n${ratios}\n\n![Requests a second of Vitrine and of the others](bench/comparison.svg)\n\n`,
      ),
    );
  });

  test("are none that were measured on a busy machine", () => {
    expect(withFigures(before, measured("Comparison", `- ${BUSY}\n\n${ratios}`))).toBe(between(""));
  });
});

describe("the results", () => {
  test("say with which command, on which machine and when they were measured", () => {
    const sections = results.split(/^## /m).slice(1);
    expect(sections.length).toBeGreaterThan(0);
    for (const measured of sections) {
      for (const fact of [
        "- Command: `npm run bench",
        "- Date: ",
        "- Machine: ",
        "- Load: ",
        "- Versions: ",
      ]) {
        expect(measured).toContain(fact);
      }
    }
  });
});

describe("the guide to the benchmarks", () => {
  test("lists exactly the contenders, and what each checks", () => {
    const rows = firstTable(sectionOf(guide, "The contenders")).map((row) => [
      code(row.Name ?? ""),
      row["Checks the key"] !== "no",
      row["Holds the limit"] === "yes",
    ]);
    expect(rows).toEqual(
      CONTENDERS.map(({ name, checks }) => [name, checks !== "nothing", checks === "key and limit"]),
    );
  });

  test("names every part of the growth", () => {
    for (const part of Object.keys(GROWTH)) expect(guide).toContain(`\`${part}\``);
  });
});
