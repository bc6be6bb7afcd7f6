import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toUtcTimestamp } from "../../src/records/dates.ts";
import { notationsOf, ordinalDate, weekDate } from "../support/date-notations.ts";

describe("a date", () => {
  test.each([
    ["2024", "2024-01-01T00:00:00.000Z"],
    ["2024-03", "2024-03-01T00:00:00.000Z"],
    ["2024-03-01", "2024-03-01T00:00:00.000Z"],
    ["20240301", "2024-03-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2000-02-29", "2000-02-29T00:00:00.000Z"],
    ["0099-05-06", "0099-05-06T00:00:00.000Z"],
  ])("%s is the beginning of its first day in UTC", (text, instant) => {
    expect(toUtcTimestamp(text)).toBe(instant);
  });

  test.each([
    ["2024-001", "2024-01-01T00:00:00.000Z"],
    ["2024-060", "2024-02-29T00:00:00.000Z"],
    ["2024366", "2024-12-31T00:00:00.000Z"],
    ["2023-365", "2023-12-31T00:00:00.000Z"],
  ])("%s is a day of a year by its number", (text, instant) => {
    expect(toUtcTimestamp(text)).toBe(instant);
  });

  test.each([
    ["2024-W09", "2024-02-26T00:00:00.000Z"],
    ["2024-W09-5", "2024-03-01T00:00:00.000Z"],
    ["2024W095", "2024-03-01T00:00:00.000Z"],
    ["2020-W53-7", "2021-01-03T00:00:00.000Z"],
    ["2019-W01-1", "2018-12-31T00:00:00.000Z"],
  ])("%s is a day of a week by its number", (text, instant) => {
    expect(toUtcTimestamp(text)).toBe(instant);
  });
});

describe("a date-time", () => {
  test.each([
    ["2024-03-01T10:00:00Z", "2024-03-01T10:00:00.000Z"],
    ["2024-03-01T10:00:00.5Z", "2024-03-01T10:00:00.500Z"],
    ["2024-03-01T10:00:00,25Z", "2024-03-01T10:00:00.250Z"],
    ["2024-03-01T10:00Z", "2024-03-01T10:00:00.000Z"],
    ["2024-03-01T10Z", "2024-03-01T10:00:00.000Z"],
    ["20240301T100001Z", "2024-03-01T10:00:01.000Z"],
    ["2024-060T10:00Z", "2024-02-29T10:00:00.000Z"],
    ["2024-W09-5T10:00Z", "2024-03-01T10:00:00.000Z"],
  ])("%s may be written with less or more precision", (text, instant) => {
    expect(toUtcTimestamp(text)).toBe(instant);
  });

  test.each([
    ["2024-03-01T10:30.5Z", "2024-03-01T10:30:30.000Z"],
    ["2024-03-01T10:30,25Z", "2024-03-01T10:30:15.000Z"],
    ["2024-03-01T10.5Z", "2024-03-01T10:30:00.000Z"],
    ["20240301T10,75Z", "2024-03-01T10:45:00.000Z"],
  ])("%s may have a fraction of its last part, whichever that is", (text, instant) => {
    expect(toUtcTimestamp(text)).toBe(instant);
  });

  test("is cut, not rounded, to the millisecond", () => {
    expect(toUtcTimestamp("2024-03-01T10:00:00.9999999Z")).toBe("2024-03-01T10:00:00.999Z");
  });

  test("without an offset is in UTC, as a date is", () => {
    expect(toUtcTimestamp("2024-03-01T10:00")).toBe("2024-03-01T10:00:00.000Z");
  });

  test.each([
    ["2024-03-01T10:00+05:30", "2024-03-01T04:30:00.000Z"],
    ["2024-03-01T10:00-08:00", "2024-03-01T18:00:00.000Z"],
    ["2024-03-01T10:00+0530", "2024-03-01T04:30:00.000Z"],
    ["2024-03-01T10:00-08", "2024-03-01T18:00:00.000Z"],
    ["2024-03-01T10:00+14:00", "2024-02-29T20:00:00.000Z"],
    ["2024-12-31T23:00-01:00", "2025-01-01T00:00:00.000Z"],
    ["2024-03-01T10:00+00:00", "2024-03-01T10:00:00.000Z"],
    ["2024-03-01T10:00-23:59", "2024-03-02T09:59:00.000Z"],
  ])("%s is brought to UTC by its offset", (text, instant) => {
    expect(toUtcTimestamp(text)).toBe(instant);
  });

  test.each([
    ["2024-12-31T24:00Z", "2025-01-01T00:00:00.000Z"],
    ["2024-02-29T24:00:00.000Z", "2024-03-01T00:00:00.000Z"],
    ["2024-02-28T24", "2024-02-29T00:00:00.000Z"],
    ["2024-03-01T24:00+01:00", "2024-03-01T23:00:00.000Z"],
  ])("%s ends its day where the next begins", (text, instant) => {
    expect(toUtcTimestamp(text)).toBe(instant);
  });
});

