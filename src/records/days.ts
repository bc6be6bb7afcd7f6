export const DAY_MS = 24 * 60 * 60 * 1000;

/** What days are put together in. */
export type Span = "day" | "week" | "month" | "year";

/** The first day of the week (a Monday), month or year that a day is in. All days are in UTC, such as 2026-04-12. */
export function firstDayOf(day: string, span: Span): string {
  if (span === "day") return day;
  if (span === "month") return `${day.slice(0, 7)}-01`;
  if (span === "year") return `${day.slice(0, 4)}-01-01`;
  const instant = Date.parse(day);
  const sinceMonday = (new Date(instant).getUTCDay() + 6) % 7;
  return new Date(instant - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}
