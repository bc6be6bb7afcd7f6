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
    test("that nobody saved go with a save after an hour, but for new ones and those of others", async () => {
      await using opened = await openStore(engine);
      const [used, unused, recent] = HASHES;
      await opened.save(showing(1, used), writtenRecord(2));
      const [first = "", second = ""] = (await opened.records()).map(({ id }) => id);
      for (const hash of [used, unused]) await opened.store.pictures.put(first, picture(hash));
      await opened.store.pictures.put(second, picture(unused));
      opened.clock.advance(seconds(3600) + 1);
      await opened.store.pictures.put(first, picture(recent));
      await opened.save({ ...showing(1, used), codehostId: 4 });
      expect(await keptPictures(opened)).toEqual([[used, recent], [unused]]);
      expect(await areShown(opened, used, unused, recent)).toEqual([true, true, true]);
      await opened.store.records.delete("person2@example.com");
      expect(await areShown(opened, used, unused, recent)).toEqual([true, false, true]);
    });

    test("are shown no more after the save that drops them, whichever way it comes", async () => {
      await using opened = await openStore(engine);
      const [first, second, third] = HASHES;
      const { pictures, records } = opened.store;
      await opened.save(showing(1, first), showing(2, third));
      const [{ id = "" } = {}, { id: other = "" } = {}] = await opened.records();
      for (const hash of [first, second]) await pictures.put(id, picture(hash));
      await pictures.put(other, picture(third));

      // What is saved again with its picture keeps it, and what was uploaded for the next save is not touched.
      await opened.save({ ...showing(1, first), codehostId: 4 });
      expect(await areShown(opened, first, second)).toEqual([true, true]);
      await opened.save(showing(1, second));
      expect(await areShown(opened, first, second)).toEqual([false, true]);
      const plan = await records.plan([checkedRecord(writtenRecord(1)), checkedRecord(writtenRecord(2))]);
      expect(await records.commit(compileBatch(plan))).toMatchObject([{ change: "updated" }, {}]);
      expect(await areShown(opened, second, third)).toEqual([false, false]);
    });

    test("are shown again with a version that is brought back, and by another owner all the while", async () => {
      await using opened = await openStore(engine);
      const [first, second] = HASHES;
      await opened.save(showing(1, first), showing(2, second));
      const [{ id = "" } = {}, { id: other = "" } = {}] = await opened.records();
      for (const hash of [first, second]) await opened.store.pictures.put(id, picture(hash));
      await opened.store.pictures.put(other, picture(second));
      await opened.save(showing(1, second));
      opened.clock.advance(seconds(3600) + 1);
      await opened.store.records.save([checkedRecord(showing(1, first))], "restore");
      expect(await areShown(opened, first, second)).toEqual([true, true]);
      expect([...((await opened.readPicture(first))?.bytes ?? [])]).toEqual([...picture(first).bytes]);
      await opened.store.records.delete("person2@example.com");
      expect(await areShown(opened, first, second)).toEqual([true, false]);
      await opened.store.records.save([checkedRecord(showing(1, second))], "restore");
      expect(await areShown(opened, first, second)).toEqual([false, true]);
    });

    test("are kept as long as a version in the history names them, also where they are uploaded anew", async () => {
      await using opened = await openStore(engine);
      const [first, second] = HASHES;
      await opened.save(showing(1, first), writtenRecord(2));
      const { id } = await opened.record();
      for (const hash of [first, second]) await opened.store.pictures.put(id, picture(hash));
      const saved = async (count: number) => opened.save({ ...showing(1, second), codehostId: count });
      await saved(1);
      await opened.store.pictures.put(id, picture(first));
      expect(await areShown(opened, first)).toEqual([true]);
      opened.clock.advance(seconds(3600) + 1);
      for (let count = 2; count <= 20; count++) await saved(count);
      expect(await keptPictures(opened)).toEqual([[first, second], []]);
      expect(await areShown(opened, first)).toEqual([false]);
      await saved(21);
      expect(await keptPictures(opened)).toEqual([[second], []]);
      expect(await areShown(opened, second)).toEqual([true]);
    });

    test("that no version names are at most ten, the latest, and those of versions are beside them", async () => {
      await using opened = await openStore(engine);
      const [first, second] = HASHES;
      await opened.save(showing(1, first), writtenRecord(2));
      const [{ id = "" } = {}, { id: other = "" } = {}] = await opened.records();
      const { pictures } = opened.store;
      for (const hash of [first, second]) await pictures.put(id, picture(hash));
      const uploads = Array.from({ length: 13 }, (_, index) => String(index).padStart(32, "0"));
      const [oldest = "", ...later] = uploads;
      // A link to a picture does not keep it: a record may have thousands of them.
      const link = { label: "picture", url: `https://links.example/media/${later[0]}.webp` };
      await opened.save(withValue(showing(1, second), "linkTrees[0].links", [link]));
      await pictures.put(other, picture(oldest));
      for (const hash of [oldest, ...later.slice(0, 9), oldest, ...later.slice(9)]) {
        opened.clock.advance(seconds(1));
        await pictures.put(id, picture(hash));
      }
      expect(await keptPictures(opened)).toEqual([[oldest, ...later.slice(3), first, second], [oldest]]);
      expect(await areShown(opened, first, second, oldest)).toEqual([false, true, true]);
      // Of those that come at the same moment, the one that is put is not the one that goes.
      for (const hash of [...uploads, first]) {
        await pictures.put(id, picture(hash));
        expect(await areShown(opened, hash)).toEqual([true]);
      }
    });
  });
}

const HASHES = ["a".repeat(32), "b".repeat(32), "c".repeat(32)] as const;

function picture(hash: string) {
  return { hash, type: "image/webp" as const, bytes: new TextEncoder().encode(hash) };
}

function showing(number: number, hash: string) {
  const written = writtenRecord(number);
  const avatarUrl = { isPublic: true, value: `https://links.example/media/${hash}.webp` };
  return { ...written, profile: { ...written.profile, avatarUrl } };
}

/** Whether a server would show these pictures. */
async function areShown(opened: OpenedStore, ...hashes: string[]): Promise<boolean[]> {
  const shown: boolean[] = [];
  for (const hash of hashes) shown.push((await opened.readPicture(hash)) !== null);
  return shown;
}

/** The hashes of what is stored of each user, whether it is shown or not. */
async function keptPictures({ database }: OpenedStore): Promise<unknown[][]> {
  const source = await database.openSource();
  const belongings = await source.asOfOneMoment(async (contents) =>
    contents.belongingsOf(await contents.usersAfter(undefined)),
  );
  await source.close();
  return belongings.map(({ pictures }) => pictures.map(({ hash }) => hash));
}
