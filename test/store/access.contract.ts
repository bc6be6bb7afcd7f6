import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../src/records/days.ts";
import { NoSuchUser } from "../../src/store/access.ts";
import type { Store } from "../../src/store/store.ts";
import { seconds } from "../support/clock.ts";
import { openStore as openStoreAt } from "../support/databases.ts";
import type { Engine } from "../support/engines.ts";
import { FIRST_EMAIL, type OpenedStore, openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";
import { orphanRows } from "../support/tampering.ts";

function anyHash(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

async function openWithPeople(engine: Engine): Promise<OpenedStore & { ids: [string, string] }> {
  const opened = await openStore(engine);
  await opened.save(writtenRecord(1), writtenRecord(2));
  const ids = (await opened.records()).map(({ id }) => id) as [string, string];
  return Object.assign(opened, { ids });
}

/** How often something is tried that goes wrong only where two meet. */
const MEETINGS = Array.from({ length: 10 }, (_, index) => index);

/** A second store on the same database, as another studio or a command has it. */
async function openBeside({ database, clock }: OpenedStore): Promise<Store & AsyncDisposable> {
  const store = await openStoreAt(database.location, clock.now);
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

export function accessSentences(engine: Engine): void {
  describe(`${engine.name}: a ticket`, () => {
    test("can be looked at often and taken once, also by several at the same time", async () => {
      await using opened = await openWithPeople(engine);
      const { tickets } = opened.store.access;
      const hash = anyHash();
      const expiresAt = opened.clock.now() + seconds(60);
      await tickets.issue({ hash, kind: "invitation", userId: opened.ids[0], data: "x", expiresAt });
      const ticket = { userId: opened.ids[0], email: FIRST_EMAIL, data: "x", expiresAt };
      expect(await tickets.find(hash, "invitation")).toEqual(ticket);
      expect(await tickets.find(hash, "link")).toBeNull();
      expect(await tickets.take(hash, "link")).toBeNull();
      const taken = await Promise.all([1, 2, 3].map(() => tickets.take(hash, "invitation")));
      expect(taken.filter(Boolean)).toEqual([ticket]);
      expect(await tickets.find(hash, "invitation")).toBeNull();
    });

    test("ends at its time, with its user, and with the next one of its kind for the same user", async () => {
      await using opened = await openWithPeople(engine);
      const { tickets } = opened.store.access;
      const expiresAt = opened.clock.now() + seconds(60);
      const [first, second, link] = [anyHash(), anyHash(), anyHash()];
      const invitation = { kind: "invitation", userId: opened.ids[0], data: "", expiresAt } as const;
      await tickets.issue({ hash: link, kind: "link", userId: null, data: "", expiresAt });
      await tickets.issue({ ...invitation, hash: first });
      await tickets.issue({ ...invitation, hash: second });
      expect(await tickets.find(first, "invitation")).toBeNull();
      expect(await tickets.find(second, "invitation")).not.toBeNull();
      await opened.store.records.delete(FIRST_EMAIL);
      expect(await tickets.find(second, "invitation")).toBeNull();
      await expect(tickets.issue({ ...invitation, hash: anyHash() })).rejects.toThrow(NoSuchUser);
      expect(await tickets.find(link, "link")).toMatchObject({ userId: null, email: null });
      opened.clock.advance(seconds(60));
      expect(await tickets.take(link, "link")).toBeNull();
    });

    test("does not last until a time that the clock has been set back from", async () => {
      await using opened = await openWithPeople(engine);
      const { tickets } = opened.store.access;
      const hash = anyHash();
      opened.clock.advance(365 * DAY_MS);
      const expiresAt = opened.clock.now() + 7 * DAY_MS;
      await tickets.issue({ hash, kind: "invitation", userId: opened.ids[0], data: "", expiresAt });
      opened.clock.advance(-DAY_MS);
      expect(await tickets.find(hash, "invitation")).toMatchObject({ expiresAt });
      opened.clock.advance(-364 * DAY_MS);
      expect(await tickets.find(hash, "invitation")).toBeNull();
      expect(await tickets.take(hash, "invitation")).toBeNull();
      const present = { kind: "link", userId: null, data: "", expiresAt: opened.clock.now() + 1 } as const;
      await tickets.issue({ ...present, hash: anyHash() });
      opened.clock.advance(365 * DAY_MS);
      expect(await tickets.find(hash, "invitation")).toBeNull();
    });

    test("is the only one of its kind for a user, also where two are made at the same time", async () => {
      await using opened = await openWithPeople(engine);
      await using beside = await openBeside(opened);
      const invitation = {
        kind: "invitation",
        userId: opened.ids[0],
        data: "",
        expiresAt: opened.clock.now() + seconds(60),
      } as const;
      for (const _ of MEETINGS) {
        const hashes = [anyHash(), anyHash()];
        await Promise.all(
          [opened.store, beside].map(({ access }, index) =>
            access.tickets.issue({ ...invitation, hash: hashes[index] ?? anyHash() }),
          ),
        );
        const found = await Promise.all(
          hashes.map((hash) => opened.store.access.tickets.find(hash, "invitation")),
        );
        expect(found.filter(Boolean)).toHaveLength(1);
      }
    });

    test("whose user is not there is nobody's, not even the operator's", async () => {
      await using opened = await openWithPeople(engine);
      const { tickets } = opened.store.access;
      const hash = anyHash();
      const expiresAt = opened.clock.now() + seconds(60);
      await tickets.issue({ hash, kind: "invitation", userId: opened.ids[0], data: "", expiresAt });
      await orphanRows({ database: opened.database.location }, "tickets", 1);
      expect(await tickets.find(hash, "invitation")).toBeNull();
      expect(await tickets.take(hash, "invitation")).toBeNull();
    });
  });

  describe(`${engine.name}: a session`, () => {
    test("is found by its hash until it ends, and is listed with those of the same person alone", async () => {
      await using opened = await openWithPeople(engine);
      const { sessions } = opened.store.access;
      const hashes = [anyHash(), anyHash(), anyHash(), anyHash()] as const;
      const device = "Firefox on Linux";
      const own = await sessions.open({ hash: hashes[0], userId: opened.ids[0], way: "passkey", device });
      await sessions.open({ hash: hashes[1], userId: opened.ids[1], way: "oidc", device });
      const operator = await sessions.open({ hash: hashes[2], userId: null, way: "link", device });
      opened.clock.advance(seconds(5));
      const later = await sessions.open({ hash: hashes[3], userId: opened.ids[0], way: "passkey", device });
      await sessions.see(hashes[0]);
      const seen = { ...own, seenAt: opened.clock.now() };
      expect(await sessions.find(hashes[0])).toEqual(seen);
      expect(await sessions.of(opened.ids[0])).toEqual([later, seen]);
      expect(await sessions.of(null)).toEqual([operator]);
      expect(await sessions.end(opened.ids[1], own.id)).toBe(false);
      expect(await sessions.end(null, own.id)).toBe(false);
      expect(await sessions.end(opened.ids[0], own.id)).toBe(true);
      expect(await sessions.find(hashes[0])).toBeNull();
      await sessions.endAll(opened.ids[0]);
      expect(await sessions.of(opened.ids[0])).toEqual([]);
      expect(await sessions.find(hashes[1])).not.toBeNull();
      await sessions.endAll(null);
      expect(await sessions.find(hashes[2])).toBeNull();
      expect(await sessions.find(hashes[1])).not.toBeNull();
    });

    test("of the operator is not that of a user who was deleted", async () => {
      await using opened = await openWithPeople(engine);
      const { sessions } = opened.store.access;
      const operator = await sessions.open({ hash: anyHash(), userId: null, way: "link", device: "" });
      await opened.store.records.delete(FIRST_EMAIL);
      const [gone] = opened.ids;
      expect(await sessions.of(gone)).toEqual([]);
      expect(await sessions.end(gone, operator.id)).toBe(false);
      await sessions.endAll(gone);
      expect(await sessions.of(null)).toEqual([operator]);
    });

    test("whose user is not there is nobody's, not even the operator's", async () => {
      await using opened = await openWithPeople(engine);
      const { sessions } = opened.store.access;
      const hash = anyHash();
      await sessions.open({ hash, userId: opened.ids[0], way: "passkey", device: "" });
      await orphanRows({ database: opened.database.location }, "sessions", 1);
      expect(await sessions.find(hash)).toBeNull();
      expect(await sessions.of(null)).toEqual([]);
    });

    test("ends with its user, and is removed once it is old or was not seen for long", async () => {
      await using opened = await openWithPeople(engine);
      const { sessions } = opened.store.access;
      const hashes = [anyHash(), anyHash(), anyHash()] as const;
      await sessions.open({ hash: hashes[0], userId: opened.ids[0], way: "passkey", device: "" });
      await sessions.open({ hash: hashes[1], userId: null, way: "link", device: "" });
      opened.clock.advance(seconds(100));
      await sessions.open({ hash: hashes[2], userId: null, way: "link", device: "" });
      const ofNobody = { hash: anyHash(), userId: "nobody", way: "passkey", device: "" } as const;
      await expect(sessions.open(ofNobody)).rejects.toThrow(NoSuchUser);
      await opened.store.records.delete(FIRST_EMAIL);
      expect(await sessions.find(hashes[0])).toBeNull();
      const now = opened.clock.now();
      await sessions.removeOld(now, seconds(200), seconds(200));
      expect(await sessions.of(null)).toHaveLength(2);
      await sessions.removeOld(now, seconds(200), seconds(50));
      expect(await sessions.of(null)).toHaveLength(1);
      // The clock was set back.
      await sessions.removeOld(now - seconds(100), seconds(50), seconds(200));
      expect(await sessions.of(null)).toEqual([]);
    });
  });

  describe(`${engine.name}: a passkey`, () => {
    const made = { name: "phone", publicKey: anyHash(), counter: 0, transports: ["usb", "internal"] };

    test("is its owner's alone, and remembers its last use", async () => {
      await using opened = await openWithPeople(engine);
      const { passkeys } = opened.store.access;
      const passkey = await passkeys.add(opened.ids[0], { ...made, id: "one" });
      expect(passkey).toMatchObject({ userId: opened.ids[0], lastUsedAt: null });
      expect(await passkeys.find("one")).toMatchObject({ ...passkey, publicKey: expect.anything() });
      expect([...((await passkeys.find("one"))?.publicKey ?? [])]).toEqual([...made.publicKey]);
      await passkeys.noteUse("one", 7);
      expect(await passkeys.of(opened.ids[0])).toMatchObject([
        { counter: 7, lastUsedAt: opened.clock.now() },
      ]);
      expect(await passkeys.of(opened.ids[1])).toEqual([]);
      expect(await passkeys.remove(opened.ids[1], "one")).toBe(false);
      await expect(passkeys.add("nobody", { ...made, id: "two" })).rejects.toThrow(NoSuchUser);
    });

    test("ends the sessions of its owner when it is the last that is removed", async () => {
      await using opened = await openWithPeople(engine);
      const { passkeys, sessions } = opened.store.access;
      const [owner, other] = opened.ids;
      await passkeys.add(owner, { ...made, id: "one" });
      await passkeys.add(owner, { ...made, id: "two" });
      const [hash, others] = [anyHash(), anyHash()];
      await sessions.open({ hash, userId: owner, way: "passkey", device: "" });
      await sessions.open({ hash: others, userId: other, way: "passkey", device: "" });
      expect(await passkeys.remove(owner, "one")).toBe(true);
      expect(await sessions.find(hash)).not.toBeNull();
      expect(await passkeys.remove(owner, "two")).toBe(true);
      expect(await sessions.find(hash)).toBeNull();
      expect(await sessions.find(others)).not.toBeNull();
    });

    test("ends them also where the last two are removed at the same time", async () => {
      await using opened = await openWithPeople(engine);
      await using beside = await openBeside(opened);
      const { passkeys, sessions } = opened.store.access;
      const [owner] = opened.ids;
      for (const _ of MEETINGS) {
        await passkeys.add(owner, { ...made, id: "one" });
        await passkeys.add(owner, { ...made, id: "two" });
        await sessions.open({ hash: anyHash(), userId: owner, way: "passkey", device: "" });
        await Promise.all([passkeys.remove(owner, "one"), beside.access.passkeys.remove(owner, "two")]);
        expect(await sessions.of(owner)).toEqual([]);
      }
    });
  });

  describe(`${engine.name}: an identity`, () => {
    test("binds one subject of an issuer to one user, for good", async () => {
      await using opened = await openWithPeople(engine);
      const { identities } = opened.store.access;
      const [owner, other] = opened.ids;
      const issuer = "https://provider.example";
      expect(await identities.find(issuer, "a")).toBeNull();
      expect(await identities.bind(issuer, "a", owner)).toBe(true);
      expect(await identities.bind(issuer, "a", other)).toBe(false);
      expect(await identities.bind(issuer, "b", owner)).toBe(false);
      expect(await identities.bind("https://elsewhere.example", "a", other)).toBe(true);
      expect(await identities.find(issuer, "a")).toBe(owner);
      await opened.store.records.delete(FIRST_EMAIL);
      expect(await identities.find(issuer, "a")).toBeNull();
    });
  });
}
