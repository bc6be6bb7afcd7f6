import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { generator } from "./load.ts";
import { isPinned } from "./processes.ts";
import { PROCESSOR, PROCESSOR_HEADING } from "./processor.ts";
import { ownTicks, stolenShare, type Ticks } from "./stolen.ts";

export const RESULTS = join(import.meta.dir, "RESULTS.md");

/** What a measurement results in: a section of the results, and a plot as SVG. */
export interface Figures {
  readonly markdown: string;
  readonly plot: string;
}

const TITLE = `# Results

Written by \`npm run bench\`, with a section for each kind of processor that it was run on. [README.md](README.md) says how it is measured and what the columns mean.
`;

/** Before the benchmark adds its own. */
const [loadBefore = 0] = loadavg();
const ticksBefore = ownTicks();

/** The most of the processors' time that others on the same hardware may have had meanwhile. */
const MAX_STOLEN = 0.02;

/** Marks what was measured while the machine did other work, and so means little. */
export const BUSY = "**The machine was busy with other work, so these figures mean little**";

/** What else the machine did, for a list of circumstances. */
export function busyLines(load: number, before: Ticks, after: Ticks): string[] {
  const stolen = stolenShare(before, after);
  return [
    ...(load > cpus().length ? [`- ${BUSY}: load average ${load.toFixed(1)} before`] : []),
    ...(stolen > MAX_STOLEN
      ? [`- ${BUSY}: others on the same hardware had ${(100 * stolen).toFixed(0)} % of its time`]
      : []),
  ];
}

/** Where, when and how figures were measured: what somebody needs who wants to measure them again. */
export async function circumstances(command: string, facts: readonly string[]): Promise<string> {
  return [
    ...busyLines(loadBefore, ticksBefore, ownTicks()),
    `- Command: \`${command}\``,
    `- Date: ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
    `- Machine: ${cpus().length} × ${PROCESSOR}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, ${process.platform} ${release()}`,
    `- Load: ${await generator()}`,
    ...facts.map((fact) => `- ${fact}`),
  ].join("\n");
}

/** Where server and load run, in words. */
export const PLACEMENT = isPinned ? "server on core 0, load on core 1" : "server and load share the cores";

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The sections of a text, by what their headings begin with; what comes before the first is one, too. */
export function sectionsOf(markdown: string, level: "##" | "###"): string[] {
  return markdown.split(new RegExp(`^(?=${level} )`, "m"));
}

/** Replaces the section with this heading, or adds it, and leaves the others as they are. */
function withSection(
  markdown: string,
  level: "##" | "###",
  heading: string,
  change: (section: string) => string,
): string {
  const sections = sectionsOf(markdown, level);
  const title = `${level} ${heading}\n`;
  const place = sections.findIndex((other) => other.startsWith(title));
  const section = change(place === -1 ? title : (sections[place] as string));
  if (place === -1) sections.push(section);
  else sections[place] = section;
  return sections.map((other) => `${other.trim()}\n`).join("\n");
}

/** Results with what was measured on a processor in the place of what was there, a level below its heading. */
export function withResults(results: string, processor: string, heading: string, content: string): string {
  const below = content.trim().replaceAll(/^(?=#+ )/gm, "#");
  return withSection(results, "##", processor, (section) =>
    withSection(section, "###", heading, () => `### ${heading}\n\n${below}\n`),
  );
}

export async function writeSection(heading: string, content: string): Promise<void> {
  const file = Bun.file(RESULTS);
  const before = (await file.exists()) ? await file.text() : TITLE;
  await Bun.write(RESULTS, withResults(before, PROCESSOR_HEADING, heading, content));
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

export function rate(perSecond: number): string {
  return Math.round(perSecond).toLocaleString("en");
}

/** How many times as much, with as many digits as mean something. */
export function ratio(times: number): string {
  return times >= 10 ? `${times.toFixed(0)}×` : times >= 2 ? `${times.toFixed(1)}×` : `${times.toFixed(2)}×`;
}
