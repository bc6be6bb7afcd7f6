import { expect, setDefaultTimeout, test } from "bun:test";
import type { Standing } from "../../src/limits/limiter.ts";
import { RedisWindow, tryRedis } from "../../src/limits/redis-window.ts";
import { HandClock, seconds } from "../support/clock.ts";
import { describeWithEachRedis, type TestRedis } from "../support/redis.ts";
import { ENDPOINTS, windowSentences } from "./sliding-window.contract.ts";

setDefaultTimeout(300_000);

const WINDOW = 60;

async function connect(redis: TestRedis, windowSeconds = WINDOW, now?: () => number) {
  const limiter = await RedisWindow.connect(redis.url, windowSeconds, now && { now });
  return Object.assign(limiter, { [Symbol.dispose]: () => limiter.close() });
}

describeWithEachRedis("a limiter over the network", (redis, startAnother) => {
  windowSentences({
    name: "redis",
    async create(windowSeconds, now) {
      const server = await redis();
      await server.send("FLUSHALL");
      const window = await connect(server, windowSeconds, now);
      return { window, [Symbol.asyncDispose]: async () => window.close() };
    },
  });

  test("counts exactly over all that are connected, and any number at once", async () => {
    const server = await redis();
    await server.send("FLUSHALL");
    const limiters = await Promise.all(Array.from({ length: 4 }, () => connect(server)));
    const standings = await Promise.all(
      Array.from({ length: 400 }, (_, index) => limiters[index % 4]?.take(1, "full", 30)),
    );
    for (const limiter of limiters) limiter.close();
    expect(standings.filter((standing) => standing?.allowed).length).toBe(30);
  });

  test("goes by Redis's own clock, so that nobody's clock matters but that one", async () => {
    const server = await redis();
    await server.send("FLUSHALL");
    using limiter = await connect(server);
    await limiter.take(1, "full", 30);
    const [time] = (await server.send("LRANGE", "vitrine:1:full", "0", "-1")) as string[];
    const [wholeSeconds] = (await server.send("TIME")) as string[];
    expect(Math.floor(Number(time) / 1e6)).toBeGreaterThanOrEqual(Number(wholeSeconds) - 1);
    expect(Math.floor(Number(time) / 1e6)).toBeLessThanOrEqual(Number(wholeSeconds));
  });

  test("leaves keys that expire by themselves", async () => {
    const server = await redis();
    await server.send("FLUSHALL");
    using limiter = await connect(server);
    for (const endpoint of ENDPOINTS.slice(0, 7)) await limiter.take(1, endpoint, 1);
    await limiter.take(1, "endpoint-0", 1);
    await limiter.probe();
    const keys = (await server.send("KEYS", "*")) as string[];
    expect(keys.length).toBe(8);
    for (const key of keys) {
      const left = (await server.send("PTTL", key)) as number;
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(seconds(WINDOW));
    }
  });

  test("keeps a count for as long as its window, anew with each request that is let in", async () => {
    const server = await redis();
    await server.send("FLUSHALL");
    using limiter = await connect(server);
    for (let count = 0; count < 2; count++) {
      const before = performance.now();
      await limiter.take(1, "full", 2);
      const left = (await server.send("PTTL", "vitrine:1:full")) as number;
      expect(left).toBeGreaterThanOrEqual(seconds(WINDOW) - Math.ceil(performance.now() - before) - 1);
      expect(left).toBeLessThanOrEqual(seconds(WINDOW));
      await server.send("PEXPIRE", "vitrine:1:full", "30000");
    }
  });

  test("keeps no more than the limit of a caller's times, in about a dozen bytes each", async () => {
    const server = await redis();
    await server.send("FLUSHALL");
    using limiter = await connect(server);
    for (let count = 0; count < 100; count++) await limiter.take(1, "full", 60);
    expect(await server.send("LLEN", "vitrine:1:full")).toBe(60);
    expect((await server.send("MEMORY", "USAGE", "vitrine:1:full")) as number).toBeLessThan(60 * 16);
  });

  test("finds out that Redis is full, also when it had room a moment ago", async () => {
    await using server = await startAnother();
    using limiter = await connect(server);
    await limiter.probe();
    await server.send("CONFIG", "SET", "maxmemory", "1");
    await expect(limiter.probe()).rejects.toThrow("OOM");
    await expect(tryRedis(server.url)).rejects.toThrow("OOM");
  });

  test("takes one round trip, by the hash of its script", async () => {
    const server = await redis();
    using limiter = await connect(server);
    await limiter.probe();
    await server.send("CONFIG", "RESETSTAT");
    for (let count = 0; count < 10; count++) await limiter.take(count, "full", 30);
    const statistics = String(await server.send("INFO", "commandstats"));
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(statistics)?.[1]).toBe("10");
    expect(statistics).not.toContain("cmdstat_eval:");
  });

  test("asks about all that come in one moment with one call, a hundred of them at most", async () => {
    const server = await redis();
    using limiter = await connect(server);
    await limiter.probe();
    await server.send("CONFIG", "RESETSTAT");
    await Promise.all(Array.from({ length: 250 }, (_, user) => limiter.take(user, "full", 30)));
    const statistics = String(await server.send("INFO", "commandstats"));
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(statistics)?.[1]).toBe("3");
  });

  test("answers each of many that come in one moment as if they had come one by one", async () => {
    const server = await redis();
    await server.send("FLUSHALL");
    using limiter = await connect(server);
    const asked = Array.from({ length: 200 }, (_, index) => ({ user: index % 7, limit: 3 + (index % 2) }));
    const together = await Promise.all(asked.map(({ user, limit }) => limiter.take(user, "full", limit)));
    await server.send("FLUSHALL");
    const apart: Standing[] = [];
    for (const { user, limit } of asked) apart.push(await limiter.take(user, "full", limit));
    const plain = ({ allowed, remaining }: Standing) => ({ allowed, remaining });
    expect(together.map(plain)).toEqual(apart.map(plain));
  });

  test("brings its script along again when Redis has forgotten it", async () => {
    const server = await redis();
    await server.send("FLUSHALL");
    using limiter = await connect(server);
    expect((await limiter.take(1, "full", 2)).remaining).toBe(1);
    await server.send("SCRIPT", "FLUSH");
    expect((await limiter.take(1, "full", 2)).remaining).toBe(0);
    expect((await limiter.take(1, "full", 2)).allowed).toBe(false);
  });

  test("keeps to the limit when Redis's clock is set back, and starts afresh when that is by hours", async () => {
    const server = await redis();
    await server.send("FLUSHALL");
    const clock = new HandClock();
    using limiter = await connect(server, WINDOW, clock.now);
    for (let count = 0; count < 2; count++) await limiter.take(1, "full", 2);
    clock.advance(-seconds(30));
    expect(await limiter.take(1, "full", 2)).toEqual({ allowed: false, remaining: 0, resetSeconds: 90 });
    clock.advance(-seconds(7200));
    expect(await limiter.take(1, "full", 2)).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 });
  });
});
