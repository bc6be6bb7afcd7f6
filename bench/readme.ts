import { join } from "node:path";
import { BUSY, RESULTS, sectionsOf, table } from "./report.ts";

const README = join(import.meta.dir, "../README.md");
const BLOCK = /(?<=<!-- figures of bench\/RESULTS\.md -->\n).*?(?=<!-- end of figures -->)/s;

const PICTURE = "![Requests a second of Vitrine and of the others](bench/comparison.svg)";

/** A table of ratios: of each contender, by the headings of the columns. */
type Ratios = ReadonlyMap<string, ReadonlyMap<string, string>>;

const BESIDE = "Beside";

/** What the README says about the results: the comparison, on all processors. What a busy machine gave is not shown. */
function readmeFigures(results: string): string {
  const measured = sectionsOf(results, "##")
    .slice(1)
    .flatMap((processor) => {
      const comparison = sectionsOf(processor, "###").find((text) => text.startsWith("### Comparison\n"));
      if (comparison === undefined || comparison.includes(BUSY)) return [];
      return [{ processor: /^## (.*)$/m.exec(processor)?.[1] ?? "", ratios: ratiosOf(comparison) }];
    });
  if (measured.length === 0) return "";
  const where = measured.map(({ processor }) => processor).join(" and ");
  const introduction = `Vitrine's requests a second, as a multiple of each other's, on ${where}:`;
  const ratios = rangeTable(measured.map(({ ratios }) => ratios));
  return [...(ratios ? [introduction, ratios] : []), PICTURE].map((paragraph) => `\n${paragraph}\n`).join("");
}

function ratiosOf(comparison: string): Ratios {
  const lines = /^\| Beside .*(?:\n\|.*)*/m.exec(comparison)?.[0].split("\n") ?? [];
  const [headings = [], , ...rows] = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return new Map(
    rows.map(([name = "", ...cells]) => [
      name,
      new Map(cells.map((cell, index) => [headings[index + 1] ?? "", cell])),
    ]),
  );
}

/** All contenders and columns that there are, each with the least and the most of the processors. */
function rangeTable(all: readonly Ratios[]): string {
  const names = new Set(all.flatMap((ratios) => [...ratios.keys()]));
  const headings = new Set(all.flatMap((ratios) => [...ratios.values()].flatMap((row) => [...row.keys()])));
  if (names.size === 0) return "";
  const rows = [...names].map((name) => [
    name,
    ...[...headings].map((heading) => rangeOf(all.flatMap((ratios) => ratios.get(name)?.get(heading) ?? []))),
  ]);
  return table([BESIDE, ...headings], rows);
}

/** `17–31×`, or one figure where all are the same. */
function rangeOf(ratios: readonly string[]): string {
  const [least, most] = [ratios.toSorted(byValue)[0], ratios.toSorted(byValue).at(-1)];
  if (least === undefined || most === undefined) return "–";
  return least === most ? least : `${least.replace("×", "")}–${most}`;
}

function byValue(one: string, other: string): number {
  return Number.parseFloat(one) - Number.parseFloat(other);
}

export function withFigures(readme: string, results: string): string {
  const figures = readmeFigures(results);
  return readme.replace(BLOCK, () => figures && `${figures}\n`);
}

export async function writeReadme(): Promise<void> {
  const [readme, results] = await Promise.all([Bun.file(README).text(), Bun.file(RESULTS).text()]);
  await Bun.write(README, withFigures(readme, results));
}
