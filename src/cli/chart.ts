import { styleText } from "node:util";
import { number } from "./output.ts";

const HEIGHT = 8;
const EIGHTHS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** More columns than this do not fit a usual terminal, so that several days share one. */
const MOST_COLUMNS = 60;

export interface Point {
  readonly day: string;
  readonly value: number;
}

/** Columns over days, with the highest value at the side and the first and last day below. */
export function drawChart(points: readonly Point[]): string[] {
  const days = Math.ceil(points.length / MOST_COLUMNS);
  const sums = Array.from({ length: Math.ceil(points.length / days) }, (_, index) =>
    points.slice(index * days, (index + 1) * days).reduce((sum, { value }) => sum + value, 0),
  );
  const top = Math.max(...sums, 1);
  const width = number(top).length;
  const rows = Array.from({ length: HEIGHT }, (_, index) => {
    const label = index === 0 ? number(top) : index === HEIGHT - 1 ? "0" : "";
    const bars = sums.map((sum) => eighth((sum / top) * HEIGHT - (HEIGHT - 1 - index))).join("");
    return `${label.padStart(width)} ┤${styleText("cyan", bars.trimEnd())}`;
  });
  const [first = "", last = ""] = [points[0]?.day, points.at(-1)?.day];
  const gap = Math.max(sums.length - first.length - last.length, 1);
  const axis = `${" ".repeat(width)} └${"─".repeat(sums.length)}`;
  const below = first === last ? first : `${first}${" ".repeat(gap)}${last}`;
  return [...rows, axis, `${" ".repeat(width + 2)}${below}`];
}

/** One row of a column: full, empty, or a part of it. Something is always more than nothing. */
function eighth(filled: number): string {
  const share = Math.min(Math.max(filled, 0), 1);
  return EIGHTHS[share > 0 ? Math.max(Math.round(share * 8), 1) : 0] ?? " ";
}
