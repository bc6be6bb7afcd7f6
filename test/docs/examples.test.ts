import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { unpacked } from "../../src/packing/packed.ts";
import { manyPeople, newestKey, withDatabase } from "../support/command-line.ts";
import { openCountWriter, openReader } from "../support/databases.ts";
import { withValue } from "../support/edit-record.ts";
import { Program } from "../support/program.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { makeVersionOne } from "../support/version-one.ts";
import { BROWSER } from "../support/visitors.ts";
import { ExampleFolder, masked, typedIn } from "./example-folder.ts";
import { fencesOf, readFile, sectionOf } from "./markdown.ts";

setDefaultTimeout(300_000);

const page = readFile("docs/command-line.md");

const SAMPLE = readFile("sample/profile.yaml");
const [ADA, GRACE] = ["ada@example.com", "grace@example.com"];

/** A record of one of the people in the examples. */
function personRecord(email: string, number: number) {
  const record = withValue(writtenRecord(number), "email", email) as ReturnType<typeof writtenRecord>;
  const links = [
    { label: "Website", url: "https://ada.example/" },
    { label: "Write to me", url: "mailto:ada@example.com" },
  ];
  const slug = email.split("@")[0] ?? "";
  return { ...record, linkTrees: [{ title: "Find me", description: null, slug, links }] };
}

/** Views of the last fourteen days, and clicks on the two links today. */
const VIEWS = [3, 2, 5, 3, 4, 5, 7, 4, 2, 6, 4, 12, 7, 3];
const CLICKS = [14, 7];

async function count(program: Program): Promise<void> {
  const reader = await openReader(program.database);
  const found = await reader.readPage("ada");
  const html = Buffer.from(unpacked(found?.html ?? new Uint8Array())).toString();
  await reader.close();
  const linkIds = [...html.matchAll(/href="\/t\/ada\/([\w-]+)"/g)].map((match) => match[1] ?? "");
  const counter = { userNumber: found?.userNumber ?? 0, treeId: found?.treeId ?? "" };
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const writer = await openCountWriter(program.database);
  await writer.write({
    counts: [
      ...VIEWS.map((views, index) => ({ ...counter, linkId: "", day: day(13 - index), count: views })),
      ...CLICKS.map((clicks, index) => ({
        ...counter,
        linkId: linkIds[index] ?? "",
        day: day(0),
        count: clicks,
      })),
    ],
    keyIds: [],
    usedAt: 0,
  });
  await writer.close();
}

interface Scenario {
  /** Puts into a folder what the examples take for granted. */
  prepare?(folder: ExampleFolder): Promise<void>;
  /** What prints the JSON of the section. */
  readonly json?: string;
}

const importAda = (folder: ExampleFolder) => folder.import(JSON.stringify(personRecord(ADA, 1)));
const importMira = (folder: ExampleFolder) => folder.import(SAMPLE);

