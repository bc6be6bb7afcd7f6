import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "yaml";
import { ERRORS } from "../../src/contract/errors.ts";
import { STUDY_LEVELS } from "../../src/contract/fields.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { SETTINGS } from "../../src/settings.ts";
import { InstalledClient } from "../support/client-package.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";
import { code, fencesOf, firstTable, readFile, sectionOf } from "./markdown.ts";

setDefaultTimeout(300_000);

const page = readFile("docs/api.md");
const sample = parse(readFile("sample/profile.yaml")) as { email: string };

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer({ records: [sample] });
  key = (await server.key({ email: sample.email })).key;
});
afterAll(() => server[Symbol.asyncDispose]());

const LEFT_OUT = "…";

/** An answer on the page, in which `…` stands for what was left out. */
function shownAnswer(section: string): unknown {
  const [json = ""] = fencesOf(section, "json");
  return JSON.parse(json.replaceAll(LEFT_OUT, JSON.stringify(LEFT_OUT)));
}

/** Holds what is shown equal to what was answered. Ids and times of writing differ from server to server. */
function expectShown(shown: unknown, answered: unknown, place: string): void {
  if (Array.isArray(shown)) {
    const entries = shown.filter((entry) => entry !== LEFT_OUT);
    const isCut = entries.length < shown.length;
    const list = answered as unknown[];
    expect({ place, isCut }).toEqual({ place, isCut: list.length > entries.length });
    for (const [index, entry] of entries.entries()) expectShown(entry, list[index], `${place}[${index}]`);
  } else if (typeof shown === "object" && shown !== null) {
    const fields = Object.keys(shown);
    expect({ place, fields }).toEqual({ place, fields: Object.keys(answered as object) });
    for (const field of fields)
      expectShown(
        (shown as Record<string, unknown>)[field],
        (answered as Record<string, unknown>)[field],
        `${place}.${field}`,
      );
  } else if (/\.(?:id|userId)$/.test(place)) {
    expect({ place, shown }).toEqual({ place, shown: expect.stringMatching(/^[\w-]{22}$/) });
  } else if (/\.(?:createdAt|updatedAt)$/.test(place)) {
    expect({ place, isTimestamp: new Date(String(shown)).toISOString() === shown }).toEqual({
      place,
      isTimestamp: true,
    });
  } else expect({ place, shown }).toEqual({ place, shown: answered as string });
}

