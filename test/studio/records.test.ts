import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { unpacked } from "../../src/packing/packed.ts";
import type { UserRecord } from "../../src/records/record.ts";
import type {
  Conflict,
  Preview,
  Problems,
  RecordCheck,
  SavedRecord,
  StoredRecord,
} from "../../src/studio/contract.ts";
import { withValue } from "../support/edit-record.ts";
import { writtenRecord } from "../support/records.ts";
import { type Halves, startTestStudio, type TestStudio } from "../support/studio.ts";
import { holdWriteLock } from "../support/write-lock.ts";

setDefaultTimeout(300_000);

async function opened() {
  const studio = await startTestStudio();
  const as = await studio.enterAsOwner();
  const { id } = await studio.record();
  const params = { user: id };
  const shown = (await (await studio.call("showRecord", { as, params })).json()) as StoredRecord;
  return { studio, as, params, ...shown, [Symbol.asyncDispose]: () => studio[Symbol.asyncDispose]() };
}

function save(studio: TestStudio, as: Record<string, string>, params: { user: string }, body: unknown) {
  return studio.call("saveRecord", { as, params, body });
}

describe("an owner's record", () => {
  test("is saved with what was changed, and is in the next document and page", async () => {
    await using it = await opened();
    const changed = withValue(it.record, "linkTrees[0].title", "New title");
    const response = await save(it.studio, it.as, it.params, { record: changed, revision: it.revision });
    expect(response.status).toBe(200);
    const saved = (await response.json()) as SavedRecord;
    expect(saved).toMatchObject({ change: "updated" });
    expect(saved.record.linkTrees[0]?.title).toBe("New title");
    expect(saved.revision).not.toBe(it.revision);
    const reader = await it.studio.database.openReader();
    const page = await reader.readPage(saved.record.linkTrees[0]?.slug ?? "");
    await reader.close();
    expect(Buffer.from(unpacked(page?.html ?? new Uint8Array())).toString()).toContain("New title");
  });

  test("stays as it is, with its revision, where nothing was changed", async () => {
    await using it = await opened();
    const response = await save(it.studio, it.as, it.params, it);
    expect(response.status).toBe(422);
    const again = await save(it.studio, it.as, it.params, { record: it.record, revision: it.revision });
    expect((await again.json()) as SavedRecord).toEqual({
      change: "unchanged",
      record: it.record,
      revision: it.revision,
    });
  });

  test("waits for a database that another process holds, until it is told to try again", async () => {
    await using it = await opened();
    await using _held = await holdWriteLock(it.studio.database.location);
    const changed = withValue(it.record, "linkTrees[0].title", "New title");
    const response = await save(it.studio, it.as, it.params, { record: changed, revision: it.revision });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({ fault: "unavailable" });
    expect(it.studio.logged().filter(({ level }) => level === "error")).toMatchObject([
      { message: "storage is unavailable" },
    ]);
  });

  test("is saved once another process lets the database go, and who reads meanwhile does not wait", async () => {
    await using it = await opened();
    const changed = withValue(it.record, "linkTrees[0].title", "New title");
    const lock = await holdWriteLock(it.studio.database.location);
    const saving = save(it.studio, it.as, it.params, { record: changed, revision: it.revision });
    const read = await it.studio.call("showRecord", { as: it.as, params: it.params });
    const { revision } = (await read.json()) as StoredRecord;
    await lock[Symbol.asyncDispose]();
    expect([read.status, revision, (await saving).status]).toEqual([200, it.revision, 200]);
  });

  test("of very many links holds up nobody else, however often its owner has it checked", async () => {
    await using it = await opened();
    const other = { as: await it.studio.enterAsOwner(writtenRecord(2).email) };
    const params = { user: (await it.studio.record(writtenRecord(2).email)).id };
    const links = Array.from({ length: 20_000 }, (_, index) => ({
      label: "Link",
      url: `https://example.com/${index}`,
    }));
    const body = { record: withValue(it.record, "linkTrees[0].links", links) };
    const answered: string[] = [];
    const note = async (name: string, answer: Promise<Response>) => {
      await (await answer).bytes();
      answered.push(name);
    };
    const check = () => it.studio.call("checkRecord", { as: it.as, params: it.params, body });
    const checks = Array.from({ length: 12 }, () => note("busy", check()));
    await Promise.race(checks);
    await note("other", it.studio.call("showRecord", { ...other, params }));
    await Promise.all(checks);
    expect(answered.indexOf("other")).toBeLessThan(7);
  });

  test("has a thousand link trees at most, but for those that the operator has put in", async () => {
    await using it = await opened();
    const trees = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        title: "Tree",
        description: null,
        slug: `tree-${index}`,
        links: [],
      }));
    const saveTrees = async (as: Halves, count: number) => {
      const { record, revision } = (await (
        await it.studio.call("showRecord", { as, params: it.params })
      ).json()) as StoredRecord;
      const answer = await save(it.studio, as, it.params, {
        record: { ...record, linkTrees: trees(count) },
        revision,
      });
      return [answer.status, ((await answer.json()) as Partial<Problems>).problems];
    };
    const refused = (most: number) => [
      422,
      [{ path: ["linkTrees"], message: `has more than ${most} link trees, which is the most` }],
    ];
    expect(await saveTrees(it.as, 1001)).toEqual(refused(1000));
    expect(await saveTrees(it.as, 1000)).toEqual([200, undefined]);
    const operator = await it.studio.enterAsOperator();
    expect(await saveTrees(operator, 1002)).toEqual([200, undefined]);
    expect(await saveTrees(it.as, 1003)).toEqual(refused(1002));
    expect(await saveTrees(it.as, 1002)).toEqual([200, undefined]);
  });

  test("that somebody else saved in between is not overwritten: both versions come back", async () => {
    await using it = await opened();
    const first = withValue(it.record, "profile.summary.value", "first");
    const second = withValue(it.record, "profile.summary.value", "second");
    await save(it.studio, it.as, it.params, { record: first, revision: it.revision });
    const late = await save(it.studio, it.as, it.params, { record: second, revision: it.revision });
    expect(late.status).toBe(409);
    const conflict = (await late.json()) as Conflict;
    expect(conflict.revision).toBe(it.revision);
    expect(conflict.stored.record.profile.summary.value).toBe("first");
    const kept = { record: second, revision: conflict.stored.revision };
    expect((await save(it.studio, it.as, it.params, kept)).status).toBe(200);
    expect((await it.studio.record()).profile.summary.value).toBe("second");
  });

  test("with problems is not saved, and each problem has the path of its field", async () => {
    await using it = await opened();
    const wrong = withValue(
      withValue(it.record, "linkTrees[0].links[1].url", "javascript:alert(1)"),
      "jobs[0].startDate",
      "soon",
    );
    const response = await save(it.studio, it.as, it.params, { record: wrong, revision: it.revision });
    expect(response.status).toBe(422);
    const { problems } = (await response.json()) as Problems;
    expect(problems.map(({ path }) => path)).toEqual([
      ["jobs", 0, "startDate"],
      ["linkTrees", 0, "links", 1, "url"],
    ]);
    expect(await it.studio.record()).toEqual(it.record);
  });

  test("with a space in an address is told what to write in its place, as an import is", async () => {
    await using it = await opened();
    const wrong = withValue(it.record, "profile.url.value", "https://example.com/a b");
    const response = await save(it.studio, it.as, it.params, { record: wrong, revision: it.revision });
    expect(((await response.json()) as Problems).problems).toEqual([
      {
        path: ["profile", "url", "value"],
        message: "must be a URL that starts with http or https: write each space as %20",
      },
    ]);
  });

  test("cannot take what is another's, and is not told whose it is", async () => {
    await using it = await opened();
    const other = writtenRecord(2);
    const taking = withValue(it.record, "profile.slug", other.profile.slug);
    const response = await save(it.studio, it.as, it.params, { record: taking, revision: it.revision });
    const text = await response.text();
    expect(JSON.parse(text).problems).toEqual([{ path: ["profile", "slug"], message: "is already taken" }]);
    expect(text).not.toContain(other.email);
    const operator = await it.studio.enterAsOperator();
    const told = await save(it.studio, operator, it.params, { record: taking, revision: it.revision });
    expect(((await told.json()) as Problems).problems[0]?.message).toContain(other.email);
  });

  test("keeps its id and address, which only the operator changes", async () => {
    await using it = await opened();
    const moved = withValue(it.record, "email", "new@example.com");
    const refused = await save(it.studio, it.as, it.params, { record: moved, revision: it.revision });
    expect(((await refused.json()) as Problems).problems).toMatchObject([{ path: ["email"] }]);
    const { id } = await it.studio.record(writtenRecord(2).email);
    const foreign = { ...it.record, id, jobs: [] };
    const other = await save(it.studio, it.as, it.params, { record: foreign, revision: it.revision });
    expect(((await other.json()) as Problems).problems).toMatchObject([{ path: ["id"] }]);
    const operator = await it.studio.enterAsOperator();
    const allowed = await save(it.studio, operator, it.params, { record: moved, revision: it.revision });
    expect(allowed.status).toBe(200);
  });

  test("can be checked without being saved, with what would differ", async () => {
    await using it = await opened();
    const changed = withValue(it.record, "profile.location.value", "Oslo");
    const response = await it.studio.call("checkRecord", {
      as: it.as,
      params: it.params,
      body: { record: changed },
    });
    const check = (await response.json()) as RecordCheck;
    expect(check).toMatchObject({
      problems: [],
      differences: [{ path: ["profile", "location"], message: "location changed" }],
    });
    expect(check.record?.profile.location.value).toBe("Oslo");
    expect(await it.studio.record()).toEqual(it.record);
  });
});

