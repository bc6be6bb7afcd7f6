import { describe, expect, test } from "bun:test";
import { makeClient } from "../../client/src/client.ts";
import { vitrine } from "../../client/src/index.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { HandClock } from "../support/clock.ts";
import { startNeighbour } from "../support/neighbour.ts";
import { startTestServer } from "../support/server.ts";
import { watching } from "../support/watched-reader.ts";

/** Time that passes at once where the client waits, and what it waited. */
function passing(clock = new HandClock()) {
  const waits: number[] = [];
  return {
    waits,
    now: clock.now,
    async wait(milliseconds: number) {
      waits.push(milliseconds);
      clock.advance(milliseconds);
    },
  };
}

/** Answers with the statuses one after the other, and then with an empty list. */
function answering(...statuses: [status: number, retryAfter?: string][]) {
  return startNeighbour(() => {
    const [status, retryAfter] = statuses.shift() ?? [200];
    if (status === 200) return Response.json([]);
    return new Response(null, { status, headers: retryAfter ? { "Retry-After": retryAfter } : {} });
  });
}

describe("the client", () => {
  test("waits as long as the limit lasts, and is let in the first time it asks again", async () => {
    await using server = await startTestServer({ limits: { full: 2, default: 2 } });
    const time = passing(server.clock);
    const me = makeClient({ url: server.url, key: (await server.key()).key }, time);
    for (let call = 0; call < 5; call++) await me.full();
    expect(time.waits).toEqual([60_000, 60_000]);
    const statuses = server.logged().map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  test("asks again after as long as the server says, when the server's storage is back", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader });
    const { key } = await server.key();
    watched.reader.failure = { error: new StoreUnavailable("away"), when: "at once" };
    const me = vitrine({
      url: server.url,
      key,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        watched.reader.failure = undefined;
        return response;
      },
    });
    expect(await me.linkTrees()).toHaveLength(2);
    expect(server.logged().filter(({ message }) => message === "request")).toMatchObject([
      { status: 503 },
      { status: 200 },
    ]);
  });

  test("understands a date, too", async () => {
    const time = passing();
    await using near = answering([503, new Date(time.now() + 7000).toUTCString()]);
    await makeClient({ url: near.url, key: "key" }, time).jobs();
    expect(time.waits).toEqual([7000]);
  });

  test("waits a second where it is not told how long, or told not to wait at all", async () => {
    await using near = answering([503], [503, "0"], [429, "soon"]);
    const time = passing();
    await makeClient({ url: near.url, key: "key" }, time).jobs();
    expect(time.waits).toEqual([1000, 1000, 1000]);
  });

  test("never waits longer in all than its budget, and does not begin what does not fit", async () => {
    await using near = answering([429, "5"], [503, "5"], [429, "5"]);
    const time = passing();
    const call = makeClient({ url: near.url, key: "key", retryBudget: 10_000 }, time).jobs();
    expect(call).rejects.toMatchObject({ statusCode: 429, retryAfter: 5 });
    await call.catch(() => {});
    expect(time.waits).toEqual([5000, 5000]);
    expect(near.asked).toHaveLength(3);
  });

  test("has its whole budget for every call", async () => {
    await using near = answering([429, "10"], [200], [429, "10"]);
    const time = passing();
    const me = makeClient({ url: near.url, key: "key", retryBudget: 10_000 }, time);
    await me.jobs();
    await me.jobs();
    expect(time.waits).toEqual([10_000, 10_000]);
  });

  test("does not wait at all with a budget of nothing", async () => {
    await using near = answering([503, "0"]);
    const time = passing();
    const call = makeClient({ url: near.url, key: "key", retryBudget: 0 }, time).jobs();
    expect(await call.catch((error: unknown) => error)).toMatchObject({ statusCode: 503 });
    expect(time.waits).toEqual([]);
  });

  test("does not wait for longer than a timer can, whatever its budget", async () => {
    await using near = answering([503, String(2 ** 31)]);
    const time = passing();
    const me = makeClient({ url: near.url, key: "key", retryBudget: Number.POSITIVE_INFINITY }, time);
    expect(await me.jobs().catch((error: unknown) => error)).toMatchObject({ statusCode: 503 });
    expect(time.waits).toEqual([]);
  });

  test("asks again after a 502, a 504 and a connection that was cut off", async () => {
    await using near = answering([502], [504, "3"]);
    let isFirst = true;
    const time = passing();
    const me = makeClient(
      {
        url: near.url,
        key: "key",
        fetch(url, init) {
          if (!isFirst) return fetch(url, init);
          isFirst = false;
          return Promise.reject(Object.assign(new TypeError("closed"), { code: "ECONNRESET" }));
        },
      },
      time,
    );
    expect(await me.jobs()).toEqual([]);
    expect(time.waits).toEqual([1000, 1000, 3000]);
  });

  test.each([400, 401, 403, 404, 500])("does not ask again after a %d", async (status) => {
    await using near = answering([status, "1"]);
    const time = passing();
    const call = makeClient({ url: near.url, key: "key" }, time).jobs();
    expect(await call.catch((error: unknown) => error)).toMatchObject({ statusCode: status });
    expect(near.asked).toHaveLength(1);
  });
});