/** The wrong lines of the example: in the ninth, something stands that must not, where it says. */
function wrongPeople(): string {
  const lines = manyPeople(9).trimEnd().split("\n");
  const { companyName: _, ...job } = writtenRecord(3).jobs[0] ?? { companyName: "" };
  lines[2] = JSON.stringify({ ...writtenRecord(3), email: "nobody", jobs: [job], projects: [] });
  lines[8] = `{${" ".repeat(110)}x`;
  return lines.join("\n");
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "vitrine import": {
    async prepare(folder) {
      await folder.put("ada.yaml", JSON.stringify(personRecord(ADA, 1)));
      await folder.put("grace.json", JSON.stringify(personRecord(GRACE, 2)));
      await folder.put("people.ndjson", manyPeople(1000, 10));
    },
    json: "vitrine import --json ada.yaml grace.json",
  },
  "vitrine studio": { prepare: importAda },
  "vitrine invite": { prepare: importAda },
  "vitrine history": { prepare: withTwoVersions },
  "vitrine restore": { prepare: withTwoVersions },
  "vitrine export": { prepare: importAda },
  "vitrine key create": {
    async prepare(folder) {
      await folder.import(JSON.stringify(personRecord(ADA, 1)), JSON.stringify(personRecord(GRACE, 2)));
      await folder.put("addresses.txt", `${ADA}\n${GRACE}\n`);
    },
  },
  "vitrine key list": {
    async prepare(folder) {
      await importAda(folder);
      await folder.makeKey(ADA);
      const { id } = await newestKey(folder.program, ADA);
      await useKey(folder, id);
      await folder.run(`vitrine key revoke ${id}`);
      await folder.makeKey(ADA, "--name portfolio --view public --only linktrees,links --expires 10d");
    },
    json: "vitrine key list --json ada@example.com",
  },
  "vitrine key revoke": { prepare: withAdasKey },
  "vitrine key rotate": { prepare: withAdasKey },
  "vitrine hook list": { prepare: withAdasHook, json: "vitrine hook list --json" },
  "vitrine hook remove": { prepare: withAdasHook },
  "vitrine user list": { prepare: withMirasKey, json: "vitrine user list --json" },
  "vitrine user show": { prepare: withMirasKey, json: "vitrine user show --json mira.solberg@example.com" },
  "vitrine user delete": { prepare: importAda },
  "vitrine stats": {
    async prepare(folder) {
      await importAda(folder);
      await count(folder.program);
    },
    json: "vitrine stats --json ada@example.com --days 2",
  },
  "vitrine qr": { prepare: importAda },
  "vitrine openapi": {},
  "vitrine mcp": {},
  "vitrine backup": { prepare: importAda },
  "vitrine migrate": {
    prepare: (folder) => makeVersionOne(folder.program.database, 1),
    json: "vitrine migrate --json",
  },
  "vitrine rebuild": { prepare: importAda },
  "vitrine doctor": { prepare: importAda, json: "vitrine doctor --json --database sqlite:other.db" },
};

/** Sections whose examples are told by tests of their own, and where. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "vitrine completion": "in its own tests, which start the shells",
  "vitrine convert": "in the tests of the formats",
  "vitrine health": "in the tests of the command, which start what it asks",
  "vitrine man": "in its own tests",
  "vitrine new": "in its own tests",
  "vitrine schema": "in its own tests",
  "vitrine serve": "below: it does not end by itself",
  "vitrine demo": "below: it does not end by itself",
  "vitrine copy": "below: it is about another server",
  "vitrine hook add": "test/cli/hook.test.ts: it needs a receiver",
  "vitrine hook test": "test/cli/hook.test.ts: it needs a receiver",
  "vitrine hook log": "test/cli/hook.test.ts: it needs a receiver",
};

/** The second version has one link more, which was added in the studio. */
async function withTwoVersions(folder: ExampleFolder): Promise<void> {
  await importAda(folder);
  const record = personRecord(ADA, 1);
  record.linkTrees[0]?.links.push({ label: "Call me", url: "tel:+15550100" });
  await withDatabase(folder.program, (store) => store.records.save([checkedRecord(record)], "studio"));
}

async function withAdasKey(folder: ExampleFolder): Promise<void> {
  await importAda(folder);
  await folder.makeKey(ADA);
}

async function withAdasHook(folder: ExampleFolder): Promise<void> {
  await importAda(folder);
  await folder.makeHook(ADA);
}

async function withMirasKey(folder: ExampleFolder): Promise<void> {
  await importMira(folder);
  await folder.makeKey("mira.solberg@example.com");
}

/** As if the key had been in a request. */
async function useKey(folder: ExampleFolder, id: string): Promise<void> {
  const writer = await openCountWriter(folder.program.database);
  await writer.write({ counts: [], keyIds: [id], usedAt: Date.now() });
  await writer.close();
}

