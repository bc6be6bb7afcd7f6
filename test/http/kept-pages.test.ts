import { describe, expect, test } from "bun:test";
import { VIEWS, type View } from "../../src/contract/access.ts";
import type { CountWriter } from "../../src/store/count-writer.ts";
import type { StoredReader } from "../../src/store/stored-reader.ts";
import { withValue } from "../support/edit-record.ts";
import { engineInUse } from "../support/engines.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

/** All that is made of a record when somebody first asks for it. */
const MADE = ["/t/everything-1", "/p/person-1", "/p/person-1.vcf", "/p/person-1.json", "/user/resume"];

/** Counts how often a record is read, which is what everything that is not stored is made of. */
function countingRecords() {
  const counted = { records: 0 };
  const wrapStored = (reader: StoredReader): StoredReader =>
    new Proxy(reader, {
      get(target, name) {
        if (name === "readRecord") counted.records++;
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return { counted, wrapStored };
}

/** What a server answers, in a form that can be compared. */
async function visit(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const key = path.startsWith("/user/") ? bearer((await server.key()).key) : {};
  const response = await fetch(server.url + path, { headers: { ...key, ...headers } });
  return { status: response.status, etag: response.headers.get("ETag"), text: await response.text() };
}

/** The first person by another name. */
function renamed(name: string) {
  return checkedRecord(withValue(writtenRecord(1), "profile.name.value", name));
}

describe.each(MADE)("%s", (path) => {
  test("is made for who first asks, and stored for all others, of another server too", async () => {
    await using database = await engineInUse().create({ mayHaveSchema: true });
    const [one, other] = [countingRecords(), countingRecords()];
    await using server = await startTestServer({ database, wrapStored: one.wrapStored });
    const first = await visit(server, path);
    expect(first.status).toBe(200);
    expect(one.counted.records).toBe(1);
    await server.kept();
    expect(await visit(server, path)).toEqual(first);
    expect(one.counted.records).toBe(1);

    await using second = await startTestServer({ database, records: [], wrapStored: other.wrapStored });
    expect(await visit(second, path)).toEqual(first);
    expect(other.counted.records).toBe(0);
  });

  test("is another after a save, for the very next visitor of each server", async () => {
    await using database = await engineInUse().create({ mayHaveSchema: true });
    await using server = await startTestServer({ database });
    await using second = await startTestServer({ database, records: [] });
    for (const name of ["Grace", "Ada", "Grace"]) {
      await server.store.records.save([renamed(name)]);
      for (const it of [second, server]) {
        const { text } = await visit(it, path);
        expect(text).toContain(name);
        expect(text).not.toContain(name === "Ada" ? "Grace" : "Ada");
        await it.kept();
      }
    }
  });

  test("is the same for many who ask at once, of either server", async () => {
    await using database = await engineInUse().create({ mayHaveSchema: true });
    await using server = await startTestServer({ database });
    await using second = await startTestServer({ database, records: [] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => visit(index % 2 === 0 ? server : second, path)),
    );
    expect(answers[0]?.status).toBe(200);
    for (const answer of answers) expect(answer).toEqual(answers[0] as (typeof answers)[0]);
    await Promise.all([server.kept(), second.kept()]);
    expect(await visit(server, path)).toEqual(answers[0] as (typeof answers)[0]);
  });

  test("is served though it cannot be kept, which is logged, and kept once it can", async () => {
    const { counted, wrapStored } = countingRecords();
    let isReadOnly = true;
    await using server = await startTestServer({
      wrapStored,
      wrapRenditions: (writer) => ({
        async keep(made) {
          if (isReadOnly) throw new Error("attempt to write a readonly database");
          await writer.keep(made);
        },
      }),
    });
    const first = await visit(server, path);
    expect(first.status).toBe(200);
    await server.kept();
    expect(await visit(server, path)).toEqual(first);
    expect(counted.records).toBe(2);
    await server.kept();
    const warnings = server.logged().filter(({ level }) => level === "warn");
    expect(warnings.map(({ message, reason }) => ({ message, reason }))).toEqual(
      Array(2).fill({
        message: "pages could not be kept, and are made anew for each visit",
        reason: "attempt to write a readonly database",
      }),
    );
    isReadOnly = false;
    expect(await visit(server, path)).toEqual(first);
    await server.kept();
    expect(await visit(server, path)).toEqual(first);
    expect(counted.records).toBe(3);
  });
});

test("nothing is kept while counts cannot be written either, and pages go on", async () => {
  const { counted, wrapStored } = countingRecords();
  let isReadOnly = true;
  let kept = 0;
  await using server = await startTestServer({
    wrapStored,
    wrapWriter: (writer: CountWriter) => ({
      async write(batch) {
        if (isReadOnly) throw new Error("attempt to write a readonly database");
        await writer.write(batch);
      },
      close: () => writer.close(),
    }),
    wrapRenditions: (writer) => ({
      keep(made) {
        kept += made.length;
        return writer.keep(made);
      },
    }),
  });
  await visit(server, "/t/everything-2", PERSON);
  await until("the server to notice", () => server.commits.isFailing);
  await server.kept();
  const [made, read] = [kept, counted.records];
  const first = await visit(server, "/t/everything-1");
  expect(first.status).toBe(200);
  expect(await visit(server, "/t/everything-1")).toEqual(first);
  expect([kept - made, counted.records - read]).toEqual([0, 2]);
  isReadOnly = false;
  await until("the server to notice again", () => !server.commits.isFailing);
  expect(await visit(server, "/t/everything-1")).toEqual(first);
  await server.kept();
  expect([kept - made, counted.records - read]).toEqual([1, 3]);
});

test("the résumé of each view is kept by itself", async () => {
  await using server = await startTestServer();
  const answers = new Map<View, string>();
  for (const _ of [1, 2]) {
    for (const view of VIEWS) {
      const { key } = await server.key({ view });
      const text = await (await server.get("/user/resume", bearer(key))).text();
      expect(text).toBe(answers.get(view) ?? text);
      answers.set(view, text);
    }
    await server.kept();
  }
  expect(new Set(answers.values()).size).toBe(2);
});

test("what was stored of a profile is not shown once it is private", async () => {
  await using server = await startTestServer();
  for (const path of MADE) await visit(server, path);
  await server.kept();
  await server.store.records.save([checkedRecord(withValue(writtenRecord(1), "profile.isPublic", false))]);
  const { key } = await server.key({ view: "public" });
  expect((await server.get("/user/resume", bearer(key))).status).toBe(200);
  await server.kept();
  for (const path of ["/p/person-1", "/p/person-1.vcf", "/p/person-1.json"])
    expect((await visit(server, path)).status).toBe(404);
});
