import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { slugFaults } from "../../../src/contract/texts.ts";
import { toUtcTimestamp } from "../../../src/records/dates.ts";
import {
  completed,
  completedWeb,
  linksIn,
  slugFor,
  treeSlugFor,
} from "../../../src/studio/app/editing/addresses.ts";
import { instantOf, partsOf, periodOf, wrongWithDate } from "../../../src/studio/app/editing/dates.ts";
import type { Draft } from "../../../src/studio/app/editing/draft.ts";

describe("a date that is typed", () => {
  test.each([
    [{ year: "2024", month: "", day: "" }, "2024"],
    [{ year: "2024", month: "03", day: "" }, "2024-03"],
    [{ year: "2024", month: "03", day: "7" }, "2024-03-07"],
  ])("%p is stored as an import stores it", (parts, written) => {
    expect(instantOf(parts)).toBe(toUtcTimestamp(written) as string);
  });

  test("shows a day only where there is one, and stays the same when it is given again", () => {
    expect(partsOf("2024-03-01T00:00:00.000Z")).toEqual({ year: "2024", month: "03", day: "" });
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
        (date) => {
          const instant = `${date.toISOString().slice(0, 10)}T00:00:00.000Z`;
          expect(instantOf(partsOf(instant))).toBe(instant);
        },
      ),
    );
  });

  test("stays what it is while it is no date, for the check to name it, and is nothing when nothing is typed", () => {
    expect(instantOf({ year: "2024", month: "02", day: "31" })).toBe("2024-02-31");
    expect(instantOf({ year: "20", month: "", day: "" })).toBe("20-01-01");
    expect(toUtcTimestamp(instantOf({ year: "2024", month: "", day: "7" }) ?? "")).toBeUndefined();
    expect(instantOf({ year: "", month: "", day: "" })).toBeUndefined();
  });

  test.each([
    { year: "20", month: "03", day: "" },
    { year: "2", month: "03", day: "07" },
    { year: "", month: "03", day: "" },
    { year: "2024", month: "02", day: "31" },
    { year: "2024", month: "", day: "07" },
    { year: "2024", month: "", day: "01" },
  ])("that is no date, as %p, is shown as it was typed to whoever comes back to it", (parts) => {
    expect(partsOf(instantOf(parts))).toEqual(parts);
  });

  test.each(["1", "7"])("whose day, %s, has no month beside it wants one", (day) => {
    expect(wrongWithDate(instantOf({ year: "2024", month: "", day }))).toBe("needs a month beside its day");
  });

  test("makes a period in words", () => {
    const startDate = "2023-02-01T00:00:00.000Z";
    expect(periodOf({ startDate, isCurrent: true })).toBe("Feb 2023 – now");
    expect(periodOf({ startDate, endDate: "2024-01-31T00:00:00.000Z", isCurrent: false })).toBe(
      "Feb 2023 – Jan 2024",
    );
    expect(periodOf({ startDate: "20", isCurrent: false })).toBe("");
  });
});

describe("an address that is typed or pasted", () => {
  test.each([
    ["example.com", "https://example.com"],
    [" example.com/a?b#c ", "https://example.com/a?b#c"],
    ["mira@example.com", "mailto:mira@example.com"],
    ["+47 55 50 12 34", "tel:+4755501234"],
    ["55.50.12.345", "tel:555012345"],
    ["+49 (0)30 1234567", "tel:+49301234567"],
    ["(030) 123–4567", "tel:0301234567"],
    ["+۹۸ ۲۱ ۱۲۳۴۵۶۷۸", "tel:+982112345678"],
    ["\u200ehttps://example.com/\u202c", "https://example.com/"],
    ["उदाहरण.भारत", "https://उदाहरण.भारत"],
    ["my_site.example.com", "https://my_site.example.com"],
    ["50%off@example.com", "mailto:50%25off@example.com"],
    ["192.168.1.10", "https://192.168.1.10"],
    ["192.168.1.10:8080/x", "https://192.168.1.10:8080/x"],
    ["example.com:8080/x", "https://example.com:8080/x"],
    ["http://example.com", "http://example.com"],
    ["no address at all", "no address at all"],
    ["javascript:alert(1)", "javascript:alert(1)"],
  ])("%p becomes %p", (typed, whole) => {
    expect(completed(typed)).toBe(whole);
  });

  test("is only made one of the web where nothing else is taken", () => {
    expect(completedWeb("example.com")).toBe("https://example.com");
    expect(completedWeb("example.com:8080/x")).toBe("https://example.com:8080/x");
    expect(completedWeb("mira@example.com")).toBe("mira@example.com");
    expect(completedWeb("com.example.app:open")).toBe("com.example.app:open");
  });

  test("becomes a link with a first label, one for each line", () => {
    const links = linksIn("https://www.example.com/talks\n\nmira@example.com\r\n");
    expect(links.map(({ label, url }) => [label, url])).toEqual([
      ["example.com", "https://www.example.com/talks"],
      ["mira@example.com", "mailto:mira@example.com"],
    ]);
    expect(new Set(links.map(({ id }) => id)).size).toBe(2);
  });

  test("with letters beyond those of English is labelled as it was typed", () => {
    const links = linksIn("www.münchen.example/karte\nhttps://ไทย.example:8080");
    expect(links.map(({ label }) => label)).toEqual(["münchen.example", "ไทย.example"]);
  });

  test("with a percent sign that begins no escape becomes a link as well", () => {
    const links = linksIn("50%off@example.com\nmailto:50%off@example.com");
    expect(links.map(({ label }) => label)).toEqual(["50%off@example.com", "50%off@example.com"]);
  });

  test("is suggested from a title in letters that need no escaping", () => {
    expect(slugFor("Åse Ødegård: Maps & Tides!")).toBe("ase-odegard-maps-tides");
    expect(slugFor("Søn")).toBe("son");
    expect(slugFor("ŁUKASZ STRAẞE")).toBe("lukasz-strasse");
    expect(slugFor("漢字")).toBe("");
  });

  test("is suggested from a long title without the hyphen at which it is cut", () => {
    expect(slugFor(`${"a".repeat(59)} b`)).toBe("a".repeat(59));
  });

  test("is suggested for a link tree from a name, or from a profile's address, and fits into its field", () => {
    const profile = (value: string | null, slug: string) =>
      ({ slug, name: { isPublic: true, value } }) as Draft["profile"];
    expect(treeSlugFor(profile("Åse Ødegård", "a"))).toMatch(/^ase-odegard-[0-9a-f]{4}$/);
    expect(treeSlugFor(profile("漢字", "漢字"))).toMatch(/^漢字-[0-9a-f]{4}$/);
    expect(slugFaults(treeSlugFor(profile(null, "漢".repeat(100))))).toEqual([]);
    expect(slugFaults(treeSlugFor(profile("漢字", "a".repeat(100))))).toEqual([]);
  });
});
