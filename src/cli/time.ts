import { toUtcTimestamp } from "../records/dates.ts";
import { Misuse } from "./failure.ts";

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `90d`, `12h`, `30m`: a span in milliseconds. A plain `0` is none at all. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0;
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  return match ? Number(match[1]) * UNITS[match[2] as keyof typeof UNITS] : undefined;
}

/** When a key is to expire: after a span from now, or at a date that is still to come. */
export function parseExpiry(text: string, now: number): number {
  const span = parseDuration(text);
  const date = span === undefined ? toUtcTimestamp(text) : undefined;
  const expiry = span !== undefined ? now + span : date !== undefined ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(expiry)) {
    throw new Misuse(
      `--expires is ${JSON.stringify(text)}, but it must be a span such as 90d or 12h, or a date`,
      "vitrine key create EMAIL --expires 90d",
    );
  }
  if (expiry <= now)
    throw new Misuse(`--expires ${text} is not in the future`, "vitrine key create EMAIL --expires 90d");
  return expiry;
}
