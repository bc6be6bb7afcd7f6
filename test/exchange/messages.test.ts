import { describe, expect, test } from "bun:test";
import { importRecords } from "../../src/exchange/import.ts";
import type { PlacedProblem } from "../../src/exchange/problems.ts";
import { JSON_MISTAKES } from "../../src/exchange/syntax/json.ts";
import { YAML_MISTAKES } from "../../src/exchange/syntax/yaml.ts";
import { MISTAKES } from "../../src/records/advice.ts";
import { formatProblem } from "../../src/records/problems.ts";
import { writtenRecord } from "../support/records.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

/** What an import tells of the problems of one file. */
async function told(name: string, text: string | Uint8Array): Promise<PlacedProblem[]> {
  using folder = new TemporaryFolder();
  await Bun.write(folder.file(name), text);
  const problems: PlacedProblem[] = [];
  const imported = importRecords([folder.file(name)], {
    database: { engine: "sqlite", file: folder.file("none.db") },
    isDryRun: true,
    onProblem: (problem) => problems.push(problem),
    onProgress: () => {},
    onWaiting: () => {},
  });
  await imported.catch(() => {});
  return problems;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** A good record of YAML in which one line is wrong. */
const YAML = (wrong: string) => `email: ada@example.com
profile:
  isPublic: true
  slug: ada
${wrong}
`;

interface Row {
  readonly mistake: string;
  readonly file: string;
  readonly text: string;
  readonly says: string;
  readonly at: readonly [line: number, column: number];
}

const ROWS: readonly Row[] = [
  {
    mistake: "a field by a mistyped name",
    file: "a.yaml",
    text: YAML("linktrees: []"),
    says: "linktrees: is not a known field: did you mean linkTrees?",
    at: [5, 1],
  },
  {
    mistake: "a text that is no record, such as a table",
    file: "people.csv",
    text: "email,slug\nada@example.com,ada\n",
    says: "must be an object, not a string: write its fields, as in email: ada@example.com",
    at: [1, 1],
  },
  {
    mistake: "a text that YAML and JSON read as a number",
    file: "a.yaml",
    text: YAML("  location: { isPublic: true, value: 1842 }"),
    says: "profile.location.value: must be a string, not the number 1842: put quotes around 1842",
    at: [5, 38],
  },
  {
    mistake: "another word for yes or no",
    file: "a.yaml",
    text: YAML("").replace("isPublic: true", "isPublic: yes"),
    says: "profile.isPublic: must be a boolean, not a string: write true or false, without quotes",
    at: [3, 13],
  },
  {
    mistake: "a date that does not exist, or in another order",
    file: "a.json",
    text: JSON.stringify({ ...writtenRecord(), createdAt: "2024-02-30" }, null, 2),
    says: "createdAt: must be an ISO 8601 date or date-time, such as 2024-03-01: 30 February does not exist in 2024",
    at: [JSON.stringify(writtenRecord(), null, 2).split("\n").length, 16],
  },
  {
    mistake: "a value of the profile without its flag",
    file: "a.yaml",
    text: YAML("  name: Ada Lovelace"),
    says: "profile.name: must be an object, not a string: write { isPublic: true, value: Ada Lovelace }",
    at: [5, 9],
  },
  {
    mistake: "a number in quotes",
    file: "a.ndjson",
    text: `${JSON.stringify({ ...writtenRecord(1) })}\n{"codehostId":"5","email":"a@b.example","profile":{"isPublic":true,"slug":"a"}}`,
    says: "codehostId: must be a number, not a string: write 5 without quotes",
    at: [2, 15],
  },
  {
    mistake: "one thing where there is a list",
    file: "a.yaml",
    text: YAML("jobs: Analyst"),
    says: "jobs: must be an array, not a string: write a list: [Analyst]",
    at: [5, 7],
  },
  {
    mistake: "something that is needed and not there",
    file: "a.yaml",
    text: YAML("linkTrees:\n  - title: Find me\n    links: []"),
    says: "linkTrees[0].slug: is missing: add slug: and its text",
    at: [6, 5],
  },
  {
    mistake: "a study level in other words",
    file: "a.yaml",
    text: YAML("education:\n  - { institution: Yale, studyLevel: Masters, isCurrent: false }"),
    says: "education[0].studyLevel: must be one of HIGH_SCHOOL, ASSOCIATE, BACHELOR, MASTER, DOCTORATE, BOOTCAMP, OTHER: did you mean MASTER?",
    at: [6, 38],
  },
  {
    mistake: "an address without https://",
    file: "a.json",
    text: `[{"email":"a@b.example",\n"profile":{"isPublic":true,"slug":"a","url":{"isPublic":true,"value":"www.ada.example"}}}]`,
    says: "profile.url.value: must be a URL that starts with http or https: write https://www.ada.example",
    at: [2, 70],
  },
  {
    mistake: "an address with a space behind it",
    file: "a.yaml",
    text: YAML('linkTrees: [{ title: A, slug: b, links: [{ label: Ada, url: "https://ada.example " }] }]'),
    says: "linkTrees[0].links[0].url: must be a URL that starts with http, https, mailto or tel: leave out the space around it",
    at: [5, 61],
  },
  {
    mistake: "an address with backslashes",
    file: "a.yaml",
    text: YAML("linkTrees: [{ title: A, slug: b, links: [{ label: Ada, url: https:\\\\ada.example }] }]"),
    says: "linkTrees[0].links[0].url: must be a URL that starts with http, https, mailto or tel: write https://ada.example",
    at: [5, 61],
  },
  {
    mistake: "an address with one slash behind https:",
    file: "a.yaml",
    text: YAML("linkTrees: [{ title: A, slug: b, links: [{ label: Ada, url: https:/ada.example }] }]"),
    says: "linkTrees[0].links[0].url: must be a URL that starts with http, https, mailto or tel: write https://ada.example",
    at: [5, 61],
  },
  {
    mistake: "a colon within a text",
    file: "a.yaml",
    text: YAML("linkTrees:\n  - title: Talk: Maps"),
    says: "has a colon within a text: put the text in quotes",
    at: [6, 12],
  },
  {
    mistake: "a name without a colon",
    file: "a.yaml",
    text: YAML("jobs\nprojects: []"),
    says: "has a name without a colon behind it: put a colon and a space behind the name",
    at: [5, 1],
  },
  {
    mistake: "a tab",
    file: "a.yaml",
    text: "email: ada@example.com\nprofile:\n\tisPublic: true\n",
    says: "is indented with a tab: use spaces",
    at: [3, 1],
  },
  {
    mistake: "a line that is indented like no other",
    file: "a.yaml",
    text: "email: ada@example.com\nprofile:\n   isPublic: true\n  slug: ada\n",
    says: "is not indented like the lines around it: give fields of one object the same number of spaces",
    at: [4, 1],
  },
  {
    mistake: "a field twice",
    file: "a.yaml",
    text: YAML("email: b@example.com"),
    says: "has a field twice: keep one of the two",
    at: [5, 1],
  },
  {
    mistake: "a text that begins with a sign of YAML",
    file: "a.yaml",
    text: YAML("jobs: @ada"),
    says: "begins a text with a sign that means something else in YAML: put the text in quotes",
    at: [5, 7],
  },
  {
    mistake: "a text that begins with *",
    file: "a.yaml",
    text: YAML("jobs: *"),
    says: "begins a text with *, which refers to something else in YAML: put the text in quotes",
    at: [5, 7],
  },
  {
    mistake: "quotes or brackets that nothing closes",
    file: "a.yaml",
    text: YAML('jobs: "Analyst'),
    says: "does not close what it opens: close the quotes or brackets",
    at: [6, 1],
  },
  {
    mistake: "a backslash that means nothing",
    file: "a.yaml",
    text: YAML('jobs: "C:\\work"'),
    says: "has a backslash that means nothing: write two of them, or use single quotes",
    at: [5, 10],
  },
  {
    mistake: "a text that begins with *",
    file: "a.yaml",
    text: YAML("jobs: *bold*"),
    says: "begins a text with *, which refers to something else in YAML: put the text in quotes",
    at: [5, 7],
  },
  {
    mistake: "a name without a colon",
    file: "a.yaml",
    text: YAML("jobs"),
    says: "has a name without a colon behind it: put a colon and a space behind the name",
    at: [5, 1],
  },
  {
    mistake: "quotes or brackets that nothing closes",
    file: "a.yaml",
    text: YAML("jobs: [\nprojects: []"),
    says: "does not close what it opens: close the quotes or brackets",
    at: [6, 1],
  },
  {
    mistake: "a text that begins with a sign of YAML",
    file: "a.yaml",
    text: YAML("  name: |Ada"),
    says: "begins a text with a sign that means something else in YAML: put the text in quotes",
    at: [5, 10],
  },
  {
    mistake: "a text behind a text in quotes",
    file: "a.yaml",
    text: YAML("jobs: 'Ada's'"),
    says: "has something behind a text in quotes: put all of it in one pair of quotes, and write '' for ' within single ones",
    at: [5, 12],
  },
  {
    mistake: "a list that begins behind a name",
    file: "a.yaml",
    text: YAML("jobs: - Analyst"),
    says: "begins a list behind a name: begin it on the next line; or, if it is a text, put that in quotes",
    at: [5, 7],
  },
  {
    mistake: "a field beside a list",
    file: "a.yaml",
    text: "- email: a@b.example\nprofile: {}\n",
    says: "is neither of the list above it nor within one of its entries: begin it with a dash, or indent it like the fields of the entry",
    at: [2, 1],
  },
  {
    mistake: "a text that ends too early",
    file: "a.json",
    text: '{\n  "email": "a@b.example"',
    says: "is not JSON from here on: the text ends too early: close what is open",
    at: [2, 25],
  },
  {
    mistake: "a text that ends too early",
    file: "a.json",
    text: '{\n  "email": "a@b.example',
    says: "is not JSON from here on: the text ends too early: close what is open",
    at: [2, 12],
  },
  {
    mistake: "quotes of another kind",
    file: "a.json",
    text: "{\n  'email': 1 }",
    says: 'is not JSON from here on: use " for quotes',
    at: [2, 3],
  },
  {
    mistake: "quotes of another kind",
    file: "a.json",
    text: '{\n  "email": “a@b.example” }',
    says: 'is not JSON from here on: use " for quotes',
    at: [2, 12],
  },
  {
    mistake: "quotes within a text",
    file: "a.json",
    text: '{\n  "email": "a "big" one" }',
    says: 'is not JSON from here on: write \\" for quotes within a text',
    at: [2, 16],
  },
  {
    mistake: "a text of several lines",
    file: "a.json",
    text: '{\n  "email": "a\nb" }',
    says: "is not JSON from here on: write \\n for the end of a line within a text",
    at: [2, 12],
  },
  {
    mistake: "a backslash that means nothing",
    file: "a.json",
    text: '{\n  "email": "C:\\work" }',
    says: "is not JSON from here on: write \\\\ for a backslash within a text",
    at: [2, 12],
  },
  {
    mistake: "a comma too many",
    file: "a.json",
    text: '{\n  "email": "a@b.example",\n}',
    says: "is not JSON from here on: take away the comma before it",
    at: [3, 1],
  },
  {
    mistake: "a comma too many",
    file: "a.json",
    text: "[{},,{}]",
    says: "is not JSON from here on: take away the comma before it",
    at: [1, 5],
  },
  {
    mistake: "something behind the end",
    file: "a.json",
    text: '{\n  "email": "a@b.example"\n}\n{\n  "email": "b@b.example"\n}\n',
    says: "is not JSON from here on: it has ended before: take this away, or make a list of all, [ …, … ]",
    at: [4, 1],
  },
  {
    mistake: "something behind the end",
    file: "a.json",
    text: '{"email": "a@b.example"},\n',
    says: "is not JSON from here on: it has ended before: take this away, or make a list of all, [ …, … ]",
    at: [1, 25],
  },
  {
    mistake: "a comma too few",
    file: "a.json",
    text: '{\n  "email": "a@b.example"\n  "profile": {}\n}',
    says: "is not JSON from here on: put a comma before it",
    at: [3, 3],
  },
  {
    mistake: "a bracket that closes another",
    file: "a.json",
    text: '{\n  "jobs": [{}\n}',
    says: "is not JSON from here on: close [ with ] and { with }",
    at: [3, 1],
  },
  {
    mistake: "a comment",
    file: "a.json",
    text: '{\n  // who\n  "email": 1 }',
    says: "is not JSON from here on: JSON has no comments: take it away",
    at: [2, 3],
  },
  {
    mistake: "a colon too few",
    file: "a.json",
    text: '{\n  "email" "a@b.example" }',
    says: "is not JSON from here on: put a colon before it",
    at: [2, 11],
  },
  {
    mistake: "another word for yes, no or nothing",
    file: "a.json",
    text: '{\n  "isPublic": True }',
    says: "is not JSON from here on: write true, false or null",
    at: [2, 15],
  },
  {
    mistake: "a number that begins with a zero, a plus or a point",
    file: "a.json",
    text: '{\n  "codehostId": 007 }',
    says: "is not JSON from here on: write the number without it, or in quotes",
    at: [2, 17],
  },
  {
    mistake: "a name or a text without quotes",
    file: "a.json",
    text: '{\n  email: "a@b.example" }',
    says: 'is not JSON from here on: put it in quotes: "…"',
    at: [2, 3],
  },
];

describe("an import", () => {
  test.each(ROWS)("says where it is, and what to do about $mistake", async ({ file, text, says, at }) => {
    const [problem, ...more] = await told(file, text);
    expect(more.map(({ problem }) => formatProblem(problem))).toEqual([]);
    expect(formatProblem(problem?.problem ?? { place: "", message: "" })).toBe(says);
    expect([problem?.position?.line, problem?.position?.column]).toEqual([...at]);
    expect(text.split("\n")).toContain(problem?.position?.text ?? "nothing");
  });

  test("has a row here for every mistake that it knows", () => {
    const syntax = { yaml: YAML_MISTAKES, json: JSON_MISTAKES };
    for (const [ending, known] of Object.entries(syntax)) {
      const rows = ROWS.filter(({ file }) => file.endsWith(ending));
      expect(known.filter(({ mistake }) => !rows.some((row) => row.mistake === mistake))).toEqual([]);
    }
    expect(MISTAKES.filter(({ mistake }) => !ROWS.some((row) => row.mistake === mistake))).toEqual([]);
  });

  test.each([
    ["brackets", YAML(`jobs: ${"[".repeat(5000)}${"]".repeat(5000)}`), [5, 37]],
    ["dashes", "- ".repeat(100_000), [1, 63]],
    ["lines", Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"), [32, 32]],
  ] as const)("says where %s are nested deeper than in any record", async (_, text, at) => {
    const [problem, ...more] = await told("a.yaml", text);
    expect(more).toEqual([]);
    expect(problem?.problem.message).toBe("is nested deeper than any record");
    expect([problem?.position?.line, problem?.position?.column]).toEqual([...at]);
  });

  test.each([
    ["March 2024", "write 2024-03"],
    ["1 Mar 2024", "write 2024-03-01"],
    ["Sept. 2024", "write 2024-09"],
    ["marraskuu 2024", "write year, month and day, such as 2024-03-01"],
    ["Marraskuu 2024", "write year, month and day, such as 2024-03-01"],
    ["01.03.2024", "write the year first, such as 2024-03-01"],
    ["2024-13-01", "there is no month 13"],
    ["2024-03-01 10:00", "write 2024-03-01T10:00"],
  ])("tells how %s is written as a date", async (date, advice) => {
    const [problem] = await told("a.yaml", YAML(`createdAt: "${date}"`));
    expect(problem?.problem.advice).toBe(advice);
  });

  test.each([
    ["a.json", [...bytes('{\n  "a\uFFFD": "'), 0xe4, ...bytes('"}')], 2, 10],
    ["a.yaml", [...bytes("email: a\n"), 0xff, 0xfe], 2, 1],
    ["a.ndjson", [...bytes(`${JSON.stringify(writtenRecord())}\n`), ...bytes('{"ä": "'), 0xe4], 2, 8],
    ["a.json", [...Buffer.from('{"email": 1}', "utf16le")], 1, 2],
    ["a.yaml", [...Buffer.from("email: a\n", "utf16le")], 1, 2],
  ] as const)("says where %s is not UTF-8", async (file, content, line, column) => {
    const [problem, ...more] = await told(file, new Uint8Array(content));
    expect(more).toEqual([]);
    expect(problem?.problem).toMatchObject({ message: "is not UTF-8 text", advice: "save it as UTF-8" });
    expect(problem?.position).toMatchObject({ line, column });
  });

  test("says of a file that is compressed to unpack it", async () => {
    const [problem, ...more] = await told("people.ndjson.gz", Bun.gzipSync(bytes("{}\n{}\n")));
    expect(more).toEqual([]);
    expect(problem && formatProblem(problem.problem)).toBe("is compressed: unpack it first, with gunzip");
  });

  test("finds its way by the ends of lines that old Macs wrote", async () => {
    const [problem, ...more] = await told("a.yaml", YAML("linktrees: []").replaceAll("\n", "\r"));
    expect(more).toEqual([]);
    expect(problem?.problem).toMatchObject({ place: "linktrees", message: "is not a known field" });
    expect(problem?.position).toMatchObject({ line: 5, column: 1 });
  });

  test.each([
    ["characters", "a".repeat(4_000_000)],
    ["escapes", "\\n".repeat(2_000_000)],
  ])("finds what is wrong behind a text of millions of %s", async (_, long) => {
    const before = `{"email":"a@b.example",\n"summary":"${long}",\n`;
    const says = async (rest: string, place: string) => {
      const problems = await told("a.json", before + rest);
      const found = problems.find(({ problem }) => problem.place === place);
      return `${found?.position?.line}:${found?.position?.column} ${found?.problem.message}`;
    };
    expect(await says('"jobs":[,]}', "")).toBe("3:9 is not JSON from here on");
    expect(await says('"jobs":1,"jobs":2}', "")).toBe(
      "3:10 has jobs twice: the first is in line 3, column 1",
    );
    expect(await says('"jobs":1}', "jobs")).toBe("3:8 must be an array, not the number 1");
  });

  test("finds a name that an object has twice, where another has a space before its colon", async () => {
    const [problem] = await told("a.json", '{"email" : "a@b.example", "id": "a", "id": "b"}');
    expect(problem?.problem.message).toBe("has id twice: the first is in line 1, column 27");
    expect(problem?.position?.column).toBe(38);
  });

  test("takes hundreds of aliases of one text", async () => {
    const labels = Array.from({ length: 400 }, () => "{ label: *a, url: https://a.example }").join(", ");
    const text = YAML(`linkTrees:\n  - { title: &a A, slug: 5, links: [${labels}] }`);
    const [problem, ...more] = await told("a.yaml", text);
    expect(more).toEqual([]);
    expect(problem?.problem).toMatchObject({ place: "linkTrees[0].slug" });
  });

  test("refuses aliases that stand for too much, and says where and how many there may be", async () => {
    const levels = Array.from({ length: 30 }, (_, level) => `- &a${level + 1} [*a${level}, *a${level}]`);
    const [problem, ...more] = await told("a.yaml", YAML(`jobs:\n- &a0 x\n${levels.join("\n")}`));
    expect(more).toEqual([]);
    expect(formatProblem(problem?.problem ?? { place: "", message: "" })).toBe(
      "has more than 500 aliases, with those within what they stand for: write out what they stand for",
    );
    expect(problem?.position?.line).toBe(14);
  });

  test("finds the place behind documents of YAML that are null or empty, and leaves no record out", async () => {
    const wrong = YAML("jobs: 5");
    const lines = async (text: string) => (await told("a.yaml", text)).map(({ position }) => position?.line);
    expect(await lines(`null\n---\n${wrong}---\n~\n---\n${wrong.replaceAll("ada", "eve")}`)).toEqual([7, 15]);
    expect(await lines(`---\n---\n${wrong}`)).toEqual([7]);
  });

  test.each([
    ["a.json", `{"email": "a@b.example",\n"jobs": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`, 2, 108],
    ["a.ndjson", `\n${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`, 2, 501],
  ])("says where %s is nested deeper than any record", async (file, text, line, column) => {
    const [problem, ...more] = await told(file, text);
    expect(more).toEqual([]);
    expect(formatProblem(problem?.problem ?? { place: "", message: "" })).toBe(
      "is nested deeper than any record",
    );
    expect(problem?.position).toMatchObject({ line, column });
  });

  test("finds the place in each of several documents, behind an alias, and in a list", async () => {
    const several = `${YAML("")}---\n${YAML("jobs: 5").replaceAll("ada", "eve")}`;
    expect((await told("a.yaml", several)).map(({ position }) => position?.line)).toEqual([11]);
    const alias = YAML("linkTrees:\n  - &a { title: A, slug: a, links: [5] }\n  - *a");
    expect((await told("a.yaml", alias)).map(({ position }) => position?.line)).toContain(6);
  });
});
