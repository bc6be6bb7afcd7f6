import { describe, expect, test } from "bun:test";
import { retryAfterSeconds } from "../../client/src/retry-after.ts";

const NOW = Date.parse("2026-04-12T08:30:00.000Z");

describe("Retry-After", () => {
  test.each([
    ["0", 0],
    ["1", 1],
    ["59", 59],
    ["Sun, 12 Apr 2026 08:30:30 GMT", 30],
    ["Sun, 12 Apr 2026 08:29:00 GMT", 0],
  ])("%p is %d seconds from now", (header, expected) => {
    expect(retryAfterSeconds(header, NOW)).toBe(expected);
  });

  test("of a date is rounded up, so that nobody comes too early", () => {
    expect(retryAfterSeconds("Sun, 12 Apr 2026 08:30:30 GMT", NOW + 1)).toBe(30);
  });

  test.each([null, "", "soon", "-1", "1.5.5"])("%p says nothing", (header) => {
    expect(retryAfterSeconds(header, NOW)).toBeUndefined();
  });
});
