import { styleText } from "node:util";
import { withoutControls } from "../logging/json-controls.ts";
import { writeAll } from "../logging/write-all.ts";
import { Failure } from "./failure.ts";

/** Text of our own that steers the terminal, such as a colour. All other text is cleaned when it is printed. */
export class Styled {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function styled(style: Parameters<typeof styleText>[0], text: string): Styled {
  return new Styled(styleText(style, cleaned(text)));
}

export type Printable = string | Styled;

/** Writes a line to standard output. */
export function print(...line: readonly Printable[]): void {
  printLines([line]);
}

export function printLines(lines: readonly (readonly Printable[])[]): void {
  write(1, lines.map(textOf).join(""));
}

/** Writes a line to standard error: problems, questions and progress, so that output can be piped clean. */
export function printError(...line: readonly Printable[]): void {
  write(2, textOf(line));
}

function textOf(line: readonly Printable[]): string {
  return `${line.map((part) => (part instanceof Styled ? part.text : cleaned(part))).join("")}\n`;
}

/** Text of a record, a key, a file's name or an argument, without what would steer the terminal or forge a line. */
export function cleaned(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ").replace(/[\p{Cc}\p{Bidi_Control}]/gu, "");
}

/** Descriptors whose reader has gone (`… | head`). */
const unread = new Set<1 | 2>();

/** Writes, unless nobody reads it any more. The command goes on then: its exit code tells more than that. */
export function write(descriptor: 1 | 2, text: string): void {
  if (unread.has(descriptor)) return;
  try {
    writeAll(descriptor, Buffer.from(text));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
    unread.add(descriptor);
  }
}

/** Prints what is shown this once. What nobody can have seen is taken back, and `takenBack` says so. */
export async function showOnce(
  show: () => void,
  takeBack: () => Promise<unknown>,
  takenBack: string,
): Promise<void> {
  let fault = "nobody reads the output";
  try {
    show();
    if (!isUnread()) return;
  } catch (error) {
    fault = (error as Error).message;
  }
  await takeBack();
  throw new Failure(`${takenBack}: ${fault}`, "the same again, where the output can be written");
}

/** Whether the reader of standard output has gone. What only prints, and that for long, has nothing left to do then. */
export function isUnread(): boolean {
  return unread.has(1);
}

export function printJson(value: unknown): void {
  printJsonTexts([JSON.stringify(value, null, 2)]);
}

/** Prints texts that are JSON already. */
export function printJsonTexts(texts: readonly string[]): void {
  write(1, texts.map((text) => `${withoutControls(text)}\n`).join(""));
}

/** Prints a text of several lines as it is, but for what would steer the terminal. */
export function printText(text: string): void {
  write(1, text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, ""));
}

/** Columns wide enough for their longest cell, two spaces apart. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = [headings, ...rows].map((row) => row.map(cleaned));
  const widths = headings.map((_, column) =>
    Math.max(...cells.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  for (const row of cells) {
    print(
      row
        .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
        .join("  ")
        .trimEnd(),
    );
  }
}

/** A text of several lines as it may stand in one. */
export function oneLine(text: string): string {
  return cleaned(text.replace(/\s+/g, " "));
}

export function plural(count: number, singular: string, several = `${singular}s`): string {
  return `${number(count)} ${count === 1 ? singular : several}`;
}

export function number(count: number): string {
  return count.toLocaleString("en");
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
