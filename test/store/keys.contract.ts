import { describe, expect, test } from "bun:test";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { NoSuchUser } from "../../src/store/access.ts";
import { seconds } from "../support/clock.ts";
import type { Engine } from "../support/engines.ts";
import { FIRST_EMAIL, openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";

export function keySentences(engine: Engine): void {
  describe(`${engine.name}: a key`, () => {
    test("has an id, an owner, a name, a creation time and nothing of the key itself", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const expiresAt = opened.clock.now() + seconds(60);
      const { info } = await opened.key({ name: "site", expiresAt });
      expect(info).toEqual({
        id: expect.stringMatching(/^[\w-]+$/),
        email: FIRST_EMAIL,
        name: "site",
        view: "full",
        paths: null,
        createdAt: opened.clock.now(),
        expiresAt,
        revokedAt: null,
        lastUsedAt: null,
      });
      expect(await opened.store.keys.find(info.id)).toEqual(info);
    });

    test("is made for an address in any case, and names the owner as stored", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { info } = await opened.key({ email: FIRST_EMAIL.toUpperCase() });
      expect(info.email).toBe(FIRST_EMAIL);
      expect(await opened.store.keys.of(FIRST_EMAIL.toUpperCase())).toEqual([info]);
    });

    test("can have any name, and none", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const named = await opened.key({ name: 'it\'s "mine" 👩🏽‍🚀 אבג' });
      const nameless = await opened.key();
      expect((await opened.store.keys.find(named.info.id))?.name).toBe('it\'s "mine" 👩🏽‍🚀 אבג');
      expect((await opened.store.keys.find(nameless.info.id))?.name).toBeNull();
    });

    test("keeps its view and its paths, and hands them on to the one that takes its place", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash, info } = await opened.key({ view: "public", paths: ["linktrees", "links"] });
      expect(info).toMatchObject({ view: "public", paths: ["linktrees", "links"] });
      expect(await opened.store.keys.find(info.id)).toEqual(info);
      expect(await opened.read(hash, "links", "public")).toMatchObject({ paths: "linktrees,links" });
      const next = { hash: hashKey(mintKey("public")), expiresAt: null, oldExpiresAt: opened.clock.now() };
      const { view, paths } = await opened.store.keys.rotate(info.id, next);
      expect({ view, paths }).toEqual({ view: "public", paths: ["linktrees", "links"] });
    });

    test("that does not exist is not found, revoked or rotated", async () => {
      await using opened = await openStore(engine);
      const next = { hash: hashKey(mintKey()), expiresAt: null, oldExpiresAt: 0 };
      expect(await opened.store.keys.find("nothing")).toBeNull();
      expect(await opened.store.keys.revoke("nothing")).toBeNull();
      await expect(opened.store.keys.rotate("nothing", next)).rejects.toThrow("no key nothing");
    });

    test("that was revoked has the time of it", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { info } = await opened.key();
      const other = await opened.key();
      opened.clock.advance(seconds(5));
      const revoked = { ...info, revokedAt: opened.clock.now() };
      expect(await opened.store.keys.revoke(info.id)).toEqual(revoked);
      expect(await opened.store.keys.find(info.id)).toEqual(revoked);
      expect(await opened.store.keys.find(other.info.id)).toEqual(other.info);
    });

    test("that is revoked again keeps the time of the first", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { info } = await opened.key();
      const first = await opened.store.keys.revoke(info.id);
      opened.clock.advance(seconds(5));
      expect(await opened.store.keys.revoke(info.id)).toEqual(first);
      expect(await opened.store.keys.find(info.id)).toEqual(first);
    });
  });

  describe(`${engine.name}: several keys`, () => {
    test("of a user are listed oldest first", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const names = ["one", "two", "three"];
      for (const name of names) {
        await opened.key({ name });
        opened.clock.advance(1);
      }
      await opened.key({ name: "other", email: "person2@example.com" });
      expect((await opened.store.keys.of(FIRST_EMAIL)).map(({ name }) => name)).toEqual(names);
    });

    test("of nobody are none", async () => {
      await using opened = await openStore(engine);
      for (const email of ["nobody@example.com", "", "no\0body@example.com"]) {
        expect(await opened.store.keys.of(email)).toEqual([]);
        expect(await opened.store.records.find(email)).toBeNull();
      }
    });

    test("that expire until a time are those that work now, of all users, the first to end first", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const now = opened.clock.now();
      const second = await opened.key({ email: "person2@example.com", expiresAt: now + seconds(10) });
      const first = await opened.key({ expiresAt: now + seconds(5), view: "public" });
      const last = await opened.key({ expiresAt: now + seconds(20) });
      const revoked = await opened.key({ expiresAt: now + seconds(10) });
      await opened.store.keys.revoke(revoked.info.id);
      await opened.key({ expiresAt: now });
      await opened.key();
      const { keys } = opened.store;
      expect(await keys.expiringUntil(now + seconds(10))).toEqual([first.info, second.info]);
      expect(await keys.expiringUntil(now + seconds(20))).toEqual([first.info, second.info, last.info]);
      expect(await keys.expiringUntil(now)).toEqual([]);
    });

    test("are made at once, in the order they were asked for", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord(1), writtenRecord(2));
      const wanted = ["person2@example.com", "person1@example.com", "person2@example.com"];
      const made = await opened.store.keys.create(
        wanted.map((email) => ({ email, hash: hashKey(mintKey()), name: null, expiresAt: null })),
      );
      expect(made.map(({ email }) => email)).toEqual(wanted);
      expect(await opened.store.keys.of("person2@example.com")).toHaveLength(2);
    });

    test("are all not made when one of their owners does not exist", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const keys = [FIRST_EMAIL, "nobody@example.com"].map((email) => ({
        email,
        hash: hashKey(mintKey()),
        name: null,
        expiresAt: null,
      }));
      await expect(opened.store.keys.create(keys)).rejects.toThrow(NoSuchUser);
      expect(await opened.store.keys.of(FIRST_EMAIL)).toEqual([]);
    });

    test("are all not made when one of them exists already", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash, info } = await opened.key();
      const keys = [hashKey(mintKey()), hash].map((hash) => ({
        email: FIRST_EMAIL,
        hash,
        name: null,
        expiresAt: null,
      }));
      await expect(opened.store.keys.create(keys)).rejects.toThrow();
      expect(await opened.store.keys.of(FIRST_EMAIL)).toEqual([info]);
    });
  });

  describe(`${engine.name}: rotating a key`, () => {
    test("adds one of the same owner and name, and ends the old one at the given time", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { hash, info } = await opened.key({ name: "site" });
      opened.clock.advance(seconds(5));
      const oldExpiresAt = opened.clock.now() + seconds(60);
      const next = hashKey(mintKey());
      const added = await opened.store.keys.rotate(info.id, { hash: next, expiresAt: null, oldExpiresAt });
      expect(added).toEqual({
        ...info,
        id: added.id,
        createdAt: opened.clock.now(),
        expiresAt: null,
      });
      expect(added.id).not.toBe(info.id);
      expect(await opened.store.keys.of(FIRST_EMAIL)).toEqual([{ ...info, expiresAt: oldExpiresAt }, added]);
      expect(await opened.read(hash, "full")).toMatchObject({ keyId: info.id, expiresAt: oldExpiresAt });
      expect(await opened.read(next, "full")).toMatchObject({ keyId: added.id, expiresAt: null });
    });

    test("gives the new key the expiry asked for", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { info } = await opened.key();
      const now = opened.clock.now();
      const added = await opened.store.keys.rotate(info.id, {
        hash: hashKey(mintKey()),
        expiresAt: now + seconds(90),
        oldExpiresAt: now,
      });
      expect(added.expiresAt).toBe(now + seconds(90));
    });

    test("never lets the old key work longer than it would have", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const soon = opened.clock.now() + seconds(10);
      const { info } = await opened.key({ expiresAt: soon });
      const rotate = (oldExpiresAt: number) =>
        opened.store.keys.rotate(info.id, { hash: hashKey(mintKey()), expiresAt: null, oldExpiresAt });
      await rotate(soon + seconds(60));
      expect((await opened.store.keys.find(info.id))?.expiresAt).toBe(soon);
      await rotate(soon - seconds(1));
      expect((await opened.store.keys.find(info.id))?.expiresAt).toBe(soon - seconds(1));
    });

    test("can be undone: the new key is revoked, and the old one ends when it would have", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const now = opened.clock.now();
      for (const expiresAt of [null, now + seconds(90)]) {
        const { info } = await opened.key({ expiresAt });
        const next = { hash: hashKey(mintKey()), expiresAt, oldExpiresAt: now + seconds(60) };
        const added = await opened.store.keys.rotate(info.id, next);
        await opened.store.keys.undoRotation(added.id, info, next.oldExpiresAt);
        expect(await opened.store.keys.find(info.id)).toEqual(info);
        expect(await opened.store.keys.find(added.id)).toEqual({ ...added, revokedAt: now });
      }
    });

    test("that is undone leaves an end that somebody has set since", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const now = opened.clock.now();
      const { info } = await opened.key();
      const rotate = (oldExpiresAt: number) =>
        opened.store.keys.rotate(info.id, { hash: hashKey(mintKey()), expiresAt: null, oldExpiresAt });
      const added = await rotate(now + seconds(60));
      await rotate(now + seconds(10));
      await opened.store.keys.undoRotation(added.id, info, now + seconds(60));
      expect((await opened.store.keys.find(info.id))?.expiresAt).toBe(now + seconds(10));
    });

    test("to one that exists already leaves the old key as it was", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { info } = await opened.key();
      const other = await opened.key();
      const next = { hash: other.hash, expiresAt: null, oldExpiresAt: opened.clock.now() };
      await expect(opened.store.keys.rotate(info.id, next)).rejects.toThrow();
      expect(await opened.store.keys.of(FIRST_EMAIL)).toEqual(
        [info, other.info].toSorted((one, two) => (one.id < two.id ? -1 : 1)),
      );
    });
  });

  describe(`${engine.name}: what counts`, () => {
    test("also tells how many keys work and will end soon", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const now = Date.now();
      for (const expiresAt of [now - 1000, now + seconds(50), now + seconds(500), null])
        await opened.key({ expiresAt });
      const { info } = await opened.key({ expiresAt: now + seconds(50) });
      const writer = await opened.database.openCountWriter();
      expect(await writer.expiringKeys(seconds(100))).toBe(2);
      await opened.store.keys.revoke(info.id);
      expect(await writer.expiringKeys(seconds(100))).toBe(1);
      expect(await writer.expiringKeys(seconds(1000))).toBe(2);
      await writer.close();
    });
  });

  describe(`${engine.name}: the use of keys`, () => {
    test("is noted for the keys that were used, and for no other", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const [used, unused] = [await opened.key(), await opened.key()];
      const writer = await opened.database.openCountWriter();
      const at = opened.clock.now() + seconds(5);
      await writer.write({ counts: [], keyIds: [used.info.id, "no-such-key"], usedAt: at });
      await writer.close();
      expect(await opened.store.keys.find(used.info.id)).toEqual({ ...used.info, lastUsedAt: at });
      expect(await opened.store.keys.find(unused.info.id)).toEqual(unused.info);
      expect(await opened.read(used.hash, "full")).toMatchObject({ lastUsedAt: at });
    });

    test("is the latest one that was noted", async () => {
      await using opened = await openStore(engine);
      await opened.save(writtenRecord());
      const { info } = await opened.key();
      const writer = await opened.database.openCountWriter();
      await writer.write({ counts: [], keyIds: [info.id], usedAt: 1000 });
      await writer.write({ counts: [], keyIds: [], usedAt: 1500 });
      await writer.write({ counts: [], keyIds: [info.id], usedAt: 2000 });
      await writer.close();
      expect((await opened.store.keys.find(info.id))?.lastUsedAt).toBe(2000);
    });
  });
}
