const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** An instant in the time of a zone so many minutes from UTC, with the offset written in full. */
function atOffset(instant: Date, minutes: number): string {
  const local = new Date(instant.getTime() + minutes * MINUTE).toISOString().slice(0, -1);
  return local + offset(minutes, ":");
}

function offset(minutes: number, separator: string): string {
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${hours}${separator}${rest}`;
}

/** The same instant as ISO 8601 lets one write it. */
export function notationsOf(instant: Date, offsetMinutes: number): string[] {
  const utc = instant.toISOString();
  const time = utc.slice(10);
  const local = atOffset(instant, offsetMinutes);
  return [
    utc,
    utc.slice(0, -1),
    utc.replace(".", ","),
    utc.replace("Z", "+00"),
    utc.replace("Z", "999Z"),
    utc.replaceAll(/[-:]/g, ""),
    local,
    local.slice(0, -6).replaceAll(/[-:]/g, "") + offset(offsetMinutes, ""),
    ordinalDate(instant, "-") + time,
    ordinalDate(instant, "") + time.replaceAll(":", ""),
    weekDate(instant, "-") + time,
    weekDate(instant, "") + time.replaceAll(":", ""),
  ];
}

function yearOf(date: Date): string {
  return date.toISOString().slice(0, 4);
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.parse(`${yearOf(date)}-01-01T00:00:00Z`)) / DAY) + 1;
}

export function ordinalDate(date: Date, separator: string): string {
  return yearOf(date) + separator + String(dayOfYear(date)).padStart(3, "0");
}

/** A week belongs to the year that has its Thursday. */
export function weekDate(date: Date, separator: string): string {
  const weekday = date.getUTCDay() || 7;
  const thursday = new Date(date.getTime() + (4 - weekday) * DAY);
  const week = String(Math.ceil(dayOfYear(thursday) / 7)).padStart(2, "0");
  return `${yearOf(thursday)}${separator}W${week}${separator}${weekday}`;
}
