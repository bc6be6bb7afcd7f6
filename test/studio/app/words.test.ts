import { describe, expect, test } from "bun:test";
import { differencesBetween } from "../../../src/records/differences.ts";
import { reconcile } from "../../../src/records/reconcile.ts";
import { differenceWords, minuteOf, momentAmong } from "../../../src/studio/app/words.ts";
import { withValue } from "../../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../../support/records.ts";

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

describe("a difference of two records", () => {
  const record = reconcile(checkedRecord(writtenRecord()), undefined, 0).record;
  const wordsFor = (place: string, value: unknown) =>
    differencesBetween(record, withValue(record, place, value) as typeof record).map(differenceWords);

  test.each([
    ["profile.location.value", "Rome", "Place changed."],
    ["profile.summary.value", null, "About you removed."],
    ["profile.avatarUrl.isPublic", false, "Picture made private."],
    ["profile.codehostUrl.value", "https://a.example/", "Code host changed."],
    ["profile.slug", "new", "Address of the profile changed."],
    ["profile.isPublic", false, "Profile made private."],
    ["jobs", [], "Jobs: 2 removed."],
  ])("at %s is called as its form calls it", (place, value, words) => {
    expect(wordsFor(place, value)).toEqual([words]);
  });
});
