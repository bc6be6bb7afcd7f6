import { stripVTControlCharacters } from "node:util";
import { writeAll } from "../logging/write-all.ts";

/** Writes to standard output. When whoever reads it has gone (`… | head`), there is nothing left to do. */
export function print(text: string): void {
  write(1, `${text}\n`);
}

/** Writes to standard error: problems, questions and progress, so that output can be piped clean. */
export function printError(text: string): void {
  write(2, `${text}\n`);
}

export function write(descriptor: 1 | 2, text: string): void {
  try {
    writeAll(descriptor, Buffer.from(text));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPIPE") process.exit(0);
    throw error;
  }
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Columns wide enough for their longest cell, two spaces apart. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ""))));
  for (const row of cells) {
    print(
      row
        .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)))
        .join("  ")
        .trimEnd(),
    );
  }
}

function widthOf(text: string): number {
  return Bun.stringWidth(stripVTControlCharacters(text));
}

/** Text from a record as it may stand in a line of a terminal: what would steer the terminal is left out. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(/\p{Cc}/gu, "");
}

export function plural(count: number, singular: string, several = `${singular}s`): string {
  return `${number(count)} ${count === 1 ? singular : several}`;
}

export function number(count: number): string {
  return count.toLocaleString("en");
}

export function formatTime(instant: number | null): string {
  return instant === null ? "-" : new Date(instant).toISOString().slice(0, 16).replace("T", " ");
}
