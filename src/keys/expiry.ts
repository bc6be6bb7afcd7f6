import { toUtcTimestamp } from "../records/dates.ts";
import { representable } from "./lifetime.ts";

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** `90d`, `12h`, `30m`: a span in milliseconds. A plain `0` is none at all. */
export function parseSpan(text: string): number | undefined {
  if (text === "0") return 0;
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  return match ? Number(match[1]) * UNITS[match[2] as keyof typeof UNITS] : undefined;
}

/** A text that says no time at which a key could expire. */
export class ExpiryRefused extends Error {
  override readonly name = "ExpiryRefused";
  readonly fault: "unreadable" | "past";

  constructor(text: string, fault: ExpiryRefused["fault"]) {
    super(`${JSON.stringify(text)} is ${fault === "past" ? "not in the future" : "no span and no date"}`);
    this.fault = fault;
  }
}

/** The time at which a key is to expire: after a span from now, or at a date that is still to come. */
export function parseExpiry(text: string, now: number): number {
  const span = parseSpan(text);
  const expiry = span === undefined ? Date.parse(toUtcTimestamp(text) ?? "") : representable(now + span);
  if (Number.isNaN(expiry)) throw new ExpiryRefused(text, "unreadable");
  if (expiry <= now) throw new ExpiryRefused(text, "past");
  return expiry;
}
