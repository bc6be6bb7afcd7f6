/** A date as people give it: a year, perhaps a month, perhaps a day. Texts, since they are typed. */
export interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T/;

/** What `instantOf` makes: an instant, or what is no date yet. */
const PARTS = /^(\d*)-(\d\d)-(\d\d)(?:T|$)/;

/** The parts of a date. The first of a month is how a month without a day is stored, and is shown as one. */
export function partsOf(date: string | null | undefined): DateParts {
  const [, year = "", month = "", day = ""] = PARTS.exec(date ?? "") ?? [];
  return { year, month, day: day === "01" ? "" : day };
}

/**
 * The instant of a date, as it would be stored: so that giving the same date again is no change. What is no date stays
 * what was typed, for the check to name it; nothing at all is `undefined`.
 */
export function instantOf({ year, month, day }: DateParts): string | undefined {
  if (year === "" && month === "" && day === "") return undefined;
  const date = [year, ...[month || "1", day || "1"].map((part) => part.padStart(2, "0"))].join("-");
  const instant = `${date}T00:00:00.000Z`;
  const read = new Date(instant);
  const isDate = /^\d{4}-/.test(date) && !Number.isNaN(read.getTime()) && read.toISOString() === instant;
  return isDate ? instant : date;
}

const month = new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" });

/** From when to when, such as "Feb 2023 – now". */
export function periodOf(entry: {
  readonly startDate?: string | null | undefined;
  readonly endDate?: string | null | undefined;
  readonly isCurrent: boolean;
}): string {
  const end = entry.isCurrent ? "now" : monthOf(entry.endDate);
  return [monthOf(entry.startDate), end].filter(Boolean).join(" – ");
}

function monthOf(instant: string | null | undefined): string {
  return instant && INSTANT.test(instant) ? month.format(new Date(instant)) : "";
}
