import { cacheKey } from "./cache.ts";
import type { Settings } from "./options.ts";

/** How long before its end a key is warned of. */
const WARNED_BEFORE_DAYS = 14;
const DAY_MS = 86_400_000;

/** The keys that were warned of. As long as the process, so that many clients of one key warn once. */
const warned = new Set<string>();

/** Warns of a key that ends soon, by what the server says of it. */
export function warnOfExpiry(header: string | null, { key, url, onWarning }: Settings, now: number): void {
  const left = Date.parse(header ?? "") - now;
  if (!(left <= WARNED_BEFORE_DAYS * DAY_MS)) return;
  const place = cacheKey(key, url);
  if (warned.has(place)) return;
  warned.add(place);
  onWarning(`The key for ${url} expires at ${header}, in ${spanOf(left)}. Ask for a new one in time.`);
}

/** What is left of a key's time. By its own clock a client may be too late for an answer that was in time. */
function spanOf(left: number): string {
  const days = Math.floor(left / DAY_MS);
  if (days < 1) return "less than a day";
  return days === 1 ? "1 day" : `${days} days`;
}
