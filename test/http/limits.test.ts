import { describe, expect, test } from "bun:test";
import { ROUTES } from "../../src/contract/routes.ts";
import { mintKey } from "../../src/keys/key.ts";
import { seconds } from "../support/clock.ts";
import { writtenRecord } from "../support/records.ts";
import { bearer, startTestServer } from "../support/server.ts";
import { watching } from "../support/watched-reader.ts";

const LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "Retry-After",
] as const;

function limitHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    LIMIT_HEADERS.filter((name) => headers.has(name)).map((name) => [name, headers.get(name) ?? ""]),
  );
}

describe("every answer to a known key says where the caller stands", () => {
  test("a 200, from the first request on", async () => {
    await using server = await startTestServer();
    expect(limitHeaders(await server.get("/user/full"))).toEqual({
      "X-RateLimit-Limit": "30",
      "X-RateLimit-Remaining": "29",
      "X-RateLimit-Reset": "60",
      "RateLimit-Policy": '"full";q=30;w=60',
      RateLimit: '"full";r=29;t=60',
    });
  });

  test("a 304", async () => {
    await using server = await startTestServer();
    const response = await server.get("/user/jobs", {
      ...bearer((await server.key()).key),
      "If-None-Match": "*",
    });
    expect(response.status).toBe(304);
    expect(limitHeaders(response)).toEqual({
      "X-RateLimit-Limit": "60",
      "X-RateLimit-Remaining": "59",
      "X-RateLimit-Reset": "60",
      "RateLimit-Policy": '"jobs";q=60;w=60',
      RateLimit: '"jobs";r=59;t=60',
    });
  });

  test("a 404 for a slug", async () => {
    await using server = await startTestServer();
    const response = await server.get("/user/linktrees/nowhere");
    expect(response.status).toBe(404);
    expect(limitHeaders(response)).toEqual({
      "X-RateLimit-Limit": "60",
      "X-RateLimit-Remaining": "59",
      "X-RateLimit-Reset": "60",
      "RateLimit-Policy": '"linktree";q=60;w=60',
      RateLimit: '"linktree";r=59;t=60',
    });
  });

  test("a 429, with the time to wait", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    await server.get("/user/full");
    server.clock.advance(seconds(17.25));
    const response = await server.get("/user/full");
    expect(response.status).toBe(429);
    expect(limitHeaders(response)).toEqual({
      "X-RateLimit-Limit": "1",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": "43",
      "RateLimit-Policy": '"full";q=1;w=60',
      RateLimit: '"full";r=0;t=43',
      "Retry-After": "43",
    });
  });

  test("a 500 that comes after the key was found", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader });
    watched.reader.alter = (found) => ({ ...found, etag: null, body: null });
    const response = await server.get("/user/full");
    expect(response.status).toBe(500);
    expect(limitHeaders(response)).toMatchObject({
      "X-RateLimit-Limit": "30",
      "X-RateLimit-Remaining": "29",
      RateLimit: '"full";r=29;t=60',
    });
  });

  test.each(ROUTES.map((route) => [route.path, route] as const))(
    "by the name and the limit of %s",
    async (path, { name, limit }) => {
      await using server = await startTestServer({ limits: { full: 7, default: 9 } });
      const { headers } = await server.get(path.replace(":slug", "everything-1"));
      const quota = limit === "full" ? 7 : 9;
      expect(headers.get("X-RateLimit-Limit")).toBe(String(quota));
      expect(headers.get("RateLimit-Policy")).toBe(`"${name}";q=${quota};w=60`);
      expect(headers.get("RateLimit")).toBe(`"${name}";r=${quota - 1};t=60`);
    },
  );
});

describe("an answer to an unknown caller says nothing of limits", () => {
  test.each([
    ["no key", "/user/full", "GET", {}],
    ["a mistyped key", "/user/full", "GET", bearer("secret")],
    ["a key that was never issued", "/user/full", "GET", bearer(mintKey())],
    ["a wrong method", "/user/full", "POST", {}],
    ["a question about methods", "/user/full", "OPTIONS", {}],
    ["an unknown path", "/user/nowhere", "GET", {}],
    ["an undecodable path", "/user/linktrees/%ff", "GET", {}],
    ["a look at its health", "/healthz", "GET", {}],
  ])("to %s", async (_, path, method, headers) => {
    await using server = await startTestServer();
    expect(limitHeaders(await server.get(path, headers, method))).toEqual({});
  });

  test("to a key that has ended", async () => {
    await using server = await startTestServer();
    const { key, id } = await server.key();
    await server.store.keys.revoke(id);
    expect(limitHeaders(await server.get("/user/full", bearer(key)))).toEqual({});
  });

  test("nor does it count: a user's ended and mistyped keys leave the whole limit", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    const { key, id } = await server.key();
    await server.store.keys.revoke(id);
    for (let count = 0; count < 3; count++) await server.get("/user/full", bearer(key));
    expect((await server.get("/user/full")).status).toBe(200);
  });
});

