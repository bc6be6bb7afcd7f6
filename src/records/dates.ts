import { EARLIEST_INSTANT, LATEST_INSTANT } from "../contract/instants.ts";

const CALENDAR_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const BASIC_CALENDAR_DATE = /^(\d{4})(\d{2})(\d{2})$/;
const ORDINAL_DATE = /^(\d{4})-?(\d{3})$/;
const WEEK_DATE = /^(\d{4})-?W(\d{2})(?:-?([1-7]))?$/;
const TIME = /^(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,](\d+))?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Midnight UTC of a date. `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function midnight(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function calendarDay(year: number, month: number, day: number): number | undefined {
  const instant = midnight(year, month, day);
  const date = new Date(instant);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? instant : undefined;
}

function dateOf(text: string): number | undefined {
  const calendar = CALENDAR_DATE.exec(text) ?? BASIC_CALENDAR_DATE.exec(text);
  if (calendar) return calendarDay(Number(calendar[1]), Number(calendar[2] ?? 1), Number(calendar[3] ?? 1));

  const ordinal = ORDINAL_DATE.exec(text);
  if (ordinal) {
    const [year, day] = [Number(ordinal[1]), Number(ordinal[2])];
    const instant = midnight(year, 1, day);
    return day > 0 && instant < midnight(year + 1, 1, 1) ? instant : undefined;
  }

  const week = WEEK_DATE.exec(text);
  if (week) {
    const [year, number, weekday] = [Number(week[1]), Number(week[2]), Number(week[3] ?? 1)];
    const weekOne = firstMonday(year);
    const monday = weekOne + (number - 1) * 7 * DAY;
    return number > 0 && monday < firstMonday(year + 1) ? monday + (weekday - 1) * DAY : undefined;
  }
  return undefined;
}

/** The Monday of the week that holds 4 January, which ISO 8601 calls week 1. */
function firstMonday(year: number): number {
  const fourth = midnight(year, 1, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
}

/**
 * Milliseconds since midnight UTC. A time without an offset is taken as UTC, as a date without a time is. A fraction
 * belongs to the last part that is given: seconds, minutes or hours.
 */
function timeOf(text: string): number | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
  const fraction = Number(`0.${match[4] ?? 0}`);
  if (hours > 24 || minutes > 59 || seconds > 59) return undefined;
  if (hours === 24 && minutes + seconds + fraction > 0) return undefined;

  const offset = offsetOf(match[5] ?? "Z");
  if (offset === undefined) return undefined;
  const unit = match[3] !== undefined ? 1000 : match[2] !== undefined ? MINUTE : 60 * MINUTE;
  // Seconds are cut to milliseconds digit by digit: 0.29 s must not become 289 ms in floating point.
  const rest =
    unit === 1000 ? Number((match[4] ?? "").slice(0, 3).padEnd(3, "0")) : Math.floor(fraction * unit);
  return hours * 60 * MINUTE + minutes * MINUTE + seconds * 1000 + rest - offset;
}

function offsetOf(text: string): number | undefined {
  if (text === "Z") return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(":", ""))];
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

const PLAIN =
  /^(?!0000)\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z)?$/;

/** Almost every date of a large import is a plain day or in the form that is stored: these need no arithmetic. */
function plainTimestamp(text: string): string | undefined {
  if (!PLAIN.test(text)) return undefined;
  return text.length === 10 ? `${text}T00:00:00.000Z` : text;
}

/**
 * Any ISO 8601 date or date-time, as the instant in UTC that Vitrine stores and sends:
 * `2024-03`, `2024-03-01`, `20240301T0930+0530`, `2024-W09-5`, `2024-03-01T10:00:00.5-08:00`.
 */
export function toUtcTimestamp(text: string): string | undefined {
  const plain = plainTimestamp(text);
  if (plain !== undefined) return plain;
  const [datePart = "", timePart, ...rest] = text.split("T");
  if (rest.length > 0) return undefined;
  const date = dateOf(datePart);
  const time = timePart === undefined ? 0 : timeOf(timePart);
  if (date === undefined || time === undefined) return undefined;
  const instant = date + time;
  if (instant < EARLIEST_INSTANT || instant > LATEST_INSTANT) return undefined;
  return new Date(instant).toISOString();
}
