import { firstDayOf, type Span } from "../records/days.ts";
import { number, type Printable, styled } from "./output.ts";

const HEIGHT = 8;
const EIGHTHS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** What a bar can stand for, the shortest first. */
const SPANS: readonly Span[] = ["day", "week", "month", "year"];

/** More columns than this do not fit a usual terminal, so that several days share one. */
const MAX_COLUMNS = 60;

interface Point {
  readonly day: string;
  readonly value: number;
}

interface Bar {
  readonly sum: number;
  /** Whether it is all of its day, week, month or year. The last one is not: today is not over. */
  readonly isWhole: boolean;
}

/**
 * The lines of a chart: bars over days, with the highest value at the side and the first and last day below, and what a
 * bar is.
 */
export function drawChart(points: readonly Point[]): (readonly Printable[])[] {
  const { name, bars } = barsOf(points);
  const top = Math.max(...bars.map(({ sum }) => sum), 1);
  const width = number(top).length;
  const rows = Array.from({ length: HEIGHT }, (_, index) => {
    const label = index === 0 ? number(top) : index === HEIGHT - 1 ? "0" : "";
    const row = bars.map(({ sum }) => eighth((sum / top) * HEIGHT - (HEIGHT - 1 - index))).join("");
    return [`${label.padStart(width)} ┤`, styled("cyan", row.trimEnd())];
  });
  const [first = "", last = ""] = [points[0]?.day, points.at(-1)?.day];
  const gap = Math.max(bars.length - first.length - last.length, 1);
  const axis = `${" ".repeat(width)} └${bars.map(({ isWhole }) => (isWhole ? "─" : "╌")).join("")}`;
  const below = first === last ? first : `${first}${" ".repeat(gap)}${last}`;
  const margin = " ".repeat(width + 2);
  const isCut = bars[0]?.isWhole === false && bars.length > 1;
  const note = `A bar is the views of a ${name}; ╌ marks one that is not over${isCut ? " or cut off" : ""}.`;
  return [...rows, [axis], [`${margin}${below}`], [`${margin}${note}`]];
}

/** The days put together in the shortest spans of which there is room for all. */
function barsOf(points: readonly Point[]): { name: string; bars: Bar[] } {
  const today = points.at(-1);
  const all = SPANS.map((name) => ({
    name,
    groups: Map.groupBy(points, ({ day }) => firstDayOf(day, name)),
  }));
  const { name, groups } =
    all.find(({ groups }) => groups.size <= MAX_COLUMNS) ?? (all.at(-1) as (typeof all)[0]);
  const bars = Array.from(groups, ([first, group]) => ({
    sum: group.reduce((sum, { value }) => sum + value, 0),
    isWhole: group[0]?.day === first && group.at(-1) !== today,
  }));
  return { name, bars };
}

/** One row of a column: full, empty, or a part of it. Something is always more than nothing. */
function eighth(filled: number): string {
  const share = Math.min(Math.max(filled, 0), 1);
  return EIGHTHS[share > 0 ? Math.max(Math.round(share * 8), 1) : 0] ?? " ";
}
