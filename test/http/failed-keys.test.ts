import { describe, expect, test } from "bun:test";
import { MCP_ROUTE } from "../../src/contract/routes.ts";
import { mintKey } from "../../src/keys/key.ts";
import { seconds } from "../support/clock.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { watching } from "../support/watched-reader.ts";

/** Asks with keys that nobody has, one after the other, and returns what it got. */
async function tryKeys(server: TestServer, count: number, headers = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    statuses.push((await server.get("/user/full", { ...bearer(mintKey()), ...headers })).status);
  }
  return statuses;
}

const from = (address: string) => ({ "X-Forwarded-For": address });

describe("without a limit of failed keys", () => {
  test("an address may send as many as it likes", async () => {
    await using server = await startTestServer();
    expect(new Set(await tryKeys(server, 100))).toEqual(new Set([401]));
  });
});

describe("with a limit of failed keys", () => {
  test("an address that has sent so many gets 429", async () => {
    await using server = await startTestServer({ limitFailed: 3 });
    expect(await tryKeys(server, 5)).toEqual([401, 401, 401, 429, 429]);
  });

  test("the 429 is like any other, but says nothing of anybody's limit", async () => {
    await using server = await startTestServer({ limitFailed: 1 });
    await tryKeys(server, 1);
    server.clock.advance(seconds(17.25));
    const response = await server.get("/user/full", bearer(mintKey()));
    expect(await response.json()).toEqual({
      statusCode: 429,
      message: "Rate limit exceeded",
      error: "Too Many Requests",
    });
    expect(response.headers.get("Retry-After")).toBe("43");
    expect(response.headers.get("X-Request-Id")).toBeString();
    expect([...response.headers.keys()].filter((name) => /ratelimit|authenticate/.test(name))).toEqual([]);
  });

  test("the time to wait is not told to others afterwards", async () => {
    await using server = await startTestServer({ limitFailed: 1, trustedProxies: ["127.0.0.1"] });
    await tryKeys(server, 2);
    const response = await server.get("/user/full", { ...bearer(mintKey()), ...from("192.0.2.1") });
    expect(response.status).toBe(401);
    expect(response.headers.has("Retry-After")).toBe(false);
  });

  test("it counts all that gets a 401, on any path", async () => {
    await using server = await startTestServer({ limitFailed: 5 });
    const { key, id } = await server.key();
    await server.store.keys.revoke(id);
    const statuses = [
      await server.get("/user/jobs", {}),
      await server.get("/user/full", bearer("no key")),
      await server.get("/user/links", bearer(mintKey())),
      await server.get("/user/linktrees/nowhere", bearer(key)),
      await fetch(`${server.url}${MCP_ROUTE.path}`, { method: "POST", headers: bearer(mintKey()) }),
      await server.get("/user/resume", {}),
      await fetch(`${server.url}${MCP_ROUTE.path}`, { method: "POST", headers: bearer(mintKey()) }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test("it counts nothing else", async () => {
    await using server = await startTestServer({ limitFailed: 1, limits: { full: 1, default: 1 } });
    const good = bearer((await server.key()).key);
    const statuses = [
      await server.get("/user/nowhere", {}),
      await server.get("/user/full", {}, "POST"),
      await server.get("/user/linktrees/nowhere", good),
      await server.get("/user/full", good),
      await server.get("/user/full", good),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 405, 404, 200, 429]);
    expect(await tryKeys(server, 2)).toEqual([401, 429]);
  });

  test("a refused request is not counted, so a minute later there is room again", async () => {
    await using server = await startTestServer({ limitFailed: 2 });
    expect(await tryKeys(server, 4)).toEqual([401, 401, 429, 429]);
    server.clock.advance(seconds(59));
    expect(await tryKeys(server, 1)).toEqual([429]);
    server.clock.advance(seconds(1));
    expect(await tryKeys(server, 3)).toEqual([401, 401, 429]);
  });

  test("a good key from the same address works, though nobody has used it before", async () => {
    await using server = await startTestServer({ limitFailed: 1 });
    await tryKeys(server, 3);
    expect((await server.get("/user/full")).status).toBe(200);
    expect(await tryKeys(server, 1)).toEqual([429]);
    expect((await server.get("/user/full")).status).toBe(200);
  });
});

describe("whose failed keys they are", () => {
  test("is what a trusted proxy says", async () => {
    await using server = await startTestServer({ limitFailed: 1, trustedProxies: ["127.0.0.0/8"] });
    expect(await tryKeys(server, 2, from("192.0.2.1"))).toEqual([401, 429]);
    expect(await tryKeys(server, 2, from("203.0.113.5, 192.0.2.2"))).toEqual([401, 429]);
    expect(await tryKeys(server, 1, from("203.0.113.6, 192.0.2.2"))).toEqual([429]);
  });

  test("is not what anybody else says", async () => {
    await using server = await startTestServer({ limitFailed: 1, trustedProxies: ["10.0.0.0/8"] });
    expect(await tryKeys(server, 1, from("192.0.2.1"))).toEqual([401]);
    expect(await tryKeys(server, 1, from("192.0.2.2"))).toEqual([429]);
  });

  test("is the proxy where it says what is no address", async () => {
    await using server = await startTestServer({ limitFailed: 1, trustedProxies: ["127.0.0.1"] });
    expect(await tryKeys(server, 1, from("unknown"))).toEqual([401]);
    expect(await tryKeys(server, 1, from(`${"x".repeat(9000)}, :::, 1.2.3.4.5`))).toEqual([429]);
  });

  test("are those of a whole network of 64 bits of IPv6", async () => {
    await using server = await startTestServer({ limitFailed: 1, trustedProxies: ["127.0.0.1"] });
    expect(await tryKeys(server, 1, from("2001:db8:0:1::1"))).toEqual([401]);
    expect(await tryKeys(server, 1, from("2001:db8:0:1:ffff::2"))).toEqual([429]);
    expect(await tryKeys(server, 1, from("2001:db8:0:2::1"))).toEqual([401]);
  });
});

describe("where keys are looked up elsewhere, an address over the limit", () => {
  /** A server whose limit is used up, and which holds what is asked of its store until it is let go. */
  async function pressed() {
    const watched = watching();
    const server = await startTestServer({
      limitFailed: 1,
      isRemote: true,
      wrapReader: watched.wrapReader,
    });
    const known = bearer((await server.key()).key);
    const { reader } = watched;
    reader.pause = Promise.resolve();
    expect((await server.get("/user/full", known)).status).toBe(200);
    expect(await tryKeys(server, 2)).toEqual([401, 429]);
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    reader.pause = promise;
    return { server, reader, known, letGo };
  }

  test("has one key looked up at a time, and the others refused without", async () => {
    const { server, reader, letGo } = await pressed();
    await using _ = server;
    const reads = reader.reads;
    const first = server.get("/user/full", bearer(mintKey()));
    await until("the first to be looked up", () => reader.reads > reads);
    expect(await tryKeys(server, 3)).toEqual([429, 429, 429]);
    expect(reader.reads).toBe(reads + 1);
    letGo();
    expect((await first).status).toBe(429);
    expect(await tryKeys(server, 1)).toEqual([429]);
    expect(reader.reads).toBe(reads + 2);
  });

  test("goes on with a key that has worked before", async () => {
    const { server, reader, known, letGo } = await pressed();
    await using _ = server;
    const reads = reader.reads;
    const first = server.get("/user/full", bearer(mintKey()));
    await until("the first to be looked up", () => reader.reads > reads);
    const good = server.get("/user/full", known);
    await until("the good one to be looked up, too", () => reader.reads > reads + 1);
    letGo();
    expect((await good).status).toBe(200);
    expect((await first).status).toBe(429);
  });

  test("can begin to use a key that it has not used before", async () => {
    const { server, letGo } = await pressed();
    await using _ = server;
    letGo();
    expect((await server.get("/user/full")).status).toBe(200);
  });

  test("is not stuck after a look-up that failed", async () => {
    const { server, reader, letGo } = await pressed();
    await using _ = server;
    letGo();
    reader.failure = { error: new Error("gone"), when: "later" };
    expect(await tryKeys(server, 2)).toEqual([500, 500]);
    reader.failure = { error: new Error("gone"), when: "at once" };
    expect(await tryKeys(server, 2)).toEqual([500, 500]);
  });
});

describe("the log of refused keys", () => {
  test("has a line a minute instead of one for each, and no address", async () => {
    await using server = await startTestServer({ limitFailed: 1 });
    await tryKeys(server, 5);
    server.clock.advance(seconds(60));
    await tryKeys(server, 3);
    const lines = server.logged();
    expect(lines.filter(({ status }) => status === 401)).toHaveLength(2);
    expect(lines.filter(({ status }) => status === 429)).toEqual([]);
    const told = lines.filter(({ level }) => level === "warn");
    expect(told.map(({ requests }) => requests)).toEqual([1, 4]);
    expect(JSON.stringify(lines)).not.toContain("127.0.0.1");
  });

  test("still has a line for each request that a user's own limit refuses", async () => {
    await using server = await startTestServer({ limitFailed: 1, limits: { full: 1, default: 1 } });
    const good = bearer((await server.key()).key);
    for (let count = 0; count < 3; count++) await server.get("/user/full", good);
    expect(server.logged().filter(({ status }) => status === 429)).toHaveLength(2);
  });
});