describe("what no calendar or clock shows", () => {
  test.each([
    "2023-02-29",
    "1900-02-29",
    "2024-02-30",
    "2024-04-31",
    "2024-13-01",
    "2024-00-01",
    "2024-01-00",
    "20240230",
    "2023-366",
    "2024-367",
    "2024-000",
    "2021-W53-1",
    "2020-W54",
    "2024-W00-1",
    "2024-W09-0",
    "2024-W09-8",
  ])("%s is no date", (text) => {
    expect(toUtcTimestamp(text)).toBeUndefined();
  });

  test.each([
    "2024-03-01T25:00",
    "2024-03-01T24:01",
    "2024-03-01T24:00:01",
    "2024-03-01T24:00:00.001",
    "2024-03-01T24:00:00.0001",
    "2024-03-01T10:60",
    "2024-03-01T10:00:61",
    "2024-03-01T10:00+24:00",
    "2024-03-01T10:00+05:60",
  ])("%s is no time", (text) => {
    expect(toUtcTimestamp(text)).toBeUndefined();
  });
});

describe("a text", () => {
  test.each([
    "",
    " ",
    "now",
    "24",
    "202403",
    "2024-3-1",
    "2024/03/01",
    "01.03.2024",
    "March 1, 2024",
    "Fri, 01 Mar 2024 10:00:00 GMT",
    "2024-03-01 ",
    " 2024-03-01",
    "2024-03-01\n",
    "2024-03-01T",
    "2024-03-01 10:00",
    "2024-03-01T10:00:00.Z",
    "2024-03-01T10:0",
    "2024-03-01T10:00 Z",
    "2024-03-01T10:00+5",
    "2024-03-01T10:00+05:3",
    "2024-03-01T10:00T11:00",
    "2024-03-01T10:00Z+01:00",
    "T10:00",
    "2024-03-01/2024-03-02",
    "P1Y",
    "1709280000000",
    "٢٠٢٤-٠٣-٠١",
  ])("%p is no ISO 8601 date", (text) => {
    expect(toUtcTimestamp(text)).toBeUndefined();
  });

  test("of any kind is either refused or becomes a timestamp that stays as it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\dTWZ:.,+-]{4,30}$/)), (text) => {
        const timestamp = toUtcTimestamp(text);
        if (timestamp === undefined) return;
        expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(toUtcTimestamp(timestamp)).toBe(timestamp);
      }),
    );
  });
});

describe("the years", () => {
  test.each([
    ["0001-01-01", "0001-01-01T00:00:00.000Z"],
    ["0001-01-01T01:00+01:00", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("1 to 9999 have %s", (text, instant) => {
    expect(toUtcTimestamp(text)).toBe(instant);
  });

  test.each([
    "0000-12-31",
    "0001-01-01T00:00+00:01",
    "9999-12-31T24:00Z",
    "9999-12-31T23:59:59.999-00:01",
    "10000-01-01",
    "+010000-01-01",
    "-0001-01-01",
  ])("1 to 9999 do not have %s", (text) => {
    expect(toUtcTimestamp(text)).toBeUndefined();
  });
});

describe("an instant of the years 1 to 9999", () => {
  /** A day from either end, so that every offset stays within four digits of a year. */
  const instants = fc.date({
    min: new Date("0001-01-02T00:00:00.000Z"),
    max: new Date("9999-12-30T23:59:59.999Z"),
    noInvalidDate: true,
  });

  test("is the same in every notation", () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (instant, offsetMinutes) => {
        for (const text of notationsOf(instant, offsetMinutes))
          expect(`${text} is ${toUtcTimestamp(text)}`).toBe(`${text} is ${instant.toISOString()}`);
      }),
    );
  });

  test("begins a day that has a name by date, by number and by week", () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const day = instant.toISOString().slice(0, 10);
        for (const text of [day, day.replaceAll("-", ""), ordinalDate(instant, "-"), weekDate(instant, "-")])
          expect(`${text} is ${toUtcTimestamp(text)}`).toBe(`${text} is ${day}T00:00:00.000Z`);
      }),
    );
  });
});
