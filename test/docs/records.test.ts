import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { STUDY_LEVELS } from "../../src/contract/fields.ts";
import { BOUNDS, slugFaults } from "../../src/contract/texts.ts";
import { toUtcTimestamp } from "../../src/records/dates.ts";
import { THEMES } from "../../src/records/page-fields.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { checkRecord } from "../../src/records/schema.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { code, fencesOf, firstTable, readFile, sectionOf } from "./markdown.ts";

const page = readFile("docs/records.md");

type Value = Record<string, unknown>;

/** A record in which every field is present, those that Vitrine sets too. */
function completeRecord(): Value {
  const { record } = reconcile(checkedRecord(writtenRecord()), undefined, Date.now());
  const complete = structuredClone(record) as unknown as Value;
  Object.assign(at(complete, "profile"), { language: "en" });
  Object.assign(at(complete, "linkTrees", 0), { look: { theme: "ink", accent: "#1f6feb" }, hasPage: true });
  Object.assign(at(complete, "linkTrees", 0, "links", 0), { section: "Mine", isHidden: false });
  return complete;
}

function at(value: unknown, ...path: (string | number)[]): Value {
  return path.reduce((found, part) => (found as Value)[part], value) as Value;
}

/** Where in a complete record each table's object stands. */
const OBJECTS: Record<string, (string | number)[]> = {
  Record: [],
  Profile: ["profile"],
  Job: ["jobs", 0],
  Project: ["projects", 0],
  "Link tree": ["linkTrees", 0],
  Link: ["linkTrees", 0, "links", 0],
  Look: ["linkTrees", 0, "look"],
  Education: ["education", 0],
};

interface FieldRow {
  readonly object: string;
  readonly field: string;
  readonly type: string;
  readonly atMost: string;
  readonly mayBeNull: string;
  readonly mayBeLeftOut: string;
}

const rows: FieldRow[] = Object.keys(OBJECTS).flatMap((object) =>
  firstTable(sectionOf(page, object)).map((row) => ({
    object,
    field: code(row.Field ?? ""),
    type: row.Type ?? "",
    atMost: row["At most"] ?? "",
    mayBeNull: row["May be null"] ?? "",
    mayBeLeftOut: row["May be left out"] ?? "",
  })),
);

/** Whether a record is accepted with a field changed by `edit`. */
function accepts({ object, field }: FieldRow, edit: (holder: Value, field: string) => void): boolean {
  const record = completeRecord();
  // The owner's id stands in two places that must agree, so only the one in question is there.
  if (object === "Record" && field === "id") for (const job of record.jobs as Value[]) delete job.userId;
  else if (object === "Job" && field === "userId") {
    delete record.id;
    record.jobs = [at(record, "jobs", 0)];
  }
  edit(at(record, ...(OBJECTS[object] ?? [])), field);
  return "input" in checkRecord(record);
}

/** A value of a type with exactly so many characters. */
function ofLength(type: string, length: number): string {
  if (/URL$/.test(type)) return `https://example.com/${"a".repeat(length - 20)}`;
  if (type === "e-mail address") return `${"a".repeat(64)}@${"b".repeat(length - 65)}`;
  if (/text$/.test(type)) return "🌊".repeat(length);
  return "a".repeat(length);
}

