import { describe, expect, test } from "bun:test";
import { compileBatch } from "../../src/store/save/batch.ts";
import { DamagedRecord } from "../../src/store/stored-record.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { seconds } from "../support/clock.ts";
import type { Engine } from "../support/engines.ts";
import { answerOf, FIRST_EMAIL, type OpenedStore, openStore } from "../support/opened-store.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { CUT_OFF_RECORD, recordStatement, tamperWith, tamperWithRecord } from "../support/tampering.ts";

const EMAILS = [1, 2, 3].map((number) => writtenRecord(number).email);

function damage({ database }: OpenedStore, ...statements: readonly string[]): Promise<void> {
  return tamperWith({ database: database.location }, ...statements);
}

async function openWithDamage(engine: Engine): Promise<OpenedStore> {
  const opened = await openStore(engine);
  await opened.save(...[1, 2, 3].map(writtenRecord));
  await damage(opened, CUT_OFF_RECORD);
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

    test("that is a text, as before an upgrade, tells its time in the list by its beginning alone", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const time = async () => (await opened.store.records.summary(FIRST_EMAIL))?.updatedAt;
      await damage(opened, "UPDATE users SET updated_at = NULL");
      await tamperWithRecord({ database: opened.database.location }, 1, (text) => text.slice(0, 500));
      expect(await time()).toBe("2026-04-12T08:30:00.000Z");
      await damage(opened, recordStatement(1, ""));
      expect(await time()).toBeNull();
    });

    test("is passed over when documents are compiled, and its own stay", async () => {
      await using opened = await openStore(engine);
      await opened.save(...[1, 2, 3].map(writtenRecord));
      const { hash } = await opened.key();
      const before = await opened.read(hash, "full");
      const page = await opened.readPage("everything-1");
      await opened.keepMade();
      await damage(opened, CUT_OFF_RECORD);
      await opened.store.upkeep.outdateAll();
      const { users, damaged } = await opened.store.upkeep.compileNext();
      expect(users).toBe(3);
      expect(damaged).toEqual([{ id: expect.any(String) as never, email: FIRST_EMAIL, fault: "no JSON" }]);
      expect((await opened.store.upkeep.compileNext()).users).toBe(0);
      expect(await opened.store.upkeep.outdated()).toBe(0);
      expect(await opened.read(hash, "full")).toEqual(before);
      expect(page).not.toBeNull();
      expect(await opened.readPage("everything-1")).toEqual(page);
    });

    test("leaves the store unavailable to whoever asks for what is to be made of it, and to nobody else", async () => {
      await using opened = await openWithDamage(engine);
      const { hash } = await opened.key();
      for (const ask of [
        () => opened.readPage("everything-1"),
        () => opened.read(hash, "resume"),
        () => opened.readPreview("p", "person-1"),
      ])
        expect(await ask().catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
      expect(answerOf(await opened.read(hash, "full"))?.text).toContain(FIRST_EMAIL);
      expect(await opened.readPage("everything-2")).not.toBeNull();
    });

    test("is the one discrepancy, and its documents are known to be intact", async () => {
      await using opened = await openWithDamage(engine);
      const found = {
        email: FIRST_EMAIL,
        recordFault: "no JSON",
        differences: [],
        refusedSlugs: [],
      } as const;
      expect(await opened.discrepancies()).toEqual([{ ...found, areDocumentsIntact: true }]);
      await damage(opened, "UPDATE answers SET body = links WHERE user_number = 1");
      expect(await opened.discrepancies()).toEqual([{ ...found, areDocumentsIntact: false }]);
    });

    test("of which no page can be made, though it has the shape of one, is found by a page that was kept", async () => {
      await using opened = await openStore(engine);
      await opened.save(...[1, 2, 3].map(writtenRecord));
      await opened.readPage("everything-2");
      await opened.keepMade();
      await tamperWithRecord({ database: opened.database.location }, 2, (text) =>
        text.replace("https://person2.example/me.png", "nowhere"),
      );
      expect((await opened.discrepancies()).map(({ email, recordFault }) => [email, recordFault])).toEqual([
        [EMAILS[1], "no record"],
      ]);
      const failure: unknown = await opened.readPage("empty-2").catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect((failure as Error).cause).toBeInstanceOf(DamagedRecord);
      expect(await opened.readPage("everything-3")).not.toBeNull();
    });

    test("is replaced by the next save, planned before or not, with the ids that its documents still tell", async () => {
      for (const way of ["save", "commit"] as const) {
        await using opened = await openStore(engine);
        await opened.save(writtenRecord(1), writtenRecord(2));
        const before = await opened.record();
        await damage(opened, recordStatement(1, "{"));
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
      await damage(opened, recordStatement(1, "{"));
      opened.clock.advance(seconds(60));
      expect(await opened.save(written)).toEqual([{ change: "updated", email: FIRST_EMAIL }]);
      expect(await opened.record()).toEqual(before);
      expect(await opened.discrepancies()).toEqual([]);
    });

    test("is replaced even where nothing is left of its documents, and its user stays the same", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1));
      const before = await opened.record();
      await damage(opened, recordStatement(1, "{"), "DELETE FROM answers", "DELETE FROM public_answers");
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
