import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { Announcer } from "../../src/hooks/announcer.ts";
import { addHook, type WantedHook } from "../../src/hooks/owner-hooks.ts";
import { Log } from "../../src/logging/log.ts";
import { type HookQueue, LEASE_MS } from "../../src/store/hook-queue.ts";
import { withValue } from "../support/edit-record.ts";
import { ENGINES, type Engine } from "../support/engines.ts";
import { FIRST_EMAIL, openStore } from "../support/opened-store.ts";
import { Receiver } from "../support/receiver.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

/** Some people, and servers that announce what changes of them. */
async function openAnnouncing(engine: Engine, { people = 1, servers = 1 } = {}) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStore(engine));
  await opened.save(...Array.from({ length: people }, (_, index) => writtenRecord(index + 1)));
  let aheadMs = 0;
  let output = "";
  const write = (bytes: Uint8Array) => (output += new TextDecoder().decode(bytes));
  const log = new Log({ level: "info", readable: false, write });
  const announcers: Announcer[] = [];
  for (let count = 0; count < servers; count++) {
    const now = () => Date.now() + aheadMs;
    const writer = stack.adopt(await opened.database.openCountWriter({ now }), async (it) => it.close());
    const options = { delayMs: 0, allowPrivate: true, lookMs: 5 };
    announcers.push(stack.adopt(new Announcer(writer.hooks, log, options), (it) => it.close()));
  }
  return {
    ...opened,
    announcers,
    advance(milliseconds: number) {
      aheadMs += milliseconds;
    },
    add: (wanted: Partial<WantedHook> & { url: string }) =>
      addHook(
        opened.store.hooks,
        { email: FIRST_EMAIL, headers: [], body: null, isSigned: false, events: [], ...wanted },
        true,
      ),
    async change(title: string, email = FIRST_EMAIL) {
      await opened.save(withValue(await opened.record(email), "jobs[0].title", title));
    },
    logged() {
      log.flush();
      return output;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

for (const engine of ENGINES) {
  describe(`${engine.name}: a server`, () => {
    test("announces a change to a real receiver, who can verify it", async () => {
      await using it = await openAnnouncing(engine);
      await using receiver = new Receiver();
      const hook = await it.add({ url: receiver.url("/secret-path"), isSigned: true });
      await it.change("Changed");
      const received = await until("the message", () => receiver.received[0]);
      const headers = Object.fromEntries(received.headers);
      const { id: userId } = await it.record();
      expect(new Webhook(hook.secret ?? "").verify(received.body, headers)).toMatchObject({
        type: "record.changed",
        data: { userId, changed: ["jobs"] },
      });
      const [delivery] = await until("the end", async () => {
        const log = await it.store.hooks.log(hook.id);
        return log[0]?.state === "delivered" && log;
      });
      expect(delivery?.id).toBe(headers["webhook-id"] ?? "");
      expect(it.logged()).toContain('"message":"delivered to a hook"');
      expect(it.logged()).not.toMatch(/secret-path|whsec_|127\.0\.0\.1/);
    });

    test("sends one person's messages although another's receivers hang", async () => {
      await using it = await openAnnouncing(engine, { people: 2 });
      const { promise, resolve } = Promise.withResolvers<void>();
      await using hanging = new Receiver(() => promise.then(() => new Response()));
      await using receiver = new Receiver();
      for (let hook = 0; hook < 6; hook++) await it.add({ url: hanging.url(`/${hook}`) });
      await it.change("Changed");
      await until("what hangs", () => hanging.received.length >= 2);
      const email = writtenRecord(2).email;
      await it.add({ email, url: receiver.url() });
      await it.change("Changed", email);
      await until("the message", () => receiver.received.length === 1);
      expect(hanging.received).toHaveLength(2);
      resolve();
      await until("the others", () => hanging.received.length === 6);
    });

    test("tries again what failed, with the same id, until it has arrived", async () => {
      await using it = await openAnnouncing(engine);
      const answers = [500, 302, 200];
      await using receiver = new Receiver(
        () => new Response("kept nowhere", { status: answers.shift() ?? 500 }),
      );
      const hook = await it.add({ url: receiver.url(), isSigned: true });
      await it.change("Changed");
      const tried = (times: number) =>
        until(`try ${times}`, async () => {
          const [delivery] = await it.store.hooks.log(hook.id);
          return delivery?.attempts === times && delivery.status !== null && delivery;
        });
      await tried(1);
      it.advance(5000);
      await until("the second try", () => receiver.received.length === 2);
      await until("its end", async () => (await it.store.hooks.log(hook.id))[0]?.status === 302);
      it.advance(5 * 60_000);
      await until("the third try", async () => (await it.store.hooks.log(hook.id))[0]?.state === "delivered");
      const ids = receiver.received.map(({ headers }) => headers.get("webhook-id"));
      expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
      expect(it.announcers[0]?.tries).toEqual({ delivered: 1, failed: 2 });
    });

    test("has at most four messages under way", async () => {
      await using it = await openAnnouncing(engine);
      const release = Promise.withResolvers<void>();
      await using receiver = new Receiver(async () => {
        await release.promise;
        return new Response();
      });
      const hooks = [];
      for (let count = 0; count < 6; count++) hooks.push(await it.add({ url: receiver.url() }));
      await it.change("Changed");
      await until("four messages", () => receiver.received.length === 4);
      const logs = await Promise.all(hooks.map(({ id }) => it.store.hooks.log(id)));
      expect(
        logs
          .flat()
          .map(({ attempts }) => attempts)
          .toSorted(),
      ).toEqual([0, 0, 1, 1, 1, 1]);
      release.resolve();
      await until("the others", () => receiver.received.length === 6);
    });

    test("that stands still in the middle of a delivery is replaced by another when its lease ends", async () => {
      await using it = await openAnnouncing(engine, { servers: 2 });
      const hanging = Promise.withResolvers<Response>();
      let requests = 0;
      await using receiver = new Receiver(() => (++requests === 1 ? hanging.promise : new Response()));
      const hook = await it.add({ url: receiver.url(), isSigned: true });
      await it.change("Changed");
      await until("the first message", () => receiver.received.length === 1);
      it.advance(LEASE_MS);
      await until("its takeover", async () => (await it.store.hooks.log(hook.id))[0]?.state === "delivered");
      hanging.resolve(new Response());
      const ids = receiver.received.map(({ headers }) => headers.get("webhook-id"));
      expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    });
  });

  test(`${engine.name}: of many changes to many users every last one is announced, by three servers`, async () => {
    const people = 20;
    await using it = await openAnnouncing(engine, { people, servers: 3 });
    const seen = new Map<string, string>();
    // As a site would: a message makes it read what is there now.
    await using receiver = new Receiver(async ({ path }) => {
      const email = decodeURIComponent(path.slice(1));
      const { title = "" } = (await it.record(email)).jobs[0] ?? {};
      seen.set(email, title);
      return new Response();
    });
    const emails = Array.from({ length: people }, (_, index) => writtenRecord(index + 1).email);
    for (const email of emails) await it.add({ email, url: receiver.url(`/${encodeURIComponent(email)}`) });
    const last = new Map<string, string>();
    for (let count = 0; count < 100; count++) {
      const email = emails[(count * 7) % people] ?? "";
      await it.change(`Title ${count}`, email);
      last.set(email, (await it.record(email)).jobs[0]?.title ?? "");
    }
    await until("every last version", () => [...last].every(([email, title]) => seen.get(email) === title));
    const logs = await Promise.all(
      (await it.store.hooks.list()).map(async ({ id }) => {
        await until("the end", async () =>
          (await it.store.hooks.log(id)).every(({ state }) => state !== "waiting"),
        );
        return it.store.hooks.log(id);
      }),
    );
    expect(receiver.received).toHaveLength(logs.flat().length);
    expect(logs.flat().every(({ attempts }) => attempts === 1)).toBe(true);
  });
}

test("a server whose database fails says so once, asks it less often, and announces when it is over", async () => {
  await using receiver = new Receiver();
  let output = "";
  const write = (bytes: Uint8Array) => (output += new TextDecoder().decode(bytes));
  const log = new Log({ level: "info", readable: false, write });
  let isAway = true;
  const askedAt: number[] = [];
  const work = () => {
    if (isAway) throw new Error("the disk is full");
  };
  const event = { event: "record.changed", details: {}, createdAt: 0, userId: "user-1" };
  const target = { hookId: "hook-1", url: receiver.url(), headers: [], body: null, secret: null };
  const waiting = [{ ...event, ...target, id: "delivery-1", attempt: 1 }];
  const queue: HookQueue = {
    take() {
      askedAt.push(performance.now());
      work();
      return waiting.splice(0);
    },
    settle: work,
    sweep: work,
    numbers: () => ({ active: 1, failing: 0, disabled: 0, waiting: 0 }),
  };
  const announcer = new Announcer(queue, log, { delayMs: 0, allowPrivate: true, lookMs: 1 });
  const [first = 0, second = 0] = await until("two questions", () => askedAt.length === 2 && askedAt);
  expect(second - first).toBeGreaterThan(900);
  isAway = false;
  await until("the message", () => receiver.received.length === 1);
  await announcer.close();
  log.flush();
  const said = [...output.matchAll(/"message":"(changes [^"]+)"/g)].map((match) => match[1] ?? "");
  expect(said).toEqual(["changes cannot be announced for now", "changes are announced again"]);
});