describe("a preview", () => {
  async function previewed(record: unknown, tree = 0, scheme = "light"): Promise<Preview> {
    await using it = await opened();
    const body = { record: record ?? it.record, tree, scheme };
    return (await (
      await it.studio.call("previewPage", { as: it.as, params: it.params, body })
    ).json()) as Preview;
  }

  test("is the page as it would be compiled, without having been saved", async () => {
    const edited = withValue(writtenRecord(1), "linkTrees[0].title", "A <b>title</b>") as UserRecord;
    const { html } = await previewed(edited);
    expect(html).toContain("A &lt;b&gt;title&lt;/b&gt;");
    // What search engines read is data, and nothing runs in the frame anyway.
    expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
  });

  test.each(["light", "dark"])(
    "is %s all over where that is asked for, whatever the reader's own is",
    async (scheme) => {
      const { html } = await previewed(writtenRecord(1), 0, scheme);
      const [style = ""] = /<style>.*<\/style>/.exec(html ?? "") ?? [];
      expect(style).toContain(scheme === "dark" ? "@media all" : "@media not all");
      expect(style).not.toContain("prefers-color-scheme");
    },
  );

  test("leaves out what is not right yet, and what it does not show anyway", async () => {
    const half = withValue(
      withValue(withValue(writtenRecord(1), "linkTrees[0].links[0].url", "https:"), "jobs", "none"),
      "profile.avatarUrl.value",
      "x",
    );
    const { html, problems } = await previewed(half);
    expect(problems).toEqual([]);
    const labels = writtenRecord(1).linkTrees[0]?.links.map(({ label }) => label) ?? [];
    expect(html).not.toContain(`<bdi>${labels[0]}</bdi>`);
    expect(html).toContain(`<bdi>${labels[1]}</bdi>`);
  });

  test.each([null, 1, {}, { linkTrees: [null], profile: null }, { linkTrees: [{ links: 1 }] }])(
    "of %j says what is wrong",
    async (record) => {
      const preview = await previewed(record ?? false);
      expect(preview.html).toBeNull();
      expect(preview.problems.length).toBeGreaterThan(0);
    },
  );
});
