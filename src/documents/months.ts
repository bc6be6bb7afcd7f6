/** Most months are asked for again and again, and finding out how a language writes one is slow. */
const known = new Map<string, string>();
const MOST_MONTHS = 20_000;

/** A month as a language writes it, such as Feb 2023, by an instant within it. */
export function monthIn(language: string, instant: string): string {
  const month = instant.slice(0, 7);
  const key = `${language} ${month}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const written = new Intl.DateTimeFormat(language, {
    month: "short",
    year: "numeric",
    timeZone: "UTC",
    calendar: "gregory",
  }).format(new Date(instant));
  if (known.size >= MOST_MONTHS) known.clear();
  known.set(key, written);
  return written;
}
