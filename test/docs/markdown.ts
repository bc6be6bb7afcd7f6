import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A file of the repository, by its path from the root. */
export function readFile(path: string): string {
  return readFileSync(ROOT + path, "utf8");
}

/** Paths from the root of all files that match, but for what is installed or built. */
export function filesMatching(...patterns: string[]): string[] {
  const found = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })]);
  return found.filter((path) => !/(^|\/)(node_modules|dist|\.git)\//.test(path)).sort();
}

/** What stands under a heading, up to the next heading that is not below it. */
export function sectionOf(markdown: string, heading: string): string {
  const lines = markdown.split("\n");
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
  if (start === -1) throw new Error(`there is no heading ${JSON.stringify(heading)}`);
  const level = lines[start]?.indexOf(" ") ?? 0;
  const length = lines.slice(start + 1).findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join("\n");
}

/** The rows of the first table of a section, each as its cells by column. None where there is no table. */
export function firstTable(section: string): Record<string, string>[] {
  const lines = section.split("\n");
  const start = lines.findIndex((line) => line.startsWith("|"));
  if (start === -1) return [];
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  const [headings = [], , ...rows] = lines
    .slice(start, length === -1 ? undefined : start + length)
    .map(cells);
  return rows.map((row) => Object.fromEntries(headings.map((name, column) => [name, row[column] ?? ""])));
}

function cells(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split("|")
    .map((cell) => cell.trim());
}

/** The fenced blocks of a language, without their fences. */
export function fencesOf(markdown: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms");
  return [...markdown.matchAll(fence)].map((match) => match[1] ?? "");
}

/** The text of a cell that is all code. */
export function code(text: string): string {
  return /^`([^`]+)`$/.exec(text)?.[1] ?? text;
}
