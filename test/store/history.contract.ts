import { describe, expect, test } from "bun:test";
import { compileBatch } from "../../src/store/save/batch.ts";
import { pack, unpack } from "../../src/store/save/parcel.ts";
import { OtherRevision } from "../../src/store/store.ts";
import { seconds } from "../support/clock.ts";
import { withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { FIRST_EMAIL, type OpenedStore, openStore } from "../support/opened-store.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

function titled(title: string): unknown {
  return withValue(writtenRecord(), "linkTrees[0].title", title);
}

async function versionsOf(opened: OpenedStore) {
  const { id } = await opened.record();
  const versions = await opened.store.history.of(id);
  return versions.map(({ version, way, record }) => [
    version,
    way,
    JSON.parse(record).linkTrees[0].title as string,
  ]);
}

export function historySentences(engine: Engine): void {
  describe(`${engine.name}: the history of a record`, () => {
    test("has what was replaced and by which way, and nothing for a new user or a save without a change", async () => {
      await using opened = await openStore(engine);
      await opened.save(titled("one"), writtenRecord(2));
      expect(await versionsOf(opened)).toEqual([]);
      await opened.save(titled("one"));
      expect(await versionsOf(opened)).toEqual([]);
      await opened.save(titled("two"));
      opened.clock.advance(seconds(5));
      await opened.store.records.save([checkedRecord(titled("three"))], "studio");
      await opened.store.records.save([checkedRecord(titled("four"))], "restore");
      expect(await versionsOf(opened)).toEqual([
        [1, "import", "one"],
        [2, "studio", "two"],
        [3, "restore", "three"],
      ]);
      const { id } = await opened.record();
      const times = (await opened.store.history.of(id)).map(({ replacedAt }) => replacedAt);
      expect(times).toEqual([opened.clock.now() - seconds(5), opened.clock.now(), opened.clock.now()]);
    });

    test("comes along with a batch that another thread has prepared", async () => {
      await using opened = await openStore(engine);
      await opened.save(titled("one"), writtenRecord(2));
      const inputs = [writtenRecord(3), titled("two"), writtenRecord(2)].map(checkedRecord);
      const batch = unpack(pack(compileBatch(await opened.store.records.plan(inputs))));
      await opened.store.records.commit(batch);
      expect(await versionsOf(opened)).toEqual([[1, "import", "one"]]);
    });

    test("keeps the last twenty, and goes with the user", async () => {
      await using opened = await openStore(engine);
      for (let count = 0; count <= 23; count++) await opened.save(titled(`title ${count}`));
      const versions = await versionsOf(opened);
      expect(versions).toHaveLength(20);
      expect([versions[0], versions.at(-1)]).toEqual([
        [4, "import", "title 3"],
        [23, "import", "title 22"],
      ]);
      const { id } = await opened.record();
      await opened.store.records.delete(FIRST_EMAIL);
      expect(await opened.store.history.of(id)).toEqual([]);
      expect(await opened.integrityFaults()).toEqual([]);
    });
  });

  describe(`${engine.name}: a save with a revision`, () => {
    test("writes where the record is still that revision, and else nothing", async () => {
      await using opened = await openStore(engine);
      await opened.save(titled("one"));
      const { id } = await opened.record();
      const before = await opened.store.records.findRevised(id);
      const input = { ...checkedRecord(titled("two")), id };
      const revision = before?.revision ?? "";
      expect(await opened.store.records.saveRevision(input, revision, "studio")).toMatchObject({
        change: "updated",
      });
      const late = { ...checkedRecord(titled("three")), id };
      await expect(opened.store.records.saveRevision(late, revision, "studio")).rejects.toThrow(
        OtherRevision,
      );
      const after = await opened.store.records.findRevised(id);
      expect(after?.record.linkTrees[0]?.title).toBe("two");
      expect(after?.revision).not.toBe(revision);
      expect(await opened.store.records.saveRevision(input, after?.revision ?? "", "studio")).toMatchObject({
        change: "unchanged",
      });
      expect(await opened.store.records.findRevised(id)).toEqual(after);
      expect(await opened.store.records.findRevised("nobody")).toBeNull();
    });
  });

  describe(`${engine.name}: a search for users`, () => {
    test("finds them by a part of address or slug in either case, some at a time", async () => {
      await using opened = await openStore(engine);
      await opened.save(...[1, 2, 3, 12].map(writtenRecord));
      const found = async (text: string, after?: string, most = 10) =>
        (await opened.store.records.search(text, after, most)).map(({ email }) => email);
      const all = [1, 2, 3, 12].map((number) => writtenRecord(number).email);
      expect(await found("")).toEqual(all);
      expect(await found("PERSON1")).toEqual([FIRST_EMAIL, "person12@example.com"]);
      expect(await found("person-12")).toEqual(["person12@example.com"]);
      expect(await found("%")).toEqual([]);
      expect(await found("", undefined, 2)).toEqual(all.slice(0, 2));
      const second = await opened.record("person2@example.com");
      expect(await found("", second.id)).toEqual(all.slice(2));
      expect(await opened.store.records.summaryById(second.id)).toMatchObject({ email: second.email });
    });
  });

  describe(`${engine.name}: pictures`, () => {
    test("that are used no more are removed, but for new ones and those of others", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const [first = "", second = ""] = (await opened.records()).map(({ id }) => id);
      const { pictures } = opened.store;
      const picture = (hash: string) => ({
        hash,
        type: "image/webp" as const,
        bytes: new Uint8Array([1, 2, 3]),
      });
      for (const hash of ["used", "unused"]) await pictures.put(first, picture(hash));
      await pictures.put(second, picture("unused"));
      opened.clock.advance(seconds(60));
      await pictures.put(first, picture("new"));
      await pictures.removeUnused(first, ["used"], opened.clock.now() - seconds(10));
      const isThere = async (hash: string) => (await opened.readPicture(hash)) !== null;
      expect(await isThere("used")).toBe(true);
      expect(await isThere("new")).toBe(true);
      expect(await isThere("unused")).toBe(true);
      await opened.store.records.delete("person2@example.com");
      expect(await isThere("unused")).toBe(false);
      await pictures.removeUnused(first, [], opened.clock.now() + 1);
      expect(await isThere("used")).toBe(false);
    });

    test("go with the save that drops them, whichever way it comes", async () => {
      await using opened = await openStore(engine);
      const showing = (number: number, hash: string) => {
        const written = writtenRecord(number);
        const avatarUrl = { isPublic: true, value: hash && `https://links.example/media/${hash}.webp` };
        return { ...written, profile: { ...written.profile, avatarUrl } };
      };
      const isThere = async (hash: string) => (await opened.readPicture(hash)) !== null;
      const [first, second, third] = ["a", "b", "c"].map((digit) => digit.repeat(32)) as [
        string,
        string,
        string,
      ];
      const { pictures, records } = opened.store;
      const bytes = new Uint8Array([1, 2, 3]);
      await opened.save(showing(1, first), showing(2, third));
      const [{ id = "" } = {}, { id: other = "" } = {}] = await opened.records();
      for (const hash of [first, second]) await pictures.put(id, { hash, type: "image/webp", bytes });
      await pictures.put(other, { hash: third, type: "image/webp", bytes });

      // What is saved again with its picture keeps it, and what was uploaded for the next save is not touched.
      await opened.save({ ...showing(1, first), codehostId: 4 });
      expect([await isThere(first), await isThere(second)]).toEqual([true, true]);
      await opened.save(showing(1, second));
      expect([await isThere(first), await isThere(second)]).toEqual([false, true]);
      const plan = await records.plan([checkedRecord(writtenRecord(1)), checkedRecord(writtenRecord(2))]);
      expect(await records.commit(compileBatch(plan))).toMatchObject([{ change: "updated" }, {}]);
      expect([await isThere(second), await isThere(third)]).toEqual([false, false]);
    });
  });
}
