import { describe, expect, test } from "bun:test";
import { measure } from "../../bench/load.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const reason = "no wrk on the PATH";
const missing = Bun.which("wrk") === null;
const skipped = missing && !process.env.VITRINE_NO_SKIPS;

describe.skipIf(skipped)(`a load${skipped ? ` (SKIPPED, ${reason})` : ""}`, () => {
  test("asks with every key, and counts answers, their times and failures", async () => {
    if (missing) throw new Error(reason);
    using folder = new TemporaryFolder();
    const keys = folder.file("keys.txt");
    await Bun.write(keys, "one\ntwo\nbad");
    const seen = new Map<string | null, number>();
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const key = request.headers.get("authorization");
        seen.set(key, (seen.get(key) ?? 0) + 1);
        return new Response("answer", { status: key === "Bearer bad" ? 500 : 200 });
      },
    });
    const load = { url: server.url.origin, path: "/user/full", keys, connections: 4, seconds: 1 };
    const { requests, failures, p50, p99, requestsPerSecond } = await measure(load);
    expect([...seen.keys()].toSorted()).toEqual(["Bearer bad", "Bearer one", "Bearer two"]);
    // When the time is over, an answer may be on its way on each connection.
    expect(seen.values().reduce((sum, count) => sum + count, 0) - requests).toBeLessThanOrEqual(4);
    expect((seen.get("Bearer bad") ?? 0) - failures).toBeLessThanOrEqual(4);
    expect(failures).toBeGreaterThan(0);
    expect(requestsPerSecond).toBeGreaterThan(0);
    expect(p50).toBeGreaterThan(0);
    expect(p99).toBeGreaterThanOrEqual(p50);
  }, 300_000);

  test("asks for compressed answers where it is told to, and says how long answers are with their headers", async () => {
    if (missing) throw new Error(reason);
    using folder = new TemporaryFolder();
    const keys = folder.file("keys.txt");
    await Bun.write(keys, "one");
    const asked = new Set<string | null>();
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const encoding = request.headers.get("accept-encoding");
        asked.add(encoding);
        return new Response("x".repeat(encoding === "gzip" ? 100 : 1000));
      },
    });
    const load = { url: server.url.origin, path: "/user/full", keys, connections: 1, seconds: 1 };
    const plain = await measure({ ...load, encoding: "plain" });
    expect([...asked]).toEqual([null]);
    const packed = await measure({ ...load, encoding: "gzip" });
    expect([...asked]).toEqual([null, "gzip"]);
    expect(plain.wireBytes).toBeGreaterThan(1000);
    expect(plain.wireBytes).toBeLessThan(1400);
    expect(packed.wireBytes).toBeGreaterThan(100);
    expect(packed.wireBytes).toBeLessThan(500);
  }, 300_000);
});
