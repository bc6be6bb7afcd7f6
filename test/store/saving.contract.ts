import { describe, expect, test } from "bun:test";
import { DOCUMENT_KINDS } from "../../src/contract/routes.ts";
import { seconds } from "../support/clock.ts";
import { without, withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { answerOf, FIRST_EMAIL, openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";

export function savingSentences(engine: Engine): void {
  describe(`${engine.name}: saving`, () => {
    test("a new record creates its user", async () => {
      await using opened = await openStore(engine);
      expect(await opened.save(writtenRecord())).toEqual([{ change: "created", email: FIRST_EMAIL }]);
      expect(await opened.store.records.count()).toBe(1);
      expect(await opened.record()).toMatchObject({ email: FIRST_EMAIL, codehostId: 1001 });
    });

    test("nothing does nothing", async () => {
      await using opened = await openStore(engine);
      expect(await opened.save()).toEqual([]);
      expect(await opened.store.records.count()).toBe(0);
    });

    test("says what became of each record, in the order they were given", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const changed = withValue(writtenRecord(2), "codehostId", 5);
      expect(await opened.save(writtenRecord(3), writtenRecord(1), changed)).toEqual([
        { change: "created", email: "person3@example.com" },
        { change: "unchanged", email: "person1@example.com" },
        { change: "updated", email: "person2@example.com" },
      ]);
    });

    test("the same record again changes nothing, not even a timestamp or a tag", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash } = await opened.key();
      const record = await opened.record();
      const before = await opened.read(hash, "full");
      opened.clock.advance(seconds(60));
      expect(await opened.save(writtenRecord())).toEqual([{ change: "unchanged", email: FIRST_EMAIL }]);
      expect(await opened.record()).toEqual(record);
      expect(await opened.read(hash, "full")).toEqual(before);
    });

    test("what was exported again changes nothing", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const record = await opened.record();
      opened.clock.advance(seconds(60));
      expect(await opened.save(record)).toEqual([{ change: "unchanged", email: FIRST_EMAIL }]);
      expect(await opened.record()).toEqual(record);
    });

    test("a changed record moves updatedAt by the store's clock and keeps createdAt", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      opened.clock.advance(seconds(60));
      await opened.save(withValue(writtenRecord(), "linkTrees[0].title", "New"));
      const record = await opened.record();
      expect([record.createdAt, record.updatedAt]).toEqual([
        "2026-04-12T08:30:00.000Z",
        "2026-04-12T08:31:00.000Z",
      ]);
      expect(record.linkTrees.map(({ updatedAt }) => updatedAt)).toEqual([
        "2026-04-12T08:31:00.000Z",
        "2026-04-12T08:30:00.000Z",
      ]);
    });

    test("two trees of a user can exchange their slugs", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const [one, two] = (await opened.record()).linkTrees;
      const { hash } = await opened.key();
      const record = await opened.record();
      await opened.save({
        ...record,
        linkTrees: [
          { ...one, slug: two?.slug },
          { ...two, slug: one?.slug },
        ],
      });
      expect((await opened.record()).linkTrees.map(({ id, slug }) => [id, slug])).toEqual([
        [one?.id ?? "", two?.slug ?? ""],
        [two?.id ?? "", one?.slug ?? ""],
      ]);
      const tree = await opened.readTree(hash, one?.slug ?? "");
      expect(JSON.parse(answerOf(tree)?.text ?? "")).toMatchObject({ id: two?.id });
    });

    test("a tree's slug is free for others once the tree has another", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      await opened.save(withValue(await opened.record(), "linkTrees[0].slug", "renamed"));
      const taker = withValue(writtenRecord(2), "linkTrees[0].slug", "everything-1");
      expect(await opened.refusals(taker)).toEqual([]);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("a record without its trees leaves nothing of them", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash } = await opened.key();
      await opened.save({ ...writtenRecord(), linkTrees: [] });
      expect((await opened.readTree(hash, "everything-1"))?.body).toBeNull();
      expect(await opened.discrepancies()).toEqual([]);
    });
  });

  describe(`${engine.name}: a user`, () => {
    test("is found by e-mail address without regard to case", async () => {
      await using opened = await openStore(engine);
      await opened.save(withValue(writtenRecord(), "email", "Ada.Ä@Example.com"));
      expect((await opened.record("aDA.ä@eXAMPLE.COM")).email).toBe("Ada.Ä@Example.com");
      expect(await opened.store.records.find("nobody@example.com")).toBeNull();
    });

    test("who is saved under the address in another case is the same one, with the address as it is now", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { id } = await opened.record();
      const loud = withValue(writtenRecord(), "email", FIRST_EMAIL.toUpperCase());
      expect(await opened.save(loud)).toEqual([{ change: "updated", email: FIRST_EMAIL.toUpperCase() }]);
      expect(await opened.record()).toMatchObject({ id, email: FIRST_EMAIL.toUpperCase() });
      expect(await opened.store.records.count()).toBe(1);
    });

    test("known by id can change address, and the old one is free for another", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      const { id } = await opened.record();
      const moved = { ...writtenRecord(1), id, email: "new@example.com" };
      expect(await opened.save(moved)).toEqual([{ change: "updated", email: "new@example.com" }]);
      expect(await opened.store.records.find(FIRST_EMAIL)).toBeNull();
      expect((await opened.record("new@example.com")).id).toBe(id);
      expect(await opened.save(withValue(writtenRecord(2), "email", FIRST_EMAIL))).toEqual([
        { change: "created", email: FIRST_EMAIL },
      ]);
    });

    test("known by the owner that the jobs name can change address as well", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { id } = await opened.record();
      const jobs = writtenRecord().jobs.map((job) => ({ ...job, userId: id }));
      await opened.save({ ...writtenRecord(), jobs, email: "new@example.com" });
      expect((await opened.record("new@example.com")).id).toBe(id);
      expect(await opened.store.records.count()).toBe(1);
    });

    test("known by address keeps the stored id when the record has another", async () => {
      await using opened = await openStore(engine);
      await opened.save({ ...writtenRecord(), id: "user-1" });
      await opened.save({ ...writtenRecord(), id: "user-2", codehostId: 5 });
      expect(await opened.record()).toMatchObject({ id: "user-1", codehostId: 5 });
      expect(await opened.store.records.count()).toBe(1);
    });

    test("keeps keys when the record and the address change", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { info } = await opened.key({ name: "site" });
      const { id } = await opened.record();
      await opened.save({ ...writtenRecord(), id, email: "new@example.com" });
      expect(await opened.store.keys.of("new@example.com")).toEqual([{ ...info, email: "new@example.com" }]);
    });

    test("who is deleted takes record, documents, link trees and keys along", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const { hash, info } = await opened.key();
      const other = await opened.key({ email: writtenRecord(2).email });
      expect(await opened.store.records.delete(FIRST_EMAIL.toUpperCase())).toBe(true);

      expect(await opened.store.records.find(FIRST_EMAIL)).toBeNull();
      expect(await opened.store.keys.find(info.id)).toBeNull();
      for (const kind of DOCUMENT_KINDS) expect(await opened.read(hash, kind)).toBeNull();
      expect(await opened.integrityFaults()).toEqual([]);
      expect((await opened.read(other.hash, "full"))?.body).not.toBeNull();
      expect(await opened.store.records.count()).toBe(1);
    });

    test("who is deleted leaves address, slugs and ids to others", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const record = await opened.record();
      await opened.store.records.delete(FIRST_EMAIL);
      expect(await opened.save(record)).toEqual([{ change: "created", email: FIRST_EMAIL }]);
      expect(await opened.record()).toEqual(record);
    });

    test("who is deleted never lends the internal number to another, whose limits it would share", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const before = await opened.read((await opened.key()).hash, "full");
      await opened.store.records.delete(FIRST_EMAIL);
      await opened.save(writtenRecord());
      const after = await opened.read((await opened.key()).hash, "full");
      expect(before?.userNumber).not.toBe(after?.userNumber ?? 0);
    });

    test("who does not exist cannot be deleted", async () => {
      await using opened = await openStore(engine);
      expect(await opened.store.records.delete(FIRST_EMAIL)).toBe(false);
    });
  });

  describe(`${engine.name}: a batch`, () => {
    const rival = "is already taken by person1@example.com";

    /** What no two users may share: how the second person would take it from the first. */
    const TAKEN: readonly (readonly [place: string, value: unknown])[] = [
      ["profile.slug", "person-1"],
      ["linkTrees[0].slug", "everything-1"],
      ["linkTrees[1].slug", "everything-1"],
      ["linkTrees[1].id", "tree-1"],
    ];
    const owner = withValue(writtenRecord(1), "linkTrees[0].id", "tree-1");

    for (const [place, value] of TAKEN) {
      test(`is refused at ${place} when that is another user's already`, async () => {
        await using opened = await openStore(engine);
        await opened.save(owner);
        const taker = withValue(writtenRecord(2), place, value);
        expect(await opened.refusals(writtenRecord(3), taker)).toEqual([
          { index: 1, problem: { place, message: rival, isTaken: true } },
        ]);
      });

      test(`is refused at ${place} when an earlier record of the batch has it`, async () => {
        await using opened = await openStore(engine);
        const taker = withValue(writtenRecord(2), place, value);
        expect(await opened.refusals(owner, writtenRecord(3), taker)).toEqual([
          { index: 2, problem: { place, message: rival, isTaken: true } },
        ]);
      });

      test(`is refused at ${place} when a stored user wants to change to what another has`, async () => {
        await using opened = await openStore(engine);
        await opened.save(owner, writtenRecord(2));
        const taker = withValue(await opened.record("person2@example.com"), place, value);
        expect(await opened.refusals(taker)).toEqual([
          { index: 0, problem: { place, message: rival, isTaken: true } },
        ]);
      });
    }

    test("is refused at email when a user known by id wants another's address, whatever its case", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const { id } = await opened.record("person2@example.com");
      const taker = { ...writtenRecord(2), id, email: "PERSON1@example.com" };
      expect(await opened.refusals(taker)).toEqual([
        { index: 0, problem: { place: "email", message: rival, isTaken: true } },
      ]);
    });

    test("is refused at email when two of its records have the same address, whatever its case", async () => {
      await using opened = await openStore(engine);
      const twice = withValue(writtenRecord(2), "email", "Person1@Example.com");
      expect(await opened.refusals(writtenRecord(1), twice)).toEqual([
        { index: 1, problem: { place: "email", message: rival, isTaken: true } },
      ]);
    });

    test("is refused at id when two of its records have the same", async () => {
      await using opened = await openStore(engine);
      const [one, two] = [1, 2].map((number) => ({ ...writtenRecord(number), id: "user-1" }));
      expect(await opened.refusals(one, two)).toEqual([
        { index: 1, problem: { place: "id", message: rival, isTaken: true } },
      ]);
    });

    test("is refused when two of its records are the same user, one by id and one by address", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { id } = await opened.record();
      let renamed: unknown = { ...writtenRecord(), id, email: "new@example.com" };
      renamed = withValue(renamed, "profile.slug", "renamed");
      renamed = withValue(renamed, "linkTrees", []);
      const asBefore = withValue(writtenRecord(), "codehostId", 5);
      for (const batch of [
        [renamed, asBefore],
        [asBefore, renamed],
      ]) {
        const refused = await opened.refusals(...batch);
        expect(new Set(refused.map(({ index }) => index))).toEqual(new Set([1]));
      }
    });

    test("is refused at the place as it was written, though trees are kept oldest first", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      const [one, two] = writtenRecord(2).linkTrees;
      const taker = {
        ...writtenRecord(2),
        linkTrees: [
          { ...one, slug: "everything-1", createdAt: "2022-01-01" },
          { ...two, createdAt: "2020-01-01" },
        ],
      };
      expect(await opened.refusals(taker)).toEqual([
        { index: 0, problem: { place: "linkTrees[0].slug", message: rival, isTaken: true } },
      ]);
    });

    test("is refused where a project names a job that its record does not have", async () => {
      await using opened = await openStore(engine);
      const wrong = withValue(writtenRecord(2), "projects[0].jobId", "job-1-past");
      expect(await opened.refusals(writtenRecord(1), wrong)).toEqual([
        { index: 1, problem: { place: "projects[0].jobId", message: "names no job of this record" } },
      ]);
    });

    test("is told every problem of every record at once", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      let second = withValue(writtenRecord(2), "profile.slug", "person-1");
      second = withValue(second, "linkTrees[1].slug", "empty-1");
      const third = withValue(writtenRecord(3), "projects[0].jobId", "nobody");
      expect(await opened.refusals(second, third)).toEqual([
        { index: 0, problem: { place: "profile.slug", message: rival, isTaken: true } },
        { index: 0, problem: { place: "linkTrees[1].slug", message: rival, isTaken: true } },
        { index: 1, problem: { place: "projects[0].jobId", message: "names no job of this record" } },
      ]);
    });

    test("that is refused writes nothing at all", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      const before = await opened.records();
      const changed = withValue(writtenRecord(1), "codehostId", 5);
      const taker = withValue(writtenRecord(3), "profile.slug", "person-2");
      expect(await opened.refusals(changed, writtenRecord(2), taker)).toHaveLength(1);
      expect(await opened.records()).toEqual(before);
      expect(await opened.store.records.count()).toBe(1);
      expect(await opened.discrepancies()).toEqual([]);
      expect(await opened.refusals(writtenRecord(2))).toEqual([]);
    });

    test("may have one user's profile slug as another's tree slug", async () => {
      await using opened = await openStore(engine);
      const other = withValue(writtenRecord(2), "linkTrees[0].slug", "person-1");
      expect(await opened.refusals(writtenRecord(1), other)).toEqual([]);
    });

    test("may have jobs and links of different users with the same id", async () => {
      await using opened = await openStore(engine);
      const link = [{ id: "link-1", label: "Home", url: "https://a.example/" }];
      const [one, two] = [1, 2].map((number) => {
        let record = withValue(writtenRecord(number), "jobs[0].id", "job-1");
        record = withValue(record, "projects[0].jobId", "job-1");
        return withValue(record, "linkTrees[0].links", link);
      });
      expect(await opened.refusals(one, two)).toEqual([]);
    });
  });

  describe(`${engine.name}: records`, () => {
    test("come in the order they were created, whatever changed since", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(2), writtenRecord(1));
      await opened.save(writtenRecord(3));
      await opened.save(withValue(writtenRecord(2), "codehostId", 5));
      expect((await opened.records()).map(({ email }) => email)).toEqual([
        "person2@example.com",
        "person1@example.com",
        "person3@example.com",
      ]);
    });

    test("come out as they went in, in another installation too", async () => {
      await using opened = await openStore(engine);
      await using other = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2), without(writtenRecord(3), "profile.name"));
      const exported = await opened.records();
      other.clock.advance(seconds(3600));
      await other.save(...exported);
      expect(JSON.stringify(await other.records())).toBe(JSON.stringify(exported));
      expect((await other.save(...exported)).map(({ change }) => change)).toEqual([
        "unchanged",
        "unchanged",
        "unchanged",
      ]);
      for (const { email } of exported) {
        const [here, there] = [await opened.key({ email }), await other.key({ email })];
        for (const kind of DOCUMENT_KINDS) {
          const { etag, body } = (await opened.read(here.hash, kind)) ?? {};
          expect(await other.read(there.hash, kind)).toMatchObject({ etag, body });
        }
      }
    });

    test("of what /user/full returned are what they were", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      const before = await opened.records();
      const full = await opened.read((await opened.key()).hash, "full");
      const shown: unknown = JSON.parse(answerOf(full)?.text ?? "");
      expect(await opened.save(shown)).toEqual([{ change: "unchanged", email: FIRST_EMAIL }]);
      expect(await opened.records()).toEqual(before);
    });
  });

  describe(`${engine.name}: the list of users`, () => {
    test("is empty at first", async () => {
      await using opened = await openStore(engine);
      expect(await Array.fromAsync(opened.store.records.summaries())).toEqual([]);
    });

    test("has the oldest first, with their link trees and the keys that work now", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(2));
      opened.clock.advance(seconds(1));
      await opened.save({ ...writtenRecord(1), linkTrees: [] });
      await opened.key();
      await opened.key({ expiresAt: opened.clock.now() + seconds(10) });
      await opened.store.keys.revoke((await opened.key()).info.id);
      const [two, one] = await opened.records();
      const expected = (activeKeys: number) => [
        {
          id: two?.id ?? "",
          email: "person2@example.com",
          profileSlug: "person-2",
          linkTrees: 2,
          activeKeys: 0,
          updatedAt: "2026-04-12T08:30:00.000Z",
        },
        {
          id: one?.id ?? "",
          email: "person1@example.com",
          profileSlug: "person-1",
          linkTrees: 0,
          activeKeys,
          updatedAt: "2026-04-12T08:30:01.000Z",
        },
      ];
      expect(await Array.fromAsync(opened.store.records.summaries())).toEqual(expected(2));
      opened.clock.advance(seconds(10));
      expect(await Array.fromAsync(opened.store.records.summaries())).toEqual(expected(1));
    });
  });
}
