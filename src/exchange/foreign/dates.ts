import { toUtcTimestamp } from "../../records/dates.ts";

/** Languages whose names of months are known. Most files are in English, and to ask for all takes a moment. */
const ENGLISH = ["en", "en-GB"];
const OTHERS = "de fr es it pt ca nl sv da nb fi pl cs sk hr hu ro tr el ru uk bg".split(" ");

/** The day may stand before the month or behind it, and the year stands last: `3 May 2020`, `May 3, 2020`. */
const WORDED =
  /^(?:(\d{1,2})(?:\.|st|nd|rd|th)?[ -](?:de )?)?(\p{L}[\p{L}\p{M}]*)\.?(?: (\d{1,2})(?:st|nd|rd|th)?)?(?:,? (?:de )?|-)(\d{4})$/iu;

const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})(?:\2(\d{1,2}))?$/;
const MONTH_FIRST = /^(\d{1,2})[-./](\d{4})$/;
/** Who writes points writes the day first. With slashes nobody can tell, so that such a date is none. */
const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/**
 * A date as people and programs write it, as ISO 8601: `2020`, `2020-5`, `Jan 2020`, `5/2020`, `3 May 2020`. Of a date
 * with a time it is the day: at midnight east of Greenwich, UTC has the day before.
 */
export function dateIn(text: string): string | undefined {
  const [day = "", time] = text.split(/[T ](?=\d\d:)/);
  if (time !== undefined && toUtcTimestamp(`${day}T${time}`) !== undefined) return day;
  if (toUtcTimestamp(text) !== undefined) return text;
  const iso = rewritten(text);
  return iso !== undefined && toUtcTimestamp(iso) !== undefined ? iso : undefined;
}

function rewritten(text: string): string | undefined {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return written(yearFirst[1], yearFirst[3], yearFirst[4]);
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return written(monthFirst[2], monthFirst[1]);
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return written(dayFirst[3], dayFirst[2], dayFirst[1]);
  const [, before, name, behind, year] = WORDED.exec(text) ?? [];
  if (name === undefined || (before !== undefined && behind !== undefined)) return undefined;
  const month = monthCalled(name);
  return month === undefined ? undefined : written(year, String(month), before ?? behind);
}

function written(...parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => part?.padStart(2, "0") ?? []).join("-");
}

let english: ReadonlyMap<string, number> | undefined;
let others: ReadonlyMap<string, number> | undefined;

/** The number of a month by its whole name, or by what it is shortened to. A part of a name may be another month's. */
function monthCalled(name: string): number | undefined {
  const folded = fold(name);
  english ??= monthsOf(ENGLISH);
  const month = english.get(folded);
  if (month !== undefined) return month;
  others ??= monthsOf(OTHERS);
  return others.get(folded) || undefined;
}

/** The months by their names. What two languages call different ones, as `listopad`, is 0. */
function monthsOf(languages: readonly string[]): Map<string, number> {
  const months = new Map<string, number>();
  for (const format of languages.flatMap(formatsIn))
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2020, month - 1, 1));
      const name = fold(parts.find(({ type }) => type === "month")?.value ?? "");
      months.set(name, (months.get(name) ?? month) === month ? month : 0);
    }
  return months;
}

/** How a language names months before a year and behind a day, where many write them otherwise. */
function formatsIn(language: string): Intl.DateTimeFormat[] {
  const style = { calendar: "gregory", timeZone: "UTC" } as const;
  return (["long", "short"] as const).flatMap((month) => [
    new Intl.DateTimeFormat(language, { month, year: "numeric", ...style }),
    new Intl.DateTimeFormat(language, { month, day: "numeric", ...style }),
  ]);
}

function fold(name: string): string {
  return name.normalize().toLowerCase().replace(/\.$/, "");
}
