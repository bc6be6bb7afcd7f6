import { describe, expect, test } from "bun:test";
import { compileBatch } from "../../src/store/save/batch.ts";
import { RecordsRefused } from "../../src/store/store.ts";
import { withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { type OpenedStore, openStore } from "../support/opened-store.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

export function preparingSentences(engine: Engine): void {
  const plan = ({ store }: OpenedStore, ...written: unknown[]) =>
    store.records.plan(written.map(checkedRecord));
  const prepare = async (opened: OpenedStore, ...written: unknown[]) =>
    compileBatch(await plan(opened, ...written));

  describe(`${engine.name}: a prepared batch`, () => {
    test("writes nothing until it is committed, and then what saving would write", async () => {
      await using opened = await openStore(engine);
      await using other = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      await other.save(...(await opened.records()));
      const before = await opened.records();
      const written = [
        { ...writtenRecord(3), id: "user-3" },
        withValue(before[0], "linkTrees[0].title", "New"),
        writtenRecord(2),
      ];

      const batch = await prepare(opened, ...written);
      expect(await opened.records()).toEqual(before);

      expect(await opened.store.records.commit(batch)).toEqual(await other.save(...written));
      const [saved, prepared] = [await other.records(), await opened.records()];
      expect(prepared.slice(0, 2)).toEqual(saved.slice(0, 2));
      expect(prepared[2]).toMatchObject({ id: "user-3", email: "person3@example.com" });
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("is plain data that another thread can hand over", async () => {
      await using opened = await openStore(engine);
      const planned = structuredClone(await plan(opened, writtenRecord()));
      const batch = structuredClone(compileBatch(planned));
      expect(await opened.store.records.commit(batch)).toEqual([
        { change: "created", email: "person1@example.com" },
      ]);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("of what is stored already changes nothing", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const before = await opened.records();
      expect(await opened.store.records.commit(await prepare(opened, writtenRecord()))).toEqual([
        { change: "unchanged", email: "person1@example.com" },
      ]);
      expect(await opened.records()).toEqual(before);
    });

    test("says what saving would do, and to whom", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const [first, second] = await opened.records();
      const written = [withValue(writtenRecord(2), "codehostId", 5), writtenRecord(3), writtenRecord(1)];
      const { saves } = await prepare(opened, ...written);
      expect(saves).toMatchObject([
        { change: "updated", email: "person2@example.com", id: second?.id },
        { change: "created", email: "person3@example.com", earlier: undefined },
        { change: "unchanged", email: "person1@example.com", id: first?.id },
      ]);
      expect(await opened.records()).toEqual([first, second] as never);
      expect(saves).toMatchObject(await opened.save(...written));
    });

    test("is refused as saving it would be", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      let taker = withValue(writtenRecord(2), "profile.slug", "person-1");
      taker = withValue(taker, "projects[0].jobId", "nobody");
      const failure: unknown = await prepare(opened, writtenRecord(3), taker).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(RecordsRefused);
      const refused = await opened.refusals(writtenRecord(3), taker);
      expect(refused).toHaveLength(2);
      expect((failure as RecordsRefused).refused).toEqual(refused);
    });

    test("goes through when somebody else was saved since", async () => {
      await using opened = await openStore(engine);
      const batch = await prepare(opened, writtenRecord(1));
      await opened.save(writtenRecord(2));
      expect(await opened.store.records.commit(batch)).toHaveLength(1);
      expect(await opened.discrepancies()).toEqual([]);
    });

    /** What can happen between the two, to a batch that creates a third person and updates the first. */
    const SINCE: readonly (readonly [what: string, happens: (opened: OpenedStore) => Promise<unknown>])[] = [
      ["one of its users was changed", (opened) => opened.save(withValue(writtenRecord(1), "codehostId", 7))],
      ["one of its users was deleted", ({ store }) => store.records.delete("person1@example.com")],
      [
        "one of its users was deleted and saved anew",
        async (opened) => {
          await opened.store.records.delete("person1@example.com");
          await opened.save(writtenRecord(1));
        },
      ],
      [
        "a user with the same address was created",
        (opened) => opened.save(rival("email", "PERSON3@example.com")),
      ],
      ["a user with the same id was created", (opened) => opened.save(rival("id", "user-3"))],
      ["its profile slug was taken", (opened) => opened.save(rival("profile.slug", "person-3"))],
      ["its tree slug was taken", (opened) => opened.save(rival("linkTrees[0].slug", "empty-3"))],
      ["its tree id was taken", (opened) => opened.save(rival("linkTrees[0].id", "tree-3"))],
      [
        "the new slug of a stored tree was taken",
        (opened) => opened.save(rival("linkTrees[0].slug", "renamed")),
      ],
    ];

    function rival(place: string, value: unknown): unknown {
      return withValue(writtenRecord(9), place, value);
    }

    for (const [what, happens] of SINCE) {
      test(`writes nothing and says so when ${what} since`, async () => {
        await using opened = await openStore(engine);
        await opened.save(writtenRecord(1));
        const stored = await opened.record();
        const batch = await prepare(
          opened,
          { ...(withValue(writtenRecord(3), "linkTrees[1].id", "tree-3") as object), id: "user-3" },
          withValue(stored, "linkTrees[0].slug", "renamed"),
        );
        await happens(opened);
        const between = await opened.records();
        expect(await opened.store.records.commit(batch)).toBeNull();
        expect(await opened.records()).toEqual(between);
        expect(await opened.discrepancies()).toEqual([]);
      });
    }

    test("that found nothing to change is not written over what was changed since", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const batch = await prepare(opened, writtenRecord());
      await opened.save(withValue(writtenRecord(), "codehostId", 7));
      expect(await opened.store.records.commit(batch)).toBeNull();
      expect((await opened.record()).codehostId).toBe(7);
    });

    test("can be committed once", async () => {
      await using opened = await openStore(engine);
      const batch = await prepare(opened, writtenRecord());
      expect(await opened.store.records.commit(batch)).toHaveLength(1);
      expect(await opened.store.records.commit(batch)).toBeNull();
      expect(await opened.store.records.count()).toBe(1);
    });
  });
}