describe("docs/api.md", () => {
  test("has a section for every path of the API, and for no other", () => {
    const sections = [...sectionOf(page, "Endpoints").matchAll(/^### GET (.+)$/gm)].map((match) => match[1]);
    expect(sections).toEqual(ROUTES.map(({ path }) => path));
  });

  test.each(ROUTES)("says what $path returns, and how often", ({ path, summary, limit }) => {
    const limits = { full: SETTINGS.limitFull.fallback, default: SETTINGS.limitDefault.fallback };
    const section = sectionOf(page, `GET ${path}`);
    expect(section).toContain(`\n${summary}\n`);
    expect(section).toContain(`\n${limits[limit]} requests a minute.`);
  });

  test.each(ROUTES)("shows what the server answers to $path about the sample profile", async ({ path }) => {
    const response = await server.get(path.replace(":slug", "mira"), bearer(key));
    expect(response.status).toBe(200);
    expectShown(shownAnswer(sectionOf(page, `GET ${path}`)), await response.json(), path);
  });

  test("shows the answer to its first call", async () => {
    const section = sectionOf(page, "First call");
    const path = /\$VITRINE_URL(\/[\w/]+)"/.exec(section)?.[1] ?? "";
    expectShown(shownAnswer(section), await (await server.get(path, bearer(key))).json(), path);
  });

  test("names every study level", () => {
    const sentence = /`studyLevel` is one of (.+)\./.exec(page)?.[1] ?? "";
    expect(sentence.match(/[A-Z_]{2,}/g)).toEqual([...STUDY_LEVELS]);
  });

  test("lists exactly the errors of the API, with what to do about each", () => {
    const rows = firstTable(sectionOf(page, "Errors")).map((row) => [
      row.Status,
      row["`message`"],
      row.When,
      row["What to do"],
    ]);
    const message = (text: string) =>
      text === "{detail}" ? "*what is wrong*" : `\`${text.replace("{detail}", "GET /path")}\``;
    expect(rows).toEqual(
      Object.values(ERRORS).map((row) => [
        String(row.statusCode),
        message(row.message),
        row.when,
        row.remedy,
      ]),
    );
  });

  test("shows an error as the server sends it", async () => {
    const response = await server.get("/user/linktrees/nowhere", bearer(key));
    expect(shownAnswer(sectionOf(page, "Errors"))).toEqual(await response.json());
  });

  test("names exactly the headers that say where a caller stands, in the form they have", async () => {
    await using limited = await startTestServer({ limits: { full: 30, default: 1 } });
    const header = bearer((await limited.key()).key);
    const allowed = await limited.get("/user/full", header);
    await limited.get("/user/jobs", header);
    const refused = await limited.get("/user/jobs", header);
    expect(refused.status).toBe(429);
    const rows = firstTable(sectionOf(page, "Limits"));
    const named = rows.map((row) => code(row.Header ?? "").toLowerCase());
    const sent = [...refused.headers.keys()].filter((name) => /ratelimit|retry/.test(name));
    expect(named.toSorted()).toEqual(sent.toSorted());
    for (const row of rows) {
      const example = /: `([^`]+)`$/.exec(row["What it says"] ?? "")?.[1];
      if (example) expect(allowed.headers.get(code(row.Header ?? ""))).toBe(example);
    }
  });

  test("shows a conditional request that gets a 304 with the tag of the moment", async () => {
    const [line = ""] = fencesOf(sectionOf(page, "Caching"), "sh");
    const { headers } = await server.get("/user/full", bearer(key));
    const tag = headers.get("ETag") ?? "";
    const form = /^"[\da-z]{10,13}(?:\.gzip)?"$/;
    expect(tag).toMatch(form);
    expect(/If-None-Match: ("[^"]+")'/.exec(line)?.[1]).toMatch(form);
    const again = await server.get("/user/full", { ...bearer(key), "If-None-Match": tag });
    expect(again.status).toBe(304);
    for (const name of ["Cache-Control", "Vary"])
      expect(sectionOf(page, "Caching")).toContain(`\`${name}: ${headers.get(name)}\``);
  });

  test("says how much of an answer of the sample profile compression leaves", async () => {
    const [, least, most] = /sample profile to between (\d+) % and (\d+) %/.exec(page) ?? [];
    const lengthOf = async (path: string, encoding: string) => {
      const { headers } = await server.get(path, { ...bearer(key), "Accept-Encoding": encoding }, "HEAD");
      return Number(headers.get("Content-Length"));
    };
    for (const { path: template } of ROUTES) {
      const path = template.replace(":slug", "mira");
      const plain = await lengthOf(path, "identity");
      if (plain < 1024) continue;
      const left = (100 * (await lengthOf(path, "gzip"))) / plain;
      expect(left, path).toBeWithin(Number(least), Number(most));
    }
  });

  // With Cache Components, which new projects have, Next.js refuses to build a page that says `revalidate`.
  test("has a recipe for Next.js that says how long an answer is kept in the way of new projects", () => {
    const section = sectionOf(page, "Next.js");
    const [recipe = ""] = fencesOf(section, "tsx");
    expect(recipe).toContain('  "use cache";\n  cacheLife("hours");\n');
    expect(recipe).not.toContain("revalidate");
    expect(section).toContain("`export const revalidate = 3600;`");
  });

  test("has a recipe for plain HTML that works as it stands", async () => {
    using client = await InstalledClient.create();
    const [recipe = ""] = fencesOf(sectionOf(page, "Plain HTML, built on a schedule"), "js");
    const { key: publicKey } = await server.key({ email: sample.email, view: "public" });
    await client.run(["node"], recipe, { VITRINE_URL: server.url, VITRINE_KEY: publicKey });
    const html = await Bun.file(client.folder.file("index.html")).text();
    expect(html).toContain("<h1>Mira Solberg</h1>");
    expect(html).toContain('<a href="https://tidebook.example/">Tidebook</a>');
    expect(html).not.toContain("+47 555 01 234");
  });
});
