import { join } from "node:path";
import { BUSY, RESULTS } from "./report.ts";

const README = join(import.meta.dir, "../README.md");
const BLOCK = /(?<=<!-- figures of bench\/RESULTS\.md -->\n).*?(?=<!-- end of figures -->)/s;

const PICTURE = "![Requests a second of Vitrine and of the others](bench/comparison.svg)";

const INTRODUCTION = "Vitrine's requests a second, as a multiple of each other's:";

/** What the README says about the results: the comparison. What a busy machine gave is not shown. */
export function readmeFigures(results: string): string {
  const section = results.split(/^(?=## )/m).find((text) => text.startsWith("## Comparison\n"));
  if (section === undefined || section.includes(BUSY)) return "";
  const ratios = /^\| Beside .*(?:\n\|.*)*/m.exec(section)?.[0];
  return [...(ratios ? [INTRODUCTION, ratios] : []), PICTURE].map((paragraph) => `\n${paragraph}\n`).join("");
}

export function withFigures(readme: string, results: string): string {
  const figures = readmeFigures(results);
  return readme.replace(BLOCK, () => figures && `${figures}\n`);
}

export async function writeReadme(): Promise<void> {
  const [readme, results] = await Promise.all([Bun.file(README).text(), Bun.file(RESULTS).text()]);
  await Bun.write(README, withFigures(readme, results));
}