describe("the limit", () => {
  test("lets in thirty requests a minute to /user/full, and not the thirty-first", async () => {
    await using server = await startTestServer();
    const authorization = bearer((await server.key()).key);
    const statuses: number[] = [];
    for (let count = 0; count < 31; count++)
      statuses.push((await server.get("/user/full", authorization)).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  });

  test("is kept when all requests come at once", async () => {
    await using server = await startTestServer();
    const authorization = bearer((await server.key()).key);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => server.get("/user/full", authorization)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
    const left = responses.filter(({ ok }) => ok).map(({ headers }) => headers.get("X-RateLimit-Remaining"));
    expect(left.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  test("counts by user and not by key: another key buys nothing", async () => {
    await using server = await startTestServer({ limits: { full: 2, default: 2 } });
    const [one, other] = [await server.key(), await server.key()];
    expect((await server.get("/user/full", bearer(one.key))).status).toBe(200);
    expect((await server.get("/user/full", bearer(other.key))).status).toBe(200);
    expect((await server.get("/user/full", bearer(one.key))).status).toBe(429);
    expect((await server.get("/user/full", bearer(other.key))).status).toBe(429);
  });

  test("counts each user apart", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    const { key } = await server.key({ email: writtenRecord(2).email });
    expect((await server.get("/user/full")).status).toBe(200);
    expect((await server.get("/user/full")).status).toBe(429);
    expect((await server.get("/user/full", bearer(key))).status).toBe(200);
  });

  test("counts each endpoint apart", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    for (const expected of [200, 429]) {
      for (const { path } of ROUTES)
        expect((await server.get(path.replace(":slug", "everything-1"))).status).toBe(expected);
    }
  });

  test("counts all slugs as one endpoint, found or not", async () => {
    await using server = await startTestServer({ limits: { full: 3, default: 3 } });
    const statuses: number[] = [];
    for (const slug of ["everything-1", "empty-1", "nowhere", "everything-1"])
      statuses.push((await server.get(`/user/linktrees/${slug}`)).status);
    expect(statuses).toEqual([200, 200, 404, 429]);
  });

  test("counts one endpoint however its path is written", async () => {
    await using server = await startTestServer({ limits: { full: 4, default: 4 } });
    const statuses: number[] = [];
    for (const path of ["/user/full", "/user/full/", "/%75ser/full", "/user/full?x=1", "/user/full"])
      statuses.push((await server.get(path)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });

  test("counts a HEAD and a 304 like any other", async () => {
    await using server = await startTestServer({ limits: { full: 2, default: 2 } });
    const authorization = bearer((await server.key()).key);
    expect((await server.get("/user/full", authorization, "HEAD")).status).toBe(200);
    expect((await server.get("/user/full", { ...authorization, "If-None-Match": "*" })).status).toBe(304);
    expect((await server.get("/user/full", authorization)).status).toBe(429);
    expect((await server.get("/user/full", authorization, "HEAD")).status).toBe(429);
    expect((await server.get("/user/full", { ...authorization, "If-None-Match": "*" })).status).toBe(429);
  });

  test("does not count what it refuses: a caller who keeps knocking is let in all the same", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    const authorization = bearer((await server.key()).key);
    expect((await server.get("/user/full", authorization)).status).toBe(200);
    for (let second = 1; second < 60; second++) {
      server.clock.advance(seconds(1));
      expect((await server.get("/user/full", authorization)).status).toBe(429);
    }
    server.clock.advance(seconds(1));
    expect((await server.get("/user/full", authorization)).status).toBe(200);
  });

  test("answers a refused slug alike whether there is such a tree or not", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    const authorization = bearer((await server.key()).key);
    await server.get("/user/linktrees/everything-1", authorization);
    for (const slug of ["everything-1", "everything-2", "nowhere"])
      expect((await server.get(`/user/linktrees/${slug}`, authorization)).status).toBe(429);
  });
});

describe("Retry-After", () => {
  test("is the reset of the limit, and waiting exactly that long lets exactly one in", async () => {
    await using server = await startTestServer({ limits: { full: 3, default: 3 } });
    const authorization = bearer((await server.key()).key);
    const get = () => server.get("/user/full", authorization);
    for (const pause of [0, 10.5, 20.001]) {
      server.clock.advance(seconds(pause));
      expect((await get()).status).toBe(200);
    }
    for (let round = 0; round < 4; round++) {
      const refused = await get();
      expect(refused.status).toBe(429);
      const wait = Number(refused.headers.get("Retry-After"));
      expect(wait).toBeGreaterThan(0);
      expect(Number(refused.headers.get("X-RateLimit-Reset"))).toBe(wait);
      server.clock.advance(seconds(wait));
      expect((await get()).status).toBe(200);
    }
  });

  test("never lets a caller in before its time", async () => {
    await using server = await startTestServer({ limits: { full: 1, default: 1 } });
    const authorization = bearer((await server.key()).key);
    await server.get("/user/full", authorization);
    server.clock.advance(seconds(60) - 1);
    const early = await server.get("/user/full", authorization);
    expect(early.status).toBe(429);
    expect(early.headers.get("Retry-After")).toBe("1");
    server.clock.advance(1);
    expect((await server.get("/user/full", authorization)).status).toBe(200);
  });
});
