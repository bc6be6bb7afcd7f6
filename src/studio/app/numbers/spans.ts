import { firstDayOf } from "../../../records/days.ts";
import type { DayNumbers, Totals } from "../../contract.ts";

/** A bar of the chart: a day, a week or a month. */
export interface Span extends Totals {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  /** Why it is not the whole of what it is named after: not over yet, or begun before the period. */
  readonly part: "so far" | "in part" | undefined;
}

export type SpanKind = "day" | "week" | "month";

/** Few enough bars to be told apart, on a phone as well. */
export function kindFor(days: number): SpanKind {
  return days <= 31 ? "day" : days <= 92 ? "week" : "month";
}

/** Days put together. Today is not over, and so is neither its week nor its month. */
export function spansOf(days: readonly DayNumbers[], kind: SpanKind): Span[] {
  const today = days.at(-1)?.day;
  return [...Map.groupBy(days, ({ day }) => firstDayOf(day, kind))].map(([first, group]) => {
    const [from, to] = [group[0]?.day ?? first, group.at(-1)?.day ?? first];
    return {
      from,
      to,
      name: nameOf(from, to, kind),
      part: to === today ? "so far" : from === first ? undefined : "in part",
      views: sum(group, "views"),
      clicks: sum(group, "clicks"),
    };
  });
}

const dayName = new Intl.DateTimeFormat("en", {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const dateName = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
const monthName = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

function nameOf(from: string, to: string, kind: SpanKind): string {
  if (kind === "day") return dayName.format(Date.parse(from));
  if (kind === "week") return dateName.formatRange(Date.parse(from), Date.parse(to));
  return monthName.format(Date.parse(from));
}

/** What stands below a bar. */
export function tickOf({ from }: Span, kind: SpanKind): string {
  return kind === "month"
    ? monthName.format(Date.parse(from)).slice(0, 3)
    : dateName.format(Date.parse(from));
}

function sum(days: readonly DayNumbers[], which: keyof Totals): number {
  return days.reduce((total, day) => total + day[which], 0);
}

/** The distance between the lines of a grid: a round whole number, so often as to reach the highest value. */
export function stepFor(highest: number, lines: number): number {
  const least = Math.max(1, highest / lines);
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((factor) => factor * magnitude);
  return steps.find((step) => step >= least && Number.isInteger(step)) ?? 10 * magnitude;
}
