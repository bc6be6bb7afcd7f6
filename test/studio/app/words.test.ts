import { describe, expect, test } from "bun:test";
import { minuteOf, momentAmong } from "../../../src/studio/app/words.ts";

describe("a moment among others", () => {
  const [alone, first, second] = [
    "2026-03-01T10:00:00.000Z",
    "2026-03-01T11:58:01.000Z",
    "2026-03-01T11:58:42.000Z",
  ];
  const all = [alone, first, second];

  test("is told to the second where another was in the same minute", () => {
    expect(momentAmong(all, first)).toContain("58:01");
    expect(momentAmong(all, second)).toContain("58:42");
  });

  test("is told to the minute otherwise", () => {
    expect(momentAmong(all, alone)).toBe(minuteOf(alone));
  });
});
