import type { PlacedProblem } from "../exchange/problems.ts";
import type { Position } from "../exchange/syntax/position.ts";
import { formatProblem } from "../records/problems.ts";
import { cleaned, printError } from "./output.ts";

/** The most characters that are shown of a line: one of NDJSON may be very long. */
const SHOWN_CHARACTERS = 100;

/** Tells a problem in a line, and shows the line of the file that has it. */
export function printProblem({ record, problem, position }: PlacedProblem): void {
  printError(`${placeOf(record, position)}: ${formatProblem(problem)}`);
  if (position) for (const line of shownLine(position)) printError(line);
}

function placeOf(record: string, position: Position | null | undefined): string {
  if (!position) return record;
  const { line, column } = position;
  return record.endsWith(`: line ${line}`)
    ? `${record}, column ${column}`
    : `${record}: line ${line}, column ${column}`;
}

/** The line with its number, and a mark below the place. What is invisible is taken out, and so are its columns. */
function shownLine({ line, column, text }: Position): string[] {
  const start = Math.max(0, Math.min(column - 1 - SHOWN_CHARACTERS / 2, text.length - SHOWN_CHARACTERS));
  const before = cleaned(text.slice(start, column - 1));
  const after = cleaned(text.slice(column - 1, start + SHOWN_CHARACTERS));
  const margin = `  ${line} | `;
  return [
    `${margin}${before}${after}`,
    `${" ".repeat(margin.length - 2)}| ${" ".repeat(Bun.stringWidth(before))}^`,
  ];
}
