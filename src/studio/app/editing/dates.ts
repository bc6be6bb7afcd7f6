/** A date as people give it: a year, perhaps a month, perhaps a day. Texts, since they are typed. */
export interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T/;

/** What `instantOf` makes: an instant, or what is no date yet. */
const PARTS = /^(\d*)-(\d\d)-(\d\d)(?:T|$)/;

/** Where a day is given without its month: nobody meant January. */
const NO_MONTH = "00";

/** The parts of a date. The first of a month is how a month without a day is stored, and is shown as one. */
export function partsOf(date: string | null | undefined): DateParts {
  const [, year = "", month = "", day = ""] = PARTS.exec(date ?? "") ?? [];
  if (month === NO_MONTH) return { year, month: "", day };
  return { year, month, day: day === "01" ? "" : day };
}

/**
 * The instant of a date, as it would be stored: so that giving the same date again is no change. What is no date stays
 * what was typed, for the check to name it; nothing at all is `undefined`.
 */
export function instantOf({ year, month, day }: DateParts): string | undefined {
  if (year === "" && month === "" && day === "") return undefined;
  const monthOr = month || (day === "" ? "1" : NO_MONTH);
  const date = [year, ...[monthOr, day || "1"].map((part) => part.padStart(2, "0"))].join("-");
  const instant = `${date}T00:00:00.000Z`;
  const read = new Date(instant);
  const isDate = /^\d{4}-/.test(date) && !Number.isNaN(read.getTime()) && read.toISOString() === instant;
  return isDate ? instant : date;
}

/** What is wrong with a date that is none, in the words of its fields: the check names how a record is written. */
export function wrongWithDate(date: string | null | undefined): string {
  const { year, month, day } = partsOf(date);
  if (!/^\d{4}$/.test(year)) return "needs a year of four digits";
  return day !== "" && month === "" ? "needs a month beside its day" : "there is no such day";
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
