import { describe, expect, test } from "bun:test";
import { compileBatch } from "../../src/store/save/batch.ts";
import { DamagedRecord } from "../../src/store/stored-record.ts";
import { seconds } from "../support/clock.ts";
import { rebuild } from "../support/databases.ts";
import type { Engine } from "../support/engines.ts";
import { FIRST_EMAIL, type OpenedStore, openStore } from "../support/opened-store.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { tamperWith } from "../support/tampering.ts";

const EMAILS = [1, 2, 3].map((number) => writtenRecord(number).email);

async function openWithDamage(engine: Engine): Promise<OpenedStore> {
  const opened = await openStore(engine);
  await opened.save(...[1, 2, 3].map(writtenRecord));
  await tamperWith(
    { database: opened.database.location },
    "UPDATE users SET record = substr(record, 1, 500) WHERE number = 1",
  );
  return opened;
}

export function damagedSentences(engine: Engine): void {
  describe(`${engine.name}: a damaged record`, () => {
    test("is told by its user where it is asked for, and by nothing that it holds", async () => {
      await using opened = await openWithDamage(engine);
      const failure: unknown = await opened.store.records.find(FIRST_EMAIL).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(DamagedRecord);
      expect((failure as DamagedRecord).user).toMatchObject({ email: FIRST_EMAIL, fault: "no JSON" });
      expect((failure as DamagedRecord).message).toBe("the record of a user is damaged: it is no JSON");
      expect((await opened.record(EMAILS[1])).email).toBe(EMAILS[1] as string);
    });

    test("leaves its user in the list, with all that can still be said", async () => {
      await using opened = await openWithDamage(engine);
      const users = await Array.fromAsync(opened.store.records.summaries());
      expect(users.map(({ email }) => email)).toEqual(EMAILS);
      expect(users[0]).toMatchObject({
        profileSlug: "person-1",
        linkTrees: 2,
        updatedAt: "2026-04-12T08:30:00.000Z",
      });
      expect(await opened.store.records.summary(FIRST_EMAIL.toUpperCase())).toEqual(users[0] as never);
      expect(await opened.store.records.summary("nobody@example.com")).toBeNull();
    });

    test("without its beginning has no time in the list", async () => {
      await using opened = await openWithDamage(engine);
      await tamperWith(
        { database: opened.database.location },
        "UPDATE users SET record = '' WHERE number = 1",
      );
      expect((await opened.store.records.summary(FIRST_EMAIL))?.updatedAt).toBeNull();
    });

    test("is passed over when documents are compiled, and its own stay", async () => {
      await using opened = await openWithDamage(engine);
      const { hash } = await opened.key();
      const before = await opened.read(hash, "full");
      await opened.store.upkeep.outdateAll();
      const { users, damaged } = await opened.store.upkeep.compileNext();
      expect(users).toBe(3);
      expect(damaged).toEqual([{ id: expect.any(String) as never, email: FIRST_EMAIL, fault: "no JSON" }]);
      expect((await opened.store.upkeep.compileNext()).users).toBe(0);
      expect(await opened.store.upkeep.outdated()).toBe(0);
      expect(await opened.read(hash, "full")).toEqual(before);
      expect(await opened.readPage("everything-1")).not.toBeNull();
    });

    test("is the one discrepancy, and its documents are known to be intact", async () => {
      await using opened = await openWithDamage(engine);
      const damage = {
        email: FIRST_EMAIL,
        recordFault: "no JSON",
        differences: [],
        refusedSlugs: [],
      } as const;
      expect(await opened.discrepancies()).toEqual([{ ...damage, areDocumentsIntact: true }]);
      await tamperWith(
        { database: opened.database.location },
        "UPDATE documents SET body = links WHERE user_number = 1",
      );
      expect(await opened.discrepancies()).toEqual([{ ...damage, areDocumentsIntact: false }]);
    });

    test("of which no document can be compiled, though it has the shape of one, is passed over as well", async () => {
      await using opened = await openWithDamage(engine);
      await tamperWith(
        { database: opened.database.location },
        "UPDATE users SET record = replace(record, 'https://person2.example/me.png', 'nowhere') WHERE number = 2",
      );
      expect(await rebuild(opened.store)).toBe(3);
      expect((await opened.discrepancies()).map(({ email, recordFault }) => [email, recordFault])).toEqual([
        [EMAILS[0], "no JSON"],
        [EMAILS[1], "no record"],
      ]);
    });

    test("is replaced by the next save, planned before or not, with the ids that its documents still tell", async () => {
      for (const way of ["save", "commit"] as const) {
        await using opened = await openStore(engine);
        await opened.save(writtenRecord(1), writtenRecord(2));
        const before = await opened.record();
        await tamperWith(
          { database: opened.database.location },
          "UPDATE users SET record = '{' WHERE number = 1",
        );
        const input = checkedRecord(writtenRecord(1));
        const planned = await opened.store.records.plan([input]);
        expect(planned.saves).toMatchObject([{ change: "updated" }]);
        const saved =
          way === "save"
            ? await opened.store.records.save([input])
            : await opened.store.records.commit(compileBatch(planned));
        expect(saved).toEqual([{ change: "updated", email: FIRST_EMAIL }]);
        const after = await opened.record();
        expect([after.id, after.createdAt]).toEqual([before.id, before.createdAt]);
        expect(after.linkTrees).toEqual(before.linkTrees);
        expect(await opened.discrepancies()).toEqual([]);
      }
    });

    test("is replaced by one that says the same as its documents, and no time moves", async () => {
      await using opened = await openStore(engine);
      const written = { ...writtenRecord(1), jobs: [], projects: [] };
      await opened.save(written);
      const before = await opened.record();
      await tamperWith({ database: opened.database.location }, "UPDATE users SET record = '{'");
      opened.clock.advance(seconds(60));
      expect(await opened.save(written)).toEqual([{ change: "updated", email: FIRST_EMAIL }]);
      expect(await opened.record()).toEqual(before);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("is replaced even where nothing is left of its documents, and its user stays the same", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      const before = await opened.record();
      await tamperWith(
        { database: opened.database.location },
        "UPDATE users SET record = '{'",
        "DELETE FROM documents",
        "DELETE FROM pages",
      );
      expect(await opened.save(writtenRecord(1))).toEqual([{ change: "updated", email: FIRST_EMAIL }]);
      expect((await opened.record()).id).toBe(before.id);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("goes with its user", async () => {
      await using opened = await openWithDamage(engine);
      expect(await opened.store.records.delete(FIRST_EMAIL)).toBe(true);
      expect(await opened.discrepancies()).toEqual([]);
    });
  });
}