describe("docs/records.md", () => {
  test.each(Object.entries(OBJECTS))("lists exactly the fields of a %s", (object, path) => {
    const documented = rows.filter((row) => row.object === object).map(({ field }) => field);
    expect(documented.toSorted()).toEqual(Object.keys(at(completeRecord(), ...path)).toSorted());
  });

  test.each(rows)("is right about what may be null or left out: $object $field", (row) => {
    const isDataField = row.type.startsWith("data field");
    const canBeLeftOut = accepts(row, (holder, field) => delete holder[field]);
    const canBeNull = accepts(row, (holder, field) => {
      if (isDataField) at(holder, field).value = null;
      else holder[field] = null;
    });
    expect(row.mayBeLeftOut).toBe(canBeLeftOut ? "yes" : "no");
    expect(row.mayBeNull).toBe(canBeNull ? (isDataField ? "its value" : "yes") : "no");
  });

  test.each(rows.filter(({ atMost }) => atMost !== ""))("bounds $object $field at $atMost", (row) => {
    const put = (value: unknown) => (holder: Value, field: string) => {
      if (row.type.startsWith("data field")) at(holder, field).value = value;
      else holder[field] = value;
    };
    const [most = 0, longest = most] = (row.atMost.match(/\d+/g) ?? []).map(Number);
    if (row.type === "list of text") {
      const list = (entries: number, length: number) => new Array(entries).fill(ofLength(row.type, length));
      expect(accepts(row, put(list(most, longest)))).toBe(true);
      expect(accepts(row, put(list(most + 1, longest)))).toBe(false);
      expect(accepts(row, put(list(most, longest + 1)))).toBe(false);
    } else {
      expect(accepts(row, put(ofLength(row.type, most)))).toBe(true);
      expect(accepts(row, put(ofLength(row.type, most + 1)))).toBe(false);
    }
  });

  test("names a bound for everything that has one, and every bound there is", () => {
    const bounded = rows.filter(({ type }) => /text|URL|slug|identifier|e-mail/.test(type));
    for (const { object, field, atMost } of bounded)
      expect(atMost, `${object} ${field}`).toMatch(/^\d+( of \d+)?$/);
    const documented = new Set(rows.flatMap(({ atMost }) => atMost.match(/\d+/g) ?? []).map(Number));
    const E_MAIL = 320;
    expect([...documented].toSorted()).toEqual([...new Set([...Object.values(BOUNDS), E_MAIL])].toSorted());
  });

  test("names every study level", () => {
    const row = firstTable(sectionOf(page, "Types")).find(({ Type }) => Type === "study level");
    expect(row?.["What it is"]?.match(/[A-Z_]{2,}/g)).toEqual([...STUDY_LEVELS]);
  });

  test("names every theme", () => {
    const row = firstTable(sectionOf(page, "Types")).find(({ Type }) => Type === "theme");
    expect(row?.["What it is"]?.match(/(?<=`)[a-z]+(?=`)/g)).toEqual([...THEMES]);
  });

  test("explains every type that a table uses", () => {
    const explained = new Set(firstTable(sectionOf(page, "Types")).map((row) => row.Type ?? ""));
    const used = rows.map(({ type }) => type.replace(/^(data field with|list of) /, ""));
    const plain = used.filter((type) => type !== "boolean" && !type.startsWith("["));
    expect(new Set(plain)).toEqual(explained);
  });

  test.each(firstTable(sectionOf(page, "Slugs")))("is right that a slug has no $Refused", (row) => {
    const numbers = row["Such as"]?.match(/(?<=U\+)[\dA-F]+/g) ?? [];
    expect(numbers.length).toBeGreaterThan(0);
    for (const number of numbers) {
      const slug = `a${String.fromCodePoint(Number.parseInt(number, 16))}b`;
      expect([number, slugFaults(slug).length]).toEqual([number, 1]);
    }
  });

  test("is right about the emoji and the letters that a slug may have", () => {
    for (const slug of ["🌊", "👍🏽", "🇵🇹", "\u0061", "\u0430"]) expect(slugFaults(slug)).toEqual([]);
    for (const slug of ["👩\u200d💻", "\u2764\ufe0f"]) expect(slugFaults(slug)).toHaveLength(1);
  });

  test.each(firstTable(sectionOf(page, "Dates")))("says how $Written is stored", ({ Written, Stored }) => {
    expect(toUtcTimestamp(code(Written ?? ""))).toBe(code(Stored ?? ""));
  });
});

describe("an example record in a Markdown file", () => {
  const examples = ["docs/start.md", "docs/records.md"].flatMap((file) =>
    fencesOf(readFile(file), "yaml").map((yaml, index) => ({ file, number: index + 1, yaml })),
  );

  test.each(examples)("is accepted: $file, number $number", ({ yaml }) => {
    expect(checkRecord(parse(yaml))).toHaveProperty("input");
  });

  test("is to be found in both", () => {
    expect(new Set(examples.map(({ file }) => file)).size).toBe(2);
  });
});
