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
  const measured = (heading: string, content: string) => `### ${heading}\n\n- Command: x\n\n${content}\n`;
  const processor = (name: string, ...sections: string[]) => `## ${name}\n\n${sections.join("\n")}`;
  const ratios = (...rows: string[]) => ["| Beside | a | b |", "| --- | --- | --- |", ...rows].join("\n");
  const comparison = (...rows: string[]) =>
    measured("Comparison", `| 3 |\n\n#### As ratios\n\nAs they are.\n\n${ratios(...rows)}`);
  const before = "text\n\n<!-- figures of bench/RESULTS.md -->\nold\n<!-- end of figures -->\n\nmore\n";
  const between = (figures: string) => before.replace("old\n", () => figures);
  const picture = "![Requests a second of Vitrine and of the others](bench/comparison.svg)";
  const introduction = "Vitrine's requests a second, as a multiple of each other's";

  test("are the ratios and the plot of the comparison", () => {
    const results = processor(
      "X",
      measured("Growth: connections", "| 1 | 2 |"),
      comparison("| other | 12× | 2× |"),
    );
    expect(withFigures(before, `# Results\n\n${results}`)).toBe(
      between(`\n${introduction}, on X:\n\n${ratios("| other | 12× | 2× |")}\n\n${picture}\n\n`),
    );
  });

  test("are ranges where there are several processors, over all that each has", () => {
    const results = [
      processor("X (x64)", comparison("| one | 31× | 0.46× |", "| other | 1.07× | 2.0× |")),
      processor("Y (arm64)", measured("Import", "| 9 |"), comparison("| one | 9.5× | 0.46× |")),
    ];
    expect(withFigures(before, `# Results\n\n${results.join("\n")}`)).toBe(
      between(
        `\n${introduction}, on X (x64) and Y (arm64):\n\n${ratios("| one | 9.5–31× | 0.46× |", "| other | 1.07× | 2.0× |")}\n\n${picture}\n\n`,
      ),
    );
  });

  test("are none that were measured on a busy machine", () => {
    const busy = processor("X", measured("Comparison", `- ${BUSY}\n\n${ratios("| one | 3× | 4× |")}`));
    expect(withFigures(before, `# Results\n\n${busy}`)).toBe(between(""));
    const quiet = processor("Y", comparison("| one | 12× | 2× |"));
    expect(withFigures(before, `# Results\n\n${busy}\n${quiet}`)).toContain(
      `${introduction}, on Y:\n\n${ratios("| one | 12× | 2× |")}`,
    );
  });
});

describe("the results", () => {
  const processors = results.split(/^## /m).slice(1);

  test("stand under the processor that they were measured on", () => {
    expect(processors.length).toBeGreaterThan(0);
    for (const processor of processors) {
      const [heading = ""] = processor.split("\n");
      const name = heading.replace(/ \((?:x64|arm64)\)$/, "");
      expect(name).not.toBe(heading);
      const machines = [...processor.matchAll(/^- Machine: \d+ × (.*), \d+ GB, /gm)].map(([, said]) => said);
      expect(new Set(machines)).toEqual(new Set([name]));
    }
  });

  test("say with which command, on which machine and when they were measured", () => {
    const sections = processors.flatMap((processor) => processor.split(/^### /m).slice(1));
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
