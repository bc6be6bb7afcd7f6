import { describe, expect, test } from "bun:test";
import { type CachedAnswer, memoryCache, vitrine } from "../../client/src/index.ts";
import { startNeighbour } from "../support/neighbour.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

function statuses(server: TestServer): unknown[] {
  return server
    .logged()
    .filter(({ message }) => message === "request")
    .map(({ status }) => status);
}

describe("with a cache, the client", () => {
  test("has an unchanged answer confirmed, and returns it anew each time", async () => {
    await using server = await startTestServer();
    const me = vitrine({ url: server.url, key: (await server.key()).key, cache: memoryCache() });
    const first = await me.full();
    first.email = "scribbled upon";
    const second = await me.full();
    expect(second.email).toBe(writtenRecord().email);
    expect(statuses(server)).toEqual([200, 304]);
  });

  test("gets what has changed, with the very next call", async () => {
    await using server = await startTestServer();
    const me = vitrine({ url: server.url, key: (await server.key()).key, cache: memoryCache() });
    await me.full();
    await server.store.records.save([checkedRecord({ ...writtenRecord(), codehostId: 77 })]);
    expect((await me.full()).codehostId).toBe(77);
    expect((await me.full()).codehostId).toBe(77);
    expect(statuses(server)).toEqual([200, 200, 304]);
  });

  test("keeps each path and each slug apart", async () => {
    await using server = await startTestServer();
    const me = vitrine({ url: server.url, key: (await server.key()).key, cache: memoryCache() });
    for (let round = 0; round < 2; round++) {
      expect(await me.jobs()).toHaveLength(2);
      expect(await me.projects()).toHaveLength(1);
      expect((await me.linkTree("everything-1")).links).toHaveLength(2);
      expect((await me.linkTree("empty-1")).links).toHaveLength(0);
    }
    expect(statuses(server)).toEqual([200, 200, 200, 200, 304, 304, 304, 304]);
  });

  test("keeps the users apart who share it, and holds no key", async () => {
    await using server = await startTestServer();
    const cache = new Map<string, CachedAnswer>();
    const people = [1, 2].map((number) => writtenRecord(number).email);
    const keys = await Promise.all(people.map(async (email) => (await server.key({ email })).key));
    for (let round = 0; round < 2; round++) {
      for (const [index, key] of keys.entries()) {
        const { email } = await vitrine({ url: server.url, key, cache }).full();
        expect(email).toBe(people[index] as string);
      }
    }
    expect(statuses(server)).toEqual([200, 200, 304, 304]);
    expect(cache.size).toBe(2);
    for (const key of keys) expect(JSON.stringify([...cache])).not.toContain(key);
  });

  test("finds the answers of an earlier process again, in a cache that lasts and takes its time", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    let file = "{}";
    const lasting = () => ({
      get: async (place: string) => (JSON.parse(file) as Record<string, CachedAnswer>)[place],
      set: async (place: string, answer: CachedAnswer) => {
        file = JSON.stringify({ ...JSON.parse(file), [place]: answer });
      },
    });
    const earlier = await vitrine({ url: server.url, key, cache: lasting() }).full();
    const later = await vitrine({ url: server.url, key, cache: lasting() }).full();
    expect(later).toEqual(earlier);
    expect(statuses(server)).toEqual([200, 304]);
  });

  test("reads anew what was cut short in it, as by a process that was killed", async () => {
    const cache = new Map<string, CachedAnswer>();
    await using server = await startTestServer();
    const me = vitrine({ url: server.url, key: (await server.key()).key, cache });
    const whole = await me.full();
    for (const [place, { etag, body }] of cache) cache.set(place, { etag, body: body.slice(0, 100) });
    expect(await me.full()).toEqual(whole);
    expect(await me.full()).toEqual(whole);
    expect(statuses(server)).toEqual([200, 200, 304]);
  });

  test("keeps no error, and nothing that has no tag", async () => {
    const cache = new Map<string, CachedAnswer>();
    await using server = await startTestServer();
    await using near = startNeighbour(() => Response.json([]));
    const me = vitrine({ url: server.url, key: (await server.key()).key, cache });
    await me.linkTree("nowhere").catch(() => {});
    await vitrine({ url: near.url, key: "key", cache }).jobs();
    expect(cache.size).toBe(0);
  });
});
