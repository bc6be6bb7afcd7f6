import { describe, expect, test } from "bun:test";
import { ExpiryRefused, parseExpiry, parseSpan } from "../../src/keys/expiry.ts";
import { HandClock } from "../support/clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const { now } = new HandClock();

describe("a span", () => {
  test.each([
    ["0", 0],
    ["0s", 0],
    ["45s", 45_000],
    ["30m", HOUR / 2],
    ["12h", 12 * HOUR],
    ["90d", 90 * DAY],
    ["2w", 14 * DAY],
    ["999999w", 999_999 * 7 * DAY],
  ])("%s is read", (text, milliseconds) => {
    expect(parseSpan(text)).toBe(milliseconds);
  });

  test.each(["", "24", "d", "1y", "1 d", "-1d", "1.5d", "1000000w", "1D"])("%j is none", (text) => {
    expect(parseSpan(text)).toBeUndefined();
  });
});

describe("an expiry", () => {
  test("is a span from now", () => {
    expect(parseExpiry("90d", now())).toBe(now() + 90 * DAY);
  });

  test("is a date of its own", () => {
    expect(parseExpiry("2999-12-31T12:00:00+02:00", now())).toBe(Date.parse("2999-12-31T10:00:00.000Z"));
  });

  test("after the year 9999 is the end of that year", () => {
    expect(parseExpiry("999999w", now())).toBe(Date.parse("9999-12-31T23:59:59.999Z"));
  });

  test.each(["soon", "90", "1000000w", "2999-13-01", "+010000-01-01", "10000-01-01"])(
    "%s cannot be read",
    (text) => {
      expect(() => parseExpiry(text, now())).toThrow(new ExpiryRefused(text, "unreadable"));
    },
  );

  test.each(["0", "0d", "2020-01-01", "2026-04-12T08:30:00.000Z"])("%s is not in the future", (text) => {
    expect(() => parseExpiry(text, now())).toThrow(new ExpiryRefused(text, "past"));
  });
});
