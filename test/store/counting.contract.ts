import { describe, expect, test } from "bun:test";
import type { Count } from "../../src/store/count-writer.ts";
import { rebuild } from "../support/databases.ts";
import { withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { FIRST_EMAIL, openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";
import { tamperWith } from "../support/tampering.ts";
import { until } from "../support/until.ts";

const SECOND_EMAIL = writtenRecord(2).email;

/** A store with two people, and a writer of counters beside it. */
async function openCounting(engine: Engine) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStore(engine));
  await opened.save(writtenRecord(1), writtenRecord(2));
  const writer = stack.adopt(await opened.database.openCountWriter(), async (it) => it.close());
  const page = async (slug: string) => {
    const found = await opened.readPage(slug);
    if (!found) throw new Error(`no page ${slug}`);
    return found;
  };
  return {
    ...opened,
    /** Adds to the first person's tree, unless said otherwise. */
    async add(...counts: readonly (Partial<Count> & { slug?: string })[]) {
      const full = counts.map(async ({ slug = "everything-1", ...count }) => {
        const { userNumber, treeId } = await page(slug);
        return { userNumber, treeId, linkId: "", day: "2026-04-12", count: 1, ...count };
      });
      await writer.write({ counts: await Promise.all(full), keyIds: [], usedAt: 0 });
    },
    counted: (email = FIRST_EMAIL, since = "") => opened.store.counts.since(email, since),
    page,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export function countingSentences(engine: Engine): void {
  describe(`${engine.name}: counting`, () => {
    test("begins with nothing", async () => {
      await using it = await openCounting(engine);
      expect(await it.counted()).toEqual([]);
      expect(await it.counted("nobody@example.com")).toEqual([]);
    });

    test("adds up within a day, a tree and a link", async () => {
      await using it = await openCounting(engine);
      const { treeId } = await it.page("everything-1");
      await it.add({ count: 2 }, { linkId: "a", count: 5 });
      await it.add({ count: 3 }, { linkId: "b" }, { day: "2026-04-13" });
      expect((await it.counted()).toSorted(byName)).toEqual([
        { treeId, linkId: "", day: "2026-04-12", count: 5 },
        { treeId, linkId: "", day: "2026-04-13", count: 1 },
        { treeId, linkId: "a", day: "2026-04-12", count: 5 },
        { treeId, linkId: "b", day: "2026-04-12", count: 1 },
      ]);
    });

    test("tells trees and owners apart", async () => {
      await using it = await openCounting(engine);
      await it.add({}, { slug: "empty-1", count: 7 }, { slug: "everything-2", count: 9 });
      expect((await it.counted()).map(({ count }) => count).toSorted()).toEqual([1, 7]);
      expect((await it.counted(SECOND_EMAIL)).map(({ count }) => count)).toEqual([9]);
    });

    test("tells what was counted since a day, that day included", async () => {
      await using it = await openCounting(engine);
      await it.add({ day: "2025-12-31" }, { day: "2026-01-01" }, { day: "2026-01-02" });
      expect((await it.counted(FIRST_EMAIL, "2026-01-01")).map(({ day }) => day)).toEqual([
        "2026-01-01",
        "2026-01-02",
      ]);
    });

    test("outlives a change of the tree, of its slug too, and a rebuild", async () => {
      await using it = await openCounting(engine);
      await it.add({ count: 4 });
      await it.save(withValue(await it.record(), "linkTrees[0].slug", "moved"));
      await rebuild(it.store);
      await it.add({ slug: "moved" });
      expect((await it.counted()).map(({ count }) => count)).toEqual([5]);
    });

    test("goes with the owner, and leaves no other count behind when the owner is gone", async () => {
      await using it = await openCounting(engine);
      await it.add({});
      const { userNumber, treeId } = await it.page("everything-1");
      await it.store.records.delete(FIRST_EMAIL);
      await it.add({ slug: "everything-2", userNumber, treeId, count: 3 }, { slug: "everything-2" });
      await it.save(writtenRecord(1));
      expect(await it.counted()).toEqual([]);
      expect((await it.counted(SECOND_EMAIL)).map(({ count }) => count)).toEqual([1]);
      expect(await it.integrityFaults()).toEqual([]);
    });

    test("is no part of what a document or a page says", async () => {
      await using it = await openCounting(engine);
      const before = await it.page("everything-1");
      await it.add({ count: 12 });
      expect(await it.page("everything-1")).toEqual(before);
      expect(await it.discrepancies()).toEqual([]);
    });

    test("from two writers at once loses nothing", async () => {
      await using it = await openCounting(engine);
      const other = await it.database.openCountWriter();
      const { userNumber, treeId } = await it.page("everything-1");
      const counts = [{ userNumber, treeId, linkId: "", day: "2026-04-12", count: 1 }];
      for (let round = 0; round < 20; round++) {
        await Promise.all([it.add({}), other.write({ counts, keyIds: [], usedAt: 0 })]);
      }
      await other.close();
      expect((await it.counted()).map(({ count }) => count)).toEqual([40]);
    });
  });
}

/** Writers of two servers on one database. */
async function openTwoServers(engine: Engine) {
  const stack = new AsyncDisposableStack();
  const { database } = stack.use(await openStore(engine));
  const open = async () => stack.adopt(await database.openCountWriter(), async (it) => it.close());
  const [first, second] = [await open(), await open()];
  return {
    first,
    second,
    /** As if all had been noted before the clock was set back. */
    setBack: (milliseconds: number) =>
      tamperWith(
        { database: database.location },
        `UPDATE instances SET started = started + ${milliseconds}, seen = seen + ${milliseconds}`,
      ),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export function meetingSentences(engine: Engine): void {
  describe(`${engine.name}: a server that is noted`, () => {
    test("is alone with itself, however often it is noted", async () => {
      await using it = await openTwoServers(engine);
      for (let time = 0; time < 3; time++) expect(await it.first.meet("first")).toBe(0);
    });

    test("meets those that were noted since it began, and no earlier ones", async () => {
      await using it = await openTwoServers(engine);
      await it.first.meet("first");
      expect(await it.second.meet("second")).toBe(0);
      // Times are of milliseconds, and in the one in which a server began it meets nobody.
      await until("the first to meet the second", async () => {
        await it.second.meet("second");
        return (await it.first.meet("first")) === 1;
      });
      await until("the second to meet the first", async () => {
        await it.first.meet("first");
        return (await it.second.meet("second")) === 1;
      });
    });

    test("does not meet one that died before the clock was set back", async () => {
      await using it = await openTwoServers(engine);
      await it.first.meet("first");
      await it.setBack(3_600_000);
      expect(await it.second.meet("second")).toBe(0);
    });

    test("meets those that run also after the clock was set back", async () => {
      await using it = await openTwoServers(engine);
      await it.first.meet("first");
      await it.second.meet("second");
      await it.setBack(3_600_000);
      await it.first.meet("first");
      await until("the two to meet", async () => {
        await it.second.meet("second");
        return (await it.first.meet("first")) === 1;
      });
    });

    test("is forgotten when its writer is closed", async () => {
      await using it = await openTwoServers(engine);
      await it.second.meet("second");
      await until("the two to meet", async () => {
        await it.first.meet("first");
        return (await it.second.meet("second")) === 1;
      });
      await it.first.close();
      expect(await it.second.meet("second")).toBe(0);
    });
  });
}

function byName(one: { linkId: string; day: string }, other: { linkId: string; day: string }): number {
  return `${one.linkId} ${one.day}` < `${other.linkId} ${other.day}` ? -1 : 1;
}
