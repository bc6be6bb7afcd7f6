import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { SQL } from "bun";
import { VIEWS } from "../../src/contract/access.ts";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { engineAt } from "../../src/store/engines.ts";
import type { DatabaseLocation } from "../../src/store/location.ts";
import { SCHEMA_VERSION } from "../../src/store/sqlite/migrations.ts";
import { Callers } from "../support/callers.ts";
import { done, listKeys } from "../support/command-line.ts";
import { schemaVersionAt } from "../support/databases.ts";
import { ENGINES, postgres, sqlite, type TestDatabase } from "../support/engines.ts";
import { freePort } from "../support/postgres-cluster.ts";
import { describeWithPostgresTools } from "../support/postgres-tools.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { describeWithProxy } from "../support/proxies.ts";
import { until } from "../support/until.ts";
import { everythingAt } from "../support/version-one.ts";
import { askAgain, askEverything, numbersOf, type Recorded, said } from "./fixture.ts";

setDefaultTimeout(300_000);

const FIXTURES = import.meta.dir;

const RELEASES = readdirSync(FIXTURES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

async function unpacked(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return Bun.gunzipSync(new Uint8Array(await Bun.file(`${FIXTURES}/${file}`).arrayBuffer()));
}

async function recordedOf(release: string): Promise<Recorded> {
  return (await Bun.file(`${FIXTURES}/${release}/answers.json`).json()) as Recorded;
}

/** A program whose database is as a release left it. */
async function programWith(
  release: string,
  database: TestDatabase | undefined,
  environment: Record<string, string> = {},
): Promise<Program> {
  if (!database) {
    const program = new Program(environment);
    await program.put("vitrine.db", await unpacked(`${release}/vitrine.db.gz`));
    return program;
  }
  await using sql = new SQL({ url: database.url, max: 1 });
  await sql.unsafe(Buffer.from(await unpacked(`${release}/vitrine.sql.gz`)).toString());
  return new Program({ ...environment, DATABASE_URL: database.url });
}

/** How many days ago something was, with some to spare. */
function daysSince(day: string): string {
  return String(Math.ceil((Date.now() - Date.parse(day)) / 86_400_000) + 2);
}

/** Where SQLite's file format has the version of the schema. */
const USER_VERSION_AT = 60;

/** Whether a release had another schema, so that what it left is changed, and compiled anew. */
function isEarlier(release: string): boolean {
  const file = Bun.gunzipSync(new Uint8Array(readFileSync(`${FIXTURES}/${release}/vitrine.db.gz`)));
  return new DataView(file.buffer).getInt32(USER_VERSION_AT) < SCHEMA_VERSION;
}

const CASES = RELEASES.flatMap((release) =>
  ENGINES.map((engine) => ({ release, engine, name: engine.name, hasChanged: isEarlier(release) })),
);
const CHANGED = CASES.filter(({ hasChanged }) => hasChanged);

describe.each(CASES)("a database that $release left ($name)", ({ release, engine, hasChanged }) => {
  const stack = new AsyncDisposableStack();
  let recorded: Recorded;
  let program: Program;
  let server: ServingProgram;
  let before: Awaited<ReturnType<typeof everythingAt>>;
  let told: string;

  beforeAll(async () => {
    recorded = await recordedOf(release);
    const database = engine === sqlite ? undefined : stack.use(await engine.create());
    program = stack.use(await programWith(release, database));
    const location = database?.location ?? program.database;
    before = await everythingAt(location);
    told = await done(program, ["migrate"]);
    server = stack.use(await program.serve());
  });
  afterAll(() => stack.disposeAsync());

  test("is brought up to date, and nothing is wrong with it", async () => {
    expect(told).toMatch(
      hasChanged ? /^Brought the schema from version \d+ to version \d+\.$/m : /is up to date/,
    );
    expect(await done(program, ["doctor"])).toEndWith("All is well.");
  });

  test("answers every key byte for byte as the release did", async () => {
    for (const { key, answers } of recorded.keys)
      expect(said(await askAgain(server.url, key, answers))).toEqual(said(answers));
  });

  const tags = hasChanged
    ? "no tag of the release for one of its own"
    : "the tags of the release for its own";
  test(`takes ${tags}, and its own for what they are`, async () => {
    for (const { key, answers } of recorded.keys)
      for (const { path, status, etag } of answers) {
        if (status !== 200 || etag === null) continue;
        const ask = (tag: string) => {
          const headers = { Authorization: `Bearer ${key}`, "If-None-Match": tag };
          return fetch(server.url + path, { headers });
        };
        const response = await ask(etag);
        expect(response.status).toBe(hasChanged ? 200 : 304);
        expect((await ask(response.headers.get("ETag") ?? "")).status).toBe(304);
      }
  });

  test("has every user, every key and every count", async () => {
    const users = (await done(program, ["user", "list", "--json"])).split("\n");
    expect(users.map((line) => (JSON.parse(line) as { email: string }).email)).toEqual([...recorded.users]);
    for (const email of recorded.users) {
      const names = recorded.keys.filter((key) => key.email === email).map(({ name }) => name);
      const keys = await listKeys(program, email);
      expect(keys.map(({ name }) => name)).toEqual(names);
      expect(keys.map(({ status }) => status === "revoked")).toEqual(names.map((name) => name === "revoked"));
      const stats = await done(program, ["stats", email, "--json", "--days", daysSince(recorded.day)]);
      expect(numbersOf(stats)).toMatchObject(recorded.stats[email] as object);
    }
  });

  if (engine !== sqlite) return;

  if (hasChanged)
    test("has its way back in the copy that was taken: to the last row, and to what the release itself answers", async () => {
      const [copy = ""] = readdirSync(program.folder.path).filter((name) =>
        name.startsWith("vitrine.db.before-"),
      );
      using earlier = new Program();
      copyFileSync(program.folder.file(copy), earlier.folder.file("vitrine.db"));
      expect(await everythingAt(earlier.database)).toEqual(before);
      const { found, expected } = await schemaVersionAt(earlier.database);
      expect(found).toBeLessThan(expected);
      await expectAnswersOf(release, recorded, earlier);
    });
  else
    test("is its own way back: the release itself answers the same from it", () =>
      expectAnswersOf(release, recorded, program));

  test("is restored from a backup in another folder, which answers the same", async () => {
    await done(program, ["backup", "yesterday.db"]);
    using elsewhere = new Program();
    copyFileSync(program.folder.file("yesterday.db"), elsewhere.folder.file("vitrine.db"));
    await using other = await elsewhere.serve();
    for (const { key, answers } of recorded.keys)
      expect(said(await askAgain(other.url, key, answers))).toEqual(said(answers));
  });
});

describeWithPostgresTools("a dump of PostgreSQL's", ({ dump, wayBack }) => {
  test.each(RELEASES.filter(isEarlier))(
    "that %s left is the way back, as the guide says: to the last row, and to what the release itself answers",
    async (release) => {
      const recorded = await recordedOf(release);
      await using database = await postgres.create();
      using program = await programWith(release, database);
      const before = await everythingAt(database.location);
      expect(await program.runScript(dump)).toEqual({ stdout: "", stderr: "", exitCode: 0 });
      await done(program, ["migrate"]);
      expect(await everythingAt(database.location)).not.toEqual(before);

      expect(await program.runScript(wayBack)).toMatchObject({ exitCode: 0 });
      expect(await everythingAt(database.location)).toEqual(before);
      await expectAnswersOf(release, recorded, program);
    },
  );
});

/** All that everybody may see, and that a release of long ago had no word for. */
const SHOWN = [
  "/",
  ...["mira", "maps-for-small-boats", "ada", encodeURIComponent("ünïcode-数学")].flatMap((slug) => [
    `/t/${slug}`,
    `/qr/${slug}.svg`,
  ]),
  ...["mira-solberg", "ada"].flatMap((slug) => ["", ".json", ".vcf"].map((ending) => `/p/${slug}${ending}`)),
];

/** What is not: the profile of somebody who is private, and what nobody has. */
const NOT_SHOWN = ["/p/charles", "/p/charles.json", "/p/charles.vcf", "/t/charles", "/t/mira/nothing"];

/** An answer in either encoding, but for what differs from one request to the next. */
async function answerAt(url: string, headers: Record<string, string> = {}) {
  const ask = async (encoding: string) => {
    const response = await fetch(url, {
      headers: { ...headers, "Accept-Encoding": encoding },
      redirect: "manual",
    });
    const { status, headers: sent } = response;
    const [etag, type, place] = [sent.get("ETag"), sent.get("Content-Type"), sent.get("Location")];
    return { status, etag, type, place, text: await response.text() };
  };
  const [plain, packed] = [await ask("identity"), await ask("gzip")];
  expect(packed.text).toBe(plain.text);
  return { ...plain, packedTag: packed.etag };
}

/** Every page and file, and where every link of a page leads. */
async function everythingShownAt(url: string) {
  const answers = new Map<string, Awaited<ReturnType<typeof answerAt>>>();
  for (const path of [...SHOWN, ...NOT_SHOWN]) answers.set(path, await answerAt(url + path));
  const links = [...answers.values()].flatMap(({ text }) =>
    [...text.matchAll(/<li><a href="(\/t\/[^"]+)"/g)].map(([, path = ""]) => path),
  );
  for (const path of links) answers.set(path, await answerAt(url + path));
  return answers;
}

/** A key of every user for each view. The command makes none of the public one before all is compiled. */
async function keysOfAll(emails: readonly string[], location: DatabaseLocation): Promise<string[]> {
  const store = await (await engineAt(location)).open();
  const minted = emails.flatMap((email) => VIEWS.map((view) => ({ email, view, key: mintKey(view) })));
  await store.keys.create(
    minted.map(({ email, view, key }) => ({
      ...{ email, view, hash: hashKey(key) },
      ...{ name: null, expiresAt: null, paths: null },
    })),
  );
  await store.close();
  return minted.map(({ key }) => key);
}

describe.each(CHANGED)(
  "a database that $release left, whose documents are not compiled anew yet ($name)",
  ({ release, engine }) => {
    const stack = new AsyncDisposableStack();
    let recorded: Recorded;
    let program: Program;
    let location: DatabaseLocation;
    let server: ServingProgram;

    beforeAll(async () => {
      recorded = await recordedOf(release);
      const database = engine === sqlite ? undefined : stack.use(await engine.create());
      program = stack.use(
        await programWith(release, database, { LIMIT_DEFAULT: "1000", LIMIT_FULL: "1000" }),
      );
      location = database?.location ?? program.database;
      await (await engineAt(location)).upgrade();
      server = stack.use(await program.serve(["serve", "--no-migrate"]));
      expect(server.output()).toContain("documents are of an older version");
    });
    afterAll(() => stack.disposeAsync());

    test("answers every key byte for byte as the release did", async () => {
      for (const { key, answers } of recorded.keys)
        expect(said(await askAgain(server.url, key, answers))).toEqual(said(answers));
    });

    test("has every answer, page, file and link, and has them alike once all is compiled", async () => {
      const keys = await keysOfAll(recorded.users, location);
      const everythingFor = async (key: string) => {
        const headers = { Authorization: `Bearer ${key}` };
        const paths = (await askEverything(server.url, key)).map(({ path }) => path);
        return Promise.all(paths.map((path) => answerAt(server.url + path, headers)));
      };
      const everything = async () => ({
        shown: await everythingShownAt(server.url),
        answers: await Promise.all(keys.map(everythingFor)),
      });

      const before = await everything();
      for (const [path, { status, place }] of before.shown) {
        const expected = NOT_SHOWN.includes(path) ? 404 : SHOWN.includes(path) ? 200 : 302;
        expect({ path, status }).toEqual({ path, status: expected });
        if (expected === 302) expect(place).toMatch(/^(?:https?|mailto|tel):/);
      }
      expect([...before.shown.values()].filter(({ status }) => status === 302)).toHaveLength(11);
      expect(await done(program, ["migrate"])).toContain("Compiled the documents of 3 users anew.");
      expect(await everything()).toEqual(before);
      expect(await done(program, ["doctor"])).toEndWith("All is well.");
    });
  },
);

const CALLERS = 8;
const REQUESTS_BETWEEN = 300;

describeWithProxy("HAProxy", "two instances", (start) => {
  test.concurrent.each(CASES)(
    "of $release are replaced one by one by the present code, and lose no request: $name",
    async ({ release, engine, hasChanged }) => {
      await using stack = new AsyncDisposableStack();
      const database = engine === sqlite ? undefined : stack.use(await engine.create());
      const fresh = stack.use(
        await programWith(release, database, { LIMIT_DEFAULT: "1000000", SHUTDOWN_DELAY: "5" }),
      );
      const old = stack.use(await programOf(release, fresh));
      const ports = [await freePort(), await freePort()];
      const [a, b] = [await serveOn(old, ports[0], stack), await serveOn(old, ports[1], stack)];
      const proxy = stack.use(await start([a.url, b.url]));
      const { keys } = await recordedOf(release);
      const [{ key = "", answers = [] } = {}] = keys;
      const [, wanted] = answers;

      const callers = stack.use(
        new Callers(CALLERS, () =>
          fetch(`${proxy.url}${wanted?.path}`, {
            headers: { Authorization: `Bearer ${key}` },
            tls: { rejectUnauthorized: false },
          }).then(
            async (response) => {
              const body = await response.text();
              return `${response.status} ${body === wanted?.body || body}`;
            },
            (error: Error) => `${error.name}: ${error.message}`,
          ),
        ),
      );
      await callers.more(REQUESTS_BETWEEN);
      // From here on the old instances read what the new version has made.
      await done(fresh, ["migrate"]);
      for (const [index, instance] of [a, b].entries()) {
        await callers.more(REQUESTS_BETWEEN);
        expect(await instance.stop("SIGTERM")).toBe(0);
        const next = await serveOn(fresh, ports[index], stack);
        // HAProxy sends to it again once it has found it ready.
        await until("the new instance to be asked", () =>
          next.output().includes(`"route":"${wanted?.path}"`),
        );
      }
      await callers.more(REQUESTS_BETWEEN);
      expect(await callers.stop()).toEqual(["200 true"]);
      expect(await done(fresh, ["doctor"])).toEndWith("All is well.");
      const removed = "Removed what only an older Vitrine could read.";
      expect((await done(fresh, ["migrate"])).includes(removed)).toBe(hasChanged);
      expect(await done(fresh, ["doctor"])).toEndWith("All is well.");
    },
  );
});

/** The program of a release, on the same database as another. */
async function programOf(release: string, { environment, databaseName, folder }: Program): Promise<Program> {
  const file = folder.file("program.js");
  for (const name of new Bun.Glob("**/*.{js,ts}.gz").scanSync(`${FIXTURES}/${release}`))
    await Bun.write(folder.file(name.slice(0, -".gz".length)), await unpacked(`${release}/${name}`));
  const url = environment.DATABASE_URL ?? `sqlite:${folder.file(databaseName)}`;
  return new Program({ ...environment, DATABASE_URL: url }, [process.execPath, "--no-install", file]);
}

/** On the same database as a program, the release answers all as it did, with the same tags. */
async function expectAnswersOf(release: string, recorded: Recorded, program: Program): Promise<void> {
  using old = await programOf(release, program);
  await using server = await old.serve();
  for (const { key, answers } of recorded.keys)
    expect(await askAgain(server.url, key, answers)).toEqual([...answers]);
}

/** On a port that was there before, as a supervisor starts an instance again. */
async function serveOn(
  program: Program,
  port: number | undefined,
  stack: AsyncDisposableStack,
): Promise<ServingProgram> {
  return stack.use(await program.serve(["serve", "--port", String(port)]));
}
