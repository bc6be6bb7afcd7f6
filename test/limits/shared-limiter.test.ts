import { expect, setDefaultTimeout, test } from "bun:test";
import { RedisClient } from "bun";
import type { Standing } from "../../src/limits/limiter.ts";
import { SharedLimiter } from "../../src/limits/shared-limiter.ts";
import { Log } from "../../src/logging/log.ts";
import { fencesOf, readFile, sectionOf } from "../docs/markdown.ts";
import { describeWithEachRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const WINDOW = 60;

const AWAY = "Redis is away; limits are counted by this process alone for now";
const BACK = "limits are counted in Redis again";

async function open(url: string, inUseMs?: number) {
  let output = "";
  const write = (bytes: Uint8Array) => {
    output += new TextDecoder().decode(bytes);
  };
  const log = new Log({ level: "info", readable: false, write });
  const limiter = await SharedLimiter.open(url, ["full"], WINDOW, log, inUseMs);
  return {
    limiter,
    logged() {
      log.flush();
      return output
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    shared: () => until("the limiter to share its counts", () => limiter.isShared),
    alone: () => until("the limiter to count by itself", () => !limiter.isShared),
    [Symbol.dispose]: () => limiter.close(),
  };
}

/** Asks without a pause, twenty at a time, until it is stopped; every caller has an endless limit. */
function load(limiter: SharedLimiter) {
  const answers: Standing[] = [];
  let going = true;
  const asking = Promise.all(
    Array.from({ length: 20 }, async (_, user) => {
      while (going) {
        answers.push(await limiter.take(user, "full", 1_000_000));
        // Answers that are there at once would leave no room for anything else to happen.
        await new Promise(setImmediate);
      }
    }),
  );
  return {
    answers,
    async stop() {
      going = false;
      await asking;
    },
  };
}

/** A busy machine may make Redis seem slow once more than the test did. */
function expectOneLinePerChange({ limiter, logged }: Awaited<ReturnType<typeof open>>): void {
  const { fallbacks } = limiter;
  expect(fallbacks).toBeGreaterThan(0);
  expect(logged().map(({ message }) => message)).toEqual(Array(fallbacks).fill([AWAY, BACK]).flat());
}

describeWithEachRedis("a limiter that shares its counts", (redis, startAnother) => {
  test("counts together with every other one", async () => {
    const { url } = await redis();
    using one = await open(url);
    using other = await open(url);
    await Promise.all([one.shared(), other.shared()]);
    expect((await one.limiter.take(1, "full", 2)).remaining).toBe(1);
    expect((await other.limiter.take(1, "full", 2)).remaining).toBe(0);
    expect((await one.limiter.take(1, "full", 2)).allowed).toBe(false);
    expect(one.logged()).toEqual([]);
  });

  test("goes on by itself when Redis freezes under load, loses no request, and comes back", async () => {
    await using redis = await startAnother();
    using it = await open(redis.url);
    await it.shared();
    const asking = load(it.limiter);
    await until("some requests", () => asking.answers.length > 100);
    redis.signal("SIGSTOP");
    await it.alone();
    const before = asking.answers.length;
    await until("requests without Redis", () => asking.answers.length > before + 100);
    redis.signal("SIGCONT");
    await it.shared();
    const after = asking.answers.length;
    await until("requests with Redis", () => asking.answers.length > after + 100);
    await asking.stop();

    expect(asking.answers.every(({ allowed }) => allowed)).toBe(true);
    expectOneLinePerChange(it);
    expect(it.logged().map(({ reason }) => reason)).toContain("no answer within 50 ms");
  });

  test("goes on by itself when Redis is killed under load, and comes back when it is started again", async () => {
    await using redis = await startAnother();
    using it = await open(redis.url);
    await it.shared();
    const asking = load(it.limiter);
    await until("some requests", () => asking.answers.length > 100);
    await redis.kill();
    await it.alone();
    const before = asking.answers.length;
    await until("requests without Redis", () => asking.answers.length > before + 100);
    await redis.start();
    await it.shared();
    await asking.stop();

    expect(asking.answers.every(({ allowed }) => allowed)).toBe(true);
    expectOneLinePerChange(it);
  });

  test("answers at once while Redis is away, so that only the first ones waited", async () => {
    await using redis = await startAnother();
    using it = await open(redis.url);
    await it.shared();
    await redis.kill();
    await it.alone();
    for (let count = 0; count < 100; count++) {
      expect(it.limiter.take(1, "full", 1000)).not.toBeInstanceOf(Promise);
    }
  });

  test("does not begin at zero when it goes on by itself", async () => {
    await using redis = await startAnother();
    using it = await open(redis.url);
    await it.shared();
    for (let count = 0; count < 4; count++) await it.limiter.take(1, "full", 3);
    await it.limiter.take(2, "full", 3);
    await redis.kill();
    await it.alone();
    expect((await it.limiter.take(1, "full", 3)).allowed).toBe(false);
    expect((await it.limiter.take(2, "full", 3)).remaining).toBe(1);
  });

  test("does not begin at zero either when Redis is back", async () => {
    await using redis = await startAnother();
    using it = await open(redis.url);
    await it.shared();
    await redis.kill();
    await it.alone();
    for (let count = 0; count < 4; count++) await it.limiter.take(1, "full", 3);
    await it.limiter.take(2, "full", 3);
    await redis.start();
    await it.shared();
    expect((await it.limiter.look(1, "full", 3)).allowed).toBe(false);
    expect((await it.limiter.take(1, "full", 3)).allowed).toBe(false);
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => it.limiter.take(2, "full", 3)));
    expect(atOnce.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [false, 0],
      [false, 0],
    ]);
  });

  test("keeps its connection, where Redis ends those that nobody uses", async () => {
    await using redis = await startAnother();
    await redis.send("CONFIG", "SET", "timeout", "1");
    using it = await open(redis.url, 100);
    await it.shared();
    const unused = new RedisClient(redis.url, { autoReconnect: false });
    await unused.connect();
    await until("a connection that nobody uses to be ended", () => !unused.connected);
    expect(it.logged()).toEqual([]);
  });

  test("starts without Redis, says so once, and takes it when it comes", async () => {
    await using redis = await startAnother();
    await redis.kill();
    using it = await open(redis.url);
    expect(it.limiter.isShared).toBe(false);
    expect((await it.limiter.take(1, "full", 3)).remaining).toBe(2);
    await redis.start();
    await it.shared();
    expect(it.logged().map(({ message }) => message)).toEqual([AWAY, BACK]);
  });

  test("counts by itself while Redis takes no writes", async () => {
    await using redis = await startAnother();
    using it = await open(redis.url);
    await it.shared();
    await redis.send("CONFIG", "SET", "maxmemory", "1");
    expect((await it.limiter.take(1, "full", 3)).remaining).toBe(2);
    expect(it.limiter.isShared).toBe(false);
    expect(String(it.logged()[0]?.reason)).toStartWith("OOM");
    await redis.send("CONFIG", "SET", "maxmemory", "0");
    await it.shared();
  });

  test("needs no more rights than the documentation gives a user of its own", async () => {
    const server = await redis();
    const [rights = ""] = fencesOf(sectionOf(readFile("docs/operations.md"), "Redis"), "text");
    const [, ...words] = rights.trim().replace("PASSWORD", "p@ss/word").split(" ");
    await server.send("ACL", ...words);
    await server.send("SCRIPT", "FLUSH");
    using it = await open(`redis://vitrine:${encodeURIComponent("p@ss/word")}@127.0.0.1:${server.port}`);
    await it.shared();
    expect((await it.limiter.take(100, "full", 2)).remaining).toBe(1);
    expect((await it.limiter.take(100, "full", 2)).remaining).toBe(0);
    expect((await it.limiter.take(100, "full", 2)).allowed).toBe(false);
    expect(it.limiter.isShared).toBe(true);
  });

  test("writes no password to its log when Redis refuses it", async () => {
    const { port } = await redis();
    using it = await open(`redis://ada:geheim@127.0.0.1:${port}`);
    expect(it.limiter.isShared).toBe(false);
    expect(it.logged().length).toBe(1);
    expect(JSON.stringify(it.logged())).not.toContain("geheim");
  });
});