const sections = [...page.matchAll(/^## (vitrine .+)$/gm)].map((match) => match[1] ?? "");

describe("an example of docs/command-line.md", () => {
  test("is looked at here, of whatever command it is", () => {
    expect(sections.toSorted()).toEqual([...Object.keys(SCENARIOS), ...Object.keys(ELSEWHERE)].toSorted());
  });

  describe.concurrent("prints what it says:", () => {
    test.each(Object.entries(SCENARIOS))("%s", async (name, { prepare }) => {
      using folder = new ExampleFolder();
      await prepare?.(folder);
      const [first = "", ...others] = fencesOf(sectionOf(page, name), "text");
      for (const { line, said } of typedIn(first)) {
        const printed = (await folder.run(line)).trimEnd();
        expect(`$ ${line}\n${masked(printed)}`).toBe(`$ ${line}\n${masked(said)}`);
      }
      for (const fence of others.filter((it) => !it.includes("people.ndjson: line"))) {
        for (const { line, said } of typedIn(fence))
          expect(masked((await folder.run(line)).trimEnd())).toBe(masked(said));
      }
    });

    test("vitrine import, of wrong records", async () => {
      using folder = new ExampleFolder();
      await folder.put("people.ndjson", wrongPeople());
      const [, wrong = ""] = fencesOf(sectionOf(page, "vitrine import"), "text");
      for (const { line, said } of typedIn(wrong)) expect((await folder.run(line)).trimEnd()).toBe(said);
    });

    test("the error at the beginning", async () => {
      using folder = new ExampleFolder();
      await folder.import(JSON.stringify(personRecord(GRACE, 2)));
      const [example] = fencesOf(sectionOf(page, "What all commands share"), "text");
      expect(await folder.run(`vitrine export ${ADA}`)).toBe(example as string);
    });
  });

  describe.concurrent("has the JSON that is printed:", () => {
    const withJson = Object.entries(SCENARIOS).filter(([, { json }]) => json !== undefined);

    test.each(withJson)("%s", async (name, { prepare, json = "" }) => {
      using folder = new ExampleFolder();
      await prepare?.(folder);
      const [fence = ""] = fencesOf(sectionOf(page, name), "json");
      const printed = (await folder.run(json)).split("\nError: ")[0] ?? "";
      expect(shapeOf(JSON.parse(printed))).toEqual(shapeOf(JSON.parse(fence)));
    });
  });
});

/** Fields in their order with the types of their values. What may be null is written as it happens to be. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(-1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]);
}

describe("of a command that serves, the example", () => {
  test("of demo says what is printed", async () => {
    using program = new Program();
    await using server = await program.serve(["demo"]);
    const [fence = ""] = fencesOf(sectionOf(page, "vitrine demo"), "text");
    const [example] = typedIn(fence);
    // A checkout has npx find the program. The page says at its beginning that its examples leave that out.
    const printed = (server.output().split("{")[0] ?? "").replaceAll("npx vitrine", "vitrine");
    expect(masked(printed.trim())).toBe(masked(example?.said.trim() ?? ""));
  });

  test("of serve has the lines of the log, field by field", async () => {
    using folder = new ExampleFolder();
    await withAdasKey(folder);
    const key = (await folder.run(`vitrine key create ${ADA}`)).trim();
    await using server = await folder.program.serve();
    await fetch(`${server.url}/user/links`, {
      headers: { Authorization: `Bearer ${key}`, "User-Agent": BROWSER },
    });
    await server.stop();
    const [fence = ""] = fencesOf(sectionOf(page, "vitrine serve"), "text");
    const [example] = typedIn(fence);
    const shapes = (text: string) =>
      text
        .split("\n")
        .slice(0, 2)
        .map((line) => shapeOf(JSON.parse(line)));
    expect(shapes(server.output())).toEqual(shapes(example?.said ?? ""));
  });
});

test("the example of copy says what is printed, but for the numbers and the places", async () => {
  using folder = new ExampleFolder();
  await importAda(folder);
  const section = sectionOf(page, "vitrine copy");
  const [fence = ""] = fencesOf(section, "text");
  const [example] = typedIn(fence);
  const printed = await folder.run("vitrine copy --from sqlite:vitrine.db --to sqlite:copy.db");
  const plain = (text: string) =>
    text
      .replaceAll(/[\d,]+ (user|key|hook|count)s?/g, "N $1s")
      .replaceAll(/from \S+ to \S+\.$/gm, "from A to B.")
      .trim();
  expect(plain(printed)).toBe(plain(example?.said ?? ""));
  const json = await folder.run("vitrine copy --json --from sqlite:vitrine.db --to sqlite:other.db");
  expect(shapeOf(JSON.parse(json))).toEqual(shapeOf(JSON.parse(fencesOf(section, "json")[0] ?? "")));
});
