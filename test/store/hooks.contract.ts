import { describe, expect, test } from "bun:test";
import { NoSuchUser } from "../../src/store/access.ts";
import {
  LEASE_MS,
  RETRIES_MS,
  type Settlement,
  type TakenDelivery,
  type Wanted,
} from "../../src/store/hook-queue.ts";
import type { NewHook } from "../../src/store/hooks.ts";
import { seconds } from "../support/clock.ts";
import { withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { FIRST_EMAIL, openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";

const DAY_MS = 86_400_000;

const WANTED: NewHook = {
  email: FIRST_EMAIL,
  url: "https://hook.example/deploy/abc",
  headers: [["Authorization", 'Bearer "é"']],
  body: "{}",
  secret: null,
  events: ["record.changed"],
};

/** Whoever's they are. */
const ANY = { mostOfUser: 10, exceptOf: [] };

/** A store with two people, and a server's queue whose clock is ahead of the database's by as much as the test says. */
async function openHooks(engine: Engine) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStore(engine));
  await opened.save(writtenRecord(1), writtenRecord(2));
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const openQueue = async () =>
    stack.adopt(await opened.database.openCountWriter({ now }), async (it) => it.close()).hooks;
  const queue = await openQueue();
  return {
    ...opened,
    queue,
    openQueue,
    now,
    advance(milliseconds: number) {
      aheadMs += milliseconds;
    },
    add: (hook: Partial<NewHook> = {}) => opened.store.hooks.add({ ...WANTED, ...hook }),
    async change(title: string, email = FIRST_EMAIL) {
      await opened.save(withValue(await opened.record(email), "jobs[0].title", title));
    },
    take: async (most = 10, delayMs = 0) => queue.take({ ...ANY, most, delayMs }),
    settle: async (taken: TakenDelivery | undefined, settlement: Partial<Settlement>) => {
      if (!taken) throw new Error("nothing was taken");
      const { id, attempt } = taken;
      const usual = { id, attempt, status: 200, fault: null, retryMs: 0, disables: false };
      await queue.settle({ ...usual, state: "delivered", ...settlement } as Settlement);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export function hookSentences(engine: Engine): void {
  describe(`${engine.name}: a hook`, () => {
    test("is kept as it was added, is listed by its owner, and goes when it is removed", async () => {
      await using it = await openHooks(engine);
      const signed = await it.add({
        email: FIRST_EMAIL.toUpperCase(),
        secret: "whsec_x",
        body: null,
        headers: [],
        events: ["record.changed", "key.expiring"],
      });
      const other = await it.add({ email: writtenRecord(2).email });
      const { id: userId } = await it.record();
      expect(signed).toEqual({
        ...WANTED,
        id: expect.stringMatching(/^[\w-]+$/),
        userId,
        secret: "whsec_x",
        body: null,
        headers: [],
        events: ["record.changed", "key.expiring"],
        createdAt: it.clock.now(),
        failingSince: null,
        disabledAt: null,
      });
      expect(await it.store.hooks.find(signed.id)).toEqual(signed);
      expect(await it.store.hooks.list(FIRST_EMAIL)).toEqual([signed]);
      expect((await it.store.hooks.list()).map(({ id }) => id).toSorted()).toEqual(
        [signed.id, other.id].toSorted(),
      );
      expect(await it.store.hooks.remove(other.id)).toBe(true);
      expect(await it.store.hooks.remove(other.id)).toBe(false);
      expect(await it.store.hooks.list(writtenRecord(2).email)).toEqual([]);
    });

    test("is refused where its owner is not there, and goes with its owner", async () => {
      await using it = await openHooks(engine);
      await expect(it.add({ email: "nobody@example.com" })).rejects.toThrow(NoSuchUser);
      const hook = await it.add();
      await it.change("Changed");
      await it.take();
      await it.store.records.delete(FIRST_EMAIL);
      expect(await it.store.hooks.find(hook.id)).toBeNull();
      expect(await it.store.hooks.log(hook.id)).toEqual([]);
      expect(await it.integrityFaults()).toEqual([]);
    });
  });

  describe(`${engine.name}: the outbox`, () => {
    test("has what changed, of those who have a hook, and of nobody else", async () => {
      await using it = await openHooks(engine);
      const hook = await it.add();
      const { id: userId } = await it.record();
      await it.change("Changed", writtenRecord(2).email);
      expect(await it.take()).toEqual([]);
      await it.save(await it.record());
      expect(await it.take()).toEqual([]);
      await it.change("Changed");
      const [taken, ...others] = await it.take();
      expect(others).toEqual([]);
      expect(taken).toEqual({
        id: expect.stringMatching(/^[\w-]{20,}$/),
        hookId: hook.id,
        userId,
        event: "record.changed",
        details: { changed: ["jobs"] },
        createdAt: expect.any(Number),
        attempt: 1,
        url: WANTED.url,
        headers: WANTED.headers,
        body: "{}",
        secret: null,
      });
    });

    test("makes a delivery that is of the time of the change, whenever it is taken", async () => {
      await using it = await openHooks(engine);
      await it.add();
      // The database says when that was.
      const before = Date.now();
      await it.change("Changed");
      const after = Date.now();
      it.advance(seconds(3600));
      const [taken] = await it.take();
      expect(taken?.createdAt).toBeGreaterThanOrEqual(before);
      expect(taken?.createdAt).toBeLessThanOrEqual(after);
    });

    test("makes one delivery of changes that come together, and another of one that comes later", async () => {
      await using it = await openHooks(engine);
      await it.add();
      await it.change("One");
      await it.save(withValue(await it.record(), "profile.summary.value", "Two"));
      await it.change("Three");
      expect(await it.take(10, seconds(10))).toEqual([]);
      it.advance(seconds(10));
      const [taken, ...others] = await it.take(10, seconds(10));
      expect(taken?.details).toEqual({ changed: ["jobs", "profile"] });
      expect(others).toEqual([]);
      await it.change("Four");
      it.advance(seconds(10));
      const [later] = await it.take(10, seconds(10));
      expect(later?.details).toEqual({ changed: ["jobs"] });
      expect(later?.id).not.toBe(taken?.id);
    });

    test("makes a delivery for each hook of an owner that asks for changes", async () => {
      await using it = await openHooks(engine);
      const hooks = [await it.add(), await it.add(), await it.add({ events: ["key.expiring"] })];
      await it.change("Changed");
      const taken = (await it.take()).map(({ hookId }) => hookId);
      expect(taken.toSorted()).toEqual(
        hooks
          .slice(0, 2)
          .map(({ id }) => id)
          .toSorted(),
      );
    });

    test("has a change at once, at no time that is still to come", async () => {
      await using it = await openHooks(engine);
      await it.add();
      for (let change = 1; change <= 8; change++) {
        await it.change(`Title ${change}`);
        expect(await it.take()).toHaveLength(1);
      }
    });

    test("does not wait for the time of a change that was noted before the clock was set back", async () => {
      await using it = await openHooks(engine);
      await it.add();
      await it.change("Changed");
      it.advance(-DAY_MS);
      expect(await it.take(10, seconds(10))).toHaveLength(1);
      expect(await it.take(10, seconds(10))).toEqual([]);
    });

    test("gets nothing of a save that is refused", async () => {
      await using it = await openHooks(engine);
      await it.add();
      const record = withValue(await it.record(), "jobs[0].title", "Changed");
      await it.refusals(record, withValue(writtenRecord(3), "profile.slug", writtenRecord(2).profile.slug));
      expect(await it.take()).toEqual([]);
    });
  });

  describe(`${engine.name}: deliveries`, () => {
    /** Of the first person there are three, and then one of the second. */
    async function openTwo() {
      const it = await openHooks(engine);
      const email = writtenRecord(2).email;
      for (let hook = 0; hook < 3; hook++) await it.add();
      await it.add({ email });
      await it.change("Changed");
      const taken = await it.take();
      it.advance(seconds(1));
      await it.change("Changed", email);
      taken.push(...(await it.take()));
      for (const one of taken) await it.settle(one, { state: "waiting" });
      const [first, second] = [(await it.record()).id, (await it.record(email)).id];
      const take = async (wanted: Partial<Wanted>) => {
        const found = await it.queue.take({ ...ANY, most: 10, delayMs: 0, ...wanted });
        return found.map(({ userId }) => userId).toSorted();
      };
      return { take, first, second, [Symbol.asyncDispose]: () => it[Symbol.asyncDispose]() };
    }

    test("are taken in the order in which they are due, one of everybody's before a second of anybody's", async () => {
      await using it = await openTwo();
      expect(await it.take({ most: 2 })).toEqual([it.first, it.second].toSorted());
      expect(await it.take({})).toEqual([it.first, it.first]);
    });

    test("are taken of one person only as many as are wanted at the most", async () => {
      await using it = await openTwo();
      expect(await it.take({ mostOfUser: 2 })).toEqual([it.first, it.first, it.second].toSorted());
      expect(await it.take({ mostOfUser: 2 })).toEqual([it.first]);
    });

    test("are not taken of people who are excepted", async () => {
      await using it = await openTwo();
      expect(await it.take({ exceptOf: [it.first, "nobody"] })).toEqual([it.second]);
      expect(await it.take({ exceptOf: [it.first] })).toEqual([]);
      expect(await it.take({ exceptOf: [it.second] })).toEqual([it.first, it.first, it.first]);
    });
  });

  describe(`${engine.name}: a delivery`, () => {
    test("is held by one server at a time, and comes back when a dead one's lease has ended", async () => {
      await using it = await openHooks(engine);
      await it.add();
      const other = await it.openQueue();
      await it.change("Changed");
      const [first] = await it.take();
      expect(await other.take({ ...ANY, most: 10, delayMs: 0 })).toEqual([]);
      it.advance(LEASE_MS);
      const [second] = await other.take({ ...ANY, most: 10, delayMs: 0 });
      expect(second).toEqual({ ...(first as TakenDelivery), attempt: 2 });
      // The first server was not dead after all: what it says comes too late.
      await it.settle(first, { state: "failed", status: 500 });
      const [hook] = await it.store.hooks.list();
      expect(hook?.failingSince).toBeNull();
      await it.settle(second, {});
      it.advance(LEASE_MS);
      expect(await it.take()).toEqual([]);
      const [logged] = await it.store.hooks.log(hook?.id ?? "");
      expect(logged).toMatchObject({
        state: "delivered",
        attempts: 2,
        status: 200,
        fault: null,
        dueAt: null,
      });
    });

    test("that failed is tried again after its pause, with the same id", async () => {
      await using it = await openHooks(engine);
      const { id } = await it.add();
      await it.change("Changed");
      const [first] = await it.take();
      await it.settle(first, {
        state: "waiting",
        status: null,
        fault: "ECONNREFUSED",
        retryMs: seconds(300),
      });
      expect(await it.take()).toEqual([]);
      const [logged] = await it.store.hooks.log(id);
      expect(logged).toMatchObject({ state: "waiting", fault: "ECONNREFUSED", status: null, endedAt: null });
      it.advance(seconds(301));
      expect(await it.take()).toMatchObject([{ id: first?.id, attempt: 2 }]);
    });

    test("that waits to be tried again does so for its pause, also after the clock was set back", async () => {
      await using it = await openHooks(engine);
      await it.add();
      await it.change("Changed");
      let taken = await it.take();
      for (const retryMs of RETRIES_MS) {
        await it.settle(taken[0], { state: "waiting", status: 500, retryMs });
        await it.queue.sweep();
        expect(await it.take()).toEqual([]);
        it.advance(-seconds(3600));
        await it.queue.sweep();
        taken = await it.take();
        expect(taken).toHaveLength(1);
      }
      // Its server dies meanwhile.
      it.advance(-seconds(3600));
      await it.queue.sweep();
      expect(await it.take()).toHaveLength(1);
    });

    test("that was given up marks its hook, until something arrives", async () => {
      await using it = await openHooks(engine);
      const { id } = await it.add();
      const since = async () => (await it.store.hooks.find(id))?.failingSince;
      for (const title of ["One", "Two"]) {
        await it.change(title);
        const [taken] = await it.take();
        await it.settle(taken, { state: "failed", status: 500 });
      }
      expect(Math.abs(((await since()) ?? 0) - it.now())).toBeLessThan(seconds(30));
      expect(await it.queue.numbers()).toEqual({ active: 0, failing: 1, disabled: 0, waiting: 0 });
      await it.change("Three");
      const [taken] = await it.take();
      await it.settle(taken, {});
      expect(await since()).toBeNull();
    });

    test("whose receiver is gone disables its hook, and drops what else waits for it", async () => {
      await using it = await openHooks(engine);
      const { id } = await it.add();
      await it.change("One");
      const [first] = await it.take();
      await it.change("Two");
      await it.take();
      await it.settle(first, { state: "failed", status: 410, disables: true });
      expect((await it.store.hooks.find(id))?.disabledAt).not.toBeNull();
      expect((await it.store.hooks.log(id)).map(({ state }) => state).toSorted()).toEqual([
        "dropped",
        "failed",
      ]);
      await it.change("Three");
      it.advance(LEASE_MS);
      expect(await it.take()).toEqual([]);
      expect(await it.queue.numbers()).toEqual({ active: 0, failing: 0, disabled: 1, waiting: 0 });
      const test = { deliveryId: "a-test", wentWell: true, status: 204, fault: null };
      await it.store.hooks.noteTest(id, test);
      expect((await it.store.hooks.find(id))?.disabledAt).toBeNull();
      await it.change("Four");
      expect(await it.take()).toHaveLength(1);
    });

    test("is taken when it is due, the oldest first, and no more than are wanted", async () => {
      await using it = await openHooks(engine);
      for (let count = 0; count < 5; count++) await it.add();
      await it.change("Changed");
      const first = await it.take(3);
      const second = await it.take(3);
      expect([first.length, second.length]).toEqual([3, 2]);
      expect(new Set([...first, ...second].map(({ hookId }) => hookId)).size).toBe(5);
    });

    test("that has ended is forgotten after a month, and one that waits is not", async () => {
      await using it = await openHooks(engine);
      const { id } = await it.add();
      for (const title of ["One", "Two"]) {
        await it.change(title);
        const [taken] = await it.take();
        if (title === "One") await it.settle(taken, {});
      }
      await it.queue.sweep();
      expect(await it.store.hooks.log(id)).toHaveLength(2);
      it.advance(31 * DAY_MS);
      await it.queue.sweep();
      expect((await it.store.hooks.log(id)).map(({ state }) => state)).toEqual(["waiting"]);
    });
  });

  describe(`${engine.name}: a key that expires`, () => {
    test("is announced 14, 7 and 1 days ahead, once each, to those who ask for it", async () => {
      await using it = await openHooks(engine);
      await it.add();
      const { id } = await it.add({ events: ["key.expiring"] });
      const expiresAt = it.now() + 15 * DAY_MS;
      const { info } = await it.key({ expiresAt });
      const revoked = await it.key({ expiresAt });
      await it.store.keys.revoke(revoked.info.id);
      await it.key();
      const announced = async () => {
        await it.queue.sweep();
        await it.queue.sweep();
        return Promise.all(
          (await it.take()).map(async (taken) => {
            await it.settle(taken, {});
            return [taken.hookId, taken.event, taken.details];
          }),
        );
      };
      const one = [[id, "key.expiring", { keyId: info.id, expiresAt }]];
      const seen: unknown[] = [];
      for (const days of [0, 2, 3, 4, 2, 3, 2]) {
        it.advance(days * DAY_MS);
        seen.push(await announced());
      }
      // 15, 13, 10, 6, 4, 1 and -1 days before it expires.
      expect(seen).toEqual([[], one, [], one, [], one, []]);
    });

    test("is not announced by a notice that is longer than the key was to live", async () => {
      await using it = await openHooks(engine);
      await it.add({ events: ["key.expiring"] });
      it.clock.advance(Date.now() - it.clock.now());
      await it.key({ expiresAt: it.clock.now() + 5 * DAY_MS });
      await it.queue.sweep();
      expect(await it.take()).toEqual([]);
      it.advance(4.5 * DAY_MS);
      await it.queue.sweep();
      expect(await it.take()).toHaveLength(1);
    });
  });
}
