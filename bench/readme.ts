import { join } from "node:path";
import { BUSY, RESULTS } from "./report.ts";

const README = join(import.meta.dir, "../README.md");
const BLOCK = /(?<=<!-- figures of bench\/RESULTS\.md -->\n).*?(?=<!-- end of figures -->)/s;

/** The sections of the results that the README shows, each with its plot and what is to be seen in it. */
const SHOWN = [
  ["Comparison", "comparison", "Requests a second of Vitrine and of the others"],
  ["Growth: users", "growth-users", "Requests a second, by users in the database"],
  ["Growth: links in one tree", "growth-links", "Megabytes a second, by links in one tree"],
  ["Growth: connections", "growth-connections", "Requests a second, by connections"],
  ["PostgreSQL beside pgbench", "growth-postgres", "Requests a second on PostgreSQL, beside pgbench"],
  ["Import", "growth-import", "Records imported a second, by their size"],
] as const;

const INTRODUCTION = "Vitrine's requests a second, as a multiple of each other's:";

/** What the README says about the results: ratios and plots. What a busy machine gave is not shown. */
export function readmeFigures(results: string): string {
  const sections = results.split(/^(?=## )/m);
  const paragraphs = SHOWN.flatMap(([heading, plot, caption]) => {
    const section = sections.find((text) => text.startsWith(`## ${heading}\n`));
    if (section === undefined || section.includes(BUSY)) return [];
    const ratios = /^\| Beside .*(?:\n\|.*)*/m.exec(section)?.[0];
    return [...(ratios ? [INTRODUCTION, ratios] : []), `![${caption}](bench/${plot}.svg)`];
  });
  return paragraphs.map((paragraph) => `\n${paragraph}\n`).join("");
}

export function withFigures(readme: string, results: string): string {
  const figures = readmeFigures(results);
  return readme.replace(BLOCK, () => figures && `${figures}\n`);
}

export async function writeReadme(): Promise<void> {
  const [readme, results] = await Promise.all([Bun.file(README).text(), Bun.file(RESULTS).text()]);
  await Bun.write(README, withFigures(readme, results));
}
