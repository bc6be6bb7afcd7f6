import { describe, expect, test } from "bun:test";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { SMALL_STEP, USER_STEP } from "../../src/store/contents.ts";
import { allOf, count, everythingIn, fill, putEverything } from "../support/contents.ts";
import { integrityFaults } from "../support/databases.ts";
import type { Engine, TestDatabase } from "../support/engines.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

async function saveIn(database: TestDatabase, ...numbers: readonly number[]): Promise<void> {
  const store = await database.openStore();
  await store.records.save(numbers.map((number) => checkedRecord(writtenRecord(number))));
  await store.close();
}

async function discrepanciesIn(database: TestDatabase): Promise<unknown[]> {
  const store = await database.openStore();
  try {
    return [
      ...(await integrityFaults(database.location)),
      ...(await Array.fromAsync(store.upkeep.discrepancies(() => {}))),
    ];
  } finally {
    await store.close();
  }
}

export function contentsSentences(engine: Engine): void {
  describe(`${engine.name}: contents`, () => {
    test("of a new database are nothing", async () => {
      await using database = await engine.create();
      await saveIn(database);
      expect(await everythingIn(database)).toEqual({ users: [], keys: [], hooks: [], counts: [] });
    });

    test("are all that is stored of users, keys, hooks and counts, in the order of their keys", async () => {
      await using database = await engine.create();
      const { key } = await fill(database);
      const { users, keys, hooks, counts } = await everythingIn(database);
      expect(users.map(({ email }) => email)).toEqual([1, 3, 4].map((it) => writtenRecord(it).email));
      for (const { id, email, record } of users) expect(JSON.parse(record)).toMatchObject({ id, email });
      expect(users.map(({ number }) => number)).toEqual(users.map(({ number }) => number).toSorted());

      const { history = [], pictures, passkeys, identities } = users[2]?.belongings ?? {};
      expect(history).toMatchObject([
        { version: 1, way: "studio", record: expect.stringMatching(/^28b52ffd/) },
      ]);
      expect(pictures).toMatchObject([{ hash: "0f", type: "image/png", bytes: "00ff0a0d" }]);
      expect(passkeys).toMatchObject([
        {
          id: "one",
          public_key: "00ff0a0d",
          counter: 2 ** 32 - 1,
          transports: "usb,nfc",
          last_used_at: null,
        },
        { id: "two", counter: 7, last_used_at: expect.any(Number) },
      ]);
      expect(identities).toMatchObject([{ issuer: "https://login.example", subject: "subject" }]);

      expect(keys.map(({ hash }) => hash)).toEqual(
        keys.map(({ hash }) => hash).toSorted((one, other) => Buffer.compare(one, other)),
      );
      expect(keys).toHaveLength(4);
      expect(keys.find(({ hash }) => Buffer.compare(hash, hashKey(key)) === 0)).toEqual({
        hash: new Uint8Array(hashKey(key)),
        id: expect.any(String),
        userNumber: users[0]?.number ?? 0,
        userId: users[0]?.id ?? "",
        name: 'it\'s "1" 👩🏽‍🚀',
        view: "full",
        paths: null,
        createdAt: expect.any(Number),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: 1_770_000_000_000,
      });
      expect(keys.filter(({ revokedAt }) => revokedAt !== null)).toHaveLength(1);

      expect(hooks).toEqual([
        {
          id: expect.any(String),
          userNumber: users[2]?.number ?? 0,
          url: "https://hook.example/deploy",
          headers: '[["X-Token","é"]]',
          body: null,
          secret: "whsec_x",
          events: "record.changed,key.expiring",
          createdAt: expect.any(Number),
          failingSince: null,
          disabledAt: null,
        },
      ]);

      expect(counts.map(({ linkId, day, count }) => [linkId, day, count])).toEqual([
        ["", "2026-04-11", 1],
        ["", "2026-04-12", 7],
        ["a", "2026-04-12", 3],
        ["b", "2026-04-12", 1],
        ["", "2026-04-12", 2 ** 40],
      ]);
    });

    test("are counted", async () => {
      await using database = await engine.create();
      await fill(database);
      const reader = await database.openSource();
      expect(await reader.asOfOneMoment((contents) => contents.totals())).toEqual({
        users: 3,
        keys: 4,
        hooks: 1,
        counts: 5,
      });
      await reader.close();
    });

    test("of more rows than one step holds come whole, each once", async () => {
      await using database = await engine.create();
      const people = 2 * USER_STEP + 1;
      await saveIn(database, ...Array.from({ length: people }, (_, index) => index));
      const days = Array.from({ length: 2 * SMALL_STEP }, (_, index) => ({ day: String(100_000 + index) }));
      await count(database, ...days);
      const { users, counts } = await everythingIn(database);
      expect(users.map(({ email }) => email)).toEqual(
        Array.from({ length: people }, (_, index) => writtenRecord(index).email),
      );
      expect(counts.map(({ day }) => day)).toEqual(days.map(({ day }) => day));
    });

    test("as of one moment are without what is written meanwhile", async () => {
      await using database = await engine.create();
      await fill(database);
      const before = await everythingIn(database);
      const reader = await database.openSource();
      await reader.asOfOneMoment(async (contents) => {
        await contents.totals();
        await saveIn(database, 5);
        await count(database, {});
        expect(await allOf(contents)).toEqual(before);
      });
      expect(await reader.asOfOneMoment(allOf)).not.toEqual(before);
      await reader.close();
    });
  });

  describe(`${engine.name}: contents that are put into a database`, () => {
    test("are the same there, and documents are compiled from them", async () => {
      await using source = await engine.create();
      await using target = await engine.create();
      const { key } = await fill(source);
      const all = await everythingIn(source);
      await putEverything(target, all);
      expect(await everythingIn(target)).toEqual(all);
      expect(await discrepanciesIn(target)).toEqual([]);
      const [here, there] = [await source.openReader(), await target.openReader()];
      const answer = await there.readDocument(hashKey(key), "full", "full");
      expect(answer).not.toBeNull();
      expect(answer).toEqual(await here.readDocument(hashKey(key), "full", "full"));
      await here.close();
      await there.close();
    });

    test("are set and not added where they are there already", async () => {
      await using database = await engine.create();
      await fill(database);
      const all = await everythingIn(database);
      await putEverything(database, { ...all, users: [] });
      expect(await everythingIn(database)).toEqual(all);

      const keys = all.keys.map((key) => ({
        ...key,
        name: "other",
        revokedAt: 5,
        lastUsedAt: 6,
        expiresAt: 7,
      }));
      const counts = all.counts.map((row) => ({ ...row, count: 12 }));
      const hooks = all.hooks.map((hook) => ({ ...hook, failingSince: 8, disabledAt: 9 }));
      await putEverything(database, { users: [], keys, hooks, counts });
      expect(await everythingIn(database)).toEqual({ users: all.users, keys, hooks, counts });
    });

    test("never make two users share a number", async () => {
      await using source = await engine.create();
      await using target = await engine.create();
      await fill(source);
      const all = await everythingIn(source);
      await putEverything(target, all);
      await saveIn(target, 9);
      const { users } = await everythingIn(target);
      expect(users.slice(0, -1)).toEqual(all.users);
      expect(users.at(-1)?.email).toBe(writtenRecord(9).email);
    });

    test("are all not there when one of them cannot be", async () => {
      await using source = await engine.create();
      await using target = await engine.create();
      await fill(source);
      const { users, keys, hooks, counts } = await everythingIn(source);
      const [first] = users;
      if (!first) throw new Error("there is nobody");
      const twice = { ...first, number: 99 };
      const nothing = { users: [], keys: [], hooks: [], counts: [] };
      for (const wrong of [{ users: [...users, twice] }, { keys }, { hooks }, { counts }])
        await expect(putEverything(target, { ...nothing, ...wrong })).rejects.toThrow();
      expect(await everythingIn(target)).toEqual(nothing);
    });

    test("go with the users to whom they belong", async () => {
      await using database = await engine.create();
      await fill(database);
      const { users, keys, hooks, counts } = await everythingIn(database);
      const writer = await database.openContentsWriter();
      await writer.deleteUsers(users.slice(0, 1));
      await writer.close();
      const isLeft = ({ userNumber }: { userNumber: number }) => userNumber !== users[0]?.number;
      expect(await everythingIn(database)).toEqual({
        users: users.slice(1),
        keys: keys.filter(isLeft),
        hooks: hooks.filter(isLeft),
        counts: counts.filter(isLeft),
      });
      expect(await discrepanciesIn(database)).toEqual([]);
    });

    test("can be new keys of somebody who is there", async () => {
      await using database = await engine.create();
      await fill(database);
      const all = await everythingIn(database);
      const [key] = all.keys;
      if (!key) throw new Error("there is no key");
      const added = { ...key, id: "another", hash: new Uint8Array(hashKey(mintKey())) };
      await putEverything(database, { users: [], keys: [added], hooks: [], counts: [] });
      expect((await everythingIn(database)).keys).toContainEqual(added);
    });
  });
}
