import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { MaybePromise } from "../../src/async/maybe-promise.ts";
import { BUCKETS_MS, RequestMetrics } from "../../src/http/steps/request-metrics.ts";
import { LocalLimiter } from "../../src/limits/local-limiter.ts";
import { Log } from "../../src/logging/log.ts";
import { Collector } from "../../src/metrics/collect.ts";
import { METRICS } from "../../src/metrics/metrics.ts";
import { startMetricsServer } from "../../src/metrics/server.ts";
import { done, expectRefusal, listKeys, load, withKey } from "../support/command-line.ts";
import { metricsUrl, parseMetrics, readMetrics } from "../support/metrics-page.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { BROWSER } from "../support/visitors.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

/** What a page says that was collected from these parts. */
async function pageOf({
  times = 1,
  requests = new RequestMetrics(),
  ping = (): MaybePromise<void> => {},
  expiringKeys = (): MaybePromise<number> => 8,
  hooks = async () => ({ active: 1, failing: 2, disabled: 0, waiting: 4 }),
}) {
  const limiter = new LocalLimiter([], 60);
  const collector = new Collector({
    requests,
    limiter,
    reader: { ping },
    commits: { numbers: { committed: 7, dropped: 3, transactions: 5, failures: 2 } },
    visits: { notCounted: { head: 1, prefetch: 0, preview: 0, bot: 4, "not-modified": 0, gone: 0 } },
    log: { dropped: 6 },
    presence: { others: 0 },
    writer: { expiringKeys },
    announcer: {
      tries: { delivered: 8, failed: 9 },
      numbers: hooks,
    },
    keeper: { numbers: { kept: 11, dropped: 12, failed: 13 } },
  });
  const log = new Log({ level: "silent", readable: false });
  const address = { host: "127.0.0.1", port: 0 };
  const server = startMetricsServer(async () => [await collector.collect()], address, log);
  try {
    for (let time = 1; time < times; time++) await readMetrics(server.url);
    return await readMetrics(server.url);
  } finally {
    await server.stop();
    collector.close();
    limiter.close();
  }
}

describe("the metrics of a serving process", () => {
  test("are off unless a setting says otherwise", async () => {
    using program = new Program();
    await using server = await program.serve();
    expect(server.output()).not.toContain("metrics");
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });

  test("are exactly those of the table, with its types and labels and no others", async () => {
    using program = new Program();
    await using server = await program.serve(["serve", "--metrics-port", "0"]);
    await fetch(`${server.url}/healthz`);
    const page = await readMetrics(metricsUrl(server));
    expect([...page.types]).toEqual(Object.entries(METRICS).map(([name, { type }]) => [name, type]));
    for (const { name, labels } of page.samples) {
      const base = name.replace(/_(?:bucket|sum|count)$/, "");
      const metric = METRICS[(name in METRICS ? name : base) as keyof typeof METRICS];
      const ofBucket = name.endsWith("_bucket") ? ["le"] : [];
      expect(Object.keys(labels).toSorted()).toEqual([...metric.labels, ...ofBucket].toSorted());
    }
  });

  test("count requests by route and status, time them, and count refusals", async () => {
    using program = new Program({ LIMIT_DEFAULT: "2" });
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    await using server = await program.serve(["serve", "--metrics-port", "0"]);
    for (let count = 0; count < 5; count++) await fetch(`${server.url}/user/jobs`, withKey(key));
    await fetch(`${server.url}/user/jobs`);
    await fetch(`${server.url}/secret-path`);
    const page = await readMetrics(metricsUrl(server));
    const requests = (route: string, status: string) =>
      page.value("vitrine_requests_total", { route, status });
    expect(requests("/user/jobs", "200")).toBe(2);
    expect(requests("/user/jobs", "429")).toBe(3);
    expect(requests("/user/jobs", "401")).toBe(1);
    expect(requests("none", "404")).toBe(1);
    expect(page.value("vitrine_limiter_refusals_total", { route: "/user/jobs" })).toBe(3);
    expect(page.value("vitrine_limiter_refusals_total", { route: "/user/full" })).toBe(0);
    expect(page.value("vitrine_request_duration_seconds_count", { route: "/user/jobs" })).toBe(6);
    expect(page.value("vitrine_limiter_shared")).toBe(0);
    expect(page.value("vitrine_store_up")).toBe(1);
    expect(page.value("vitrine_workers")).toBe(1);
  });

  test("tell wrong keys that were refused from requests over a user's limit", async () => {
    using program = new Program({ LIMIT_DEFAULT: "1", LIMIT_FAILED: "2" });
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    await using server = await program.serve(["serve", "--metrics-port", "0"]);
    for (let count = 0; count < 5; count++) await fetch(`${server.url}/user/jobs`, withKey("wrong"));
    for (let count = 0; count < 3; count++) await fetch(`${server.url}/user/jobs`, withKey(key));
    const page = await readMetrics(metricsUrl(server));
    expect(page.value("vitrine_failed_keys_total", { result: "counted" })).toBe(2);
    expect(page.value("vitrine_failed_keys_total", { result: "refused" })).toBe(3);
    expect(page.value("vitrine_limiter_refusals_total", { route: "/user/jobs" })).toBe(2);
    expect(page.value("vitrine_requests_total", { route: "/user/jobs", status: "429" })).toBe(5);
  });

  test("hold nothing of a user and no number of views or clicks", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    const [{ id: keyId } = { id: "" }] = await listKeys(program, email);
    await using server = await program.serve(["serve", "--metrics-port", "0"]);
    await fetch(`${server.url}/user/linktrees/everything-1`, withKey(key));
    await fetch(`${server.url}/t/everything-1`, { headers: { "User-Agent": BROWSER } });
    const text = await (await fetch(metricsUrl(server))).text();
    expect(keyId).not.toBe("");
    for (const secret of [email, key, keyId, "everything-1"]) expect(text).not.toContain(secret);
    const names = parseMetrics(text).samples.map(({ name }) => name);
    expect(names.filter((name) => /view|click|user|committed/.test(name))).toEqual([]);
  });

  test("are at /metrics, on a loopback address, and nowhere else", async () => {
    using program = new Program();
    await using server = await program.serve(["serve", "--metrics-port", "0"]);
    const url = new URL(metricsUrl(server));
    expect([url.hostname, url.pathname]).toEqual(["127.0.0.1", "/metrics"]);
    expect((await fetch(new URL("/", url))).status).toBe(404);
    expect((await fetch(url)).headers.get("Content-Type")).toStartWith("text/plain; version=0.0.4");
  });

  test("say that their port is in use, and what to do", async () => {
    using program = new Program();
    using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const args = ["serve", "--port", "0", "--metrics-port", String(taken.port), "--log-level", "silent"];
    expectRefusal(await program.run(args), {
      error: `port ${taken.port} of 127.0.0.1 is in use`,
      remedy: `vitrine serve --metrics-port ${taken.port + 1}`,
    });
  });
});

describe("a page of metrics", () => {
  test("has a histogram in which each bucket holds the smaller ones too", async () => {
    const requests = new RequestMetrics();
    for (const duration of [0.05, 0.1, 0.3, 30, 9000]) requests.of("/user/full").add(200, duration);
    const page = await pageOf({ requests });
    const bucket = (le: string) =>
      page.value("vitrine_request_duration_seconds_bucket", { le, route: "/user/full" });
    expect(["0.0001", "0.00025", "0.0005", "0.025", "0.05", "1", "+Inf"].map(bucket)).toEqual([
      2, 2, 3, 3, 4, 4, 5,
    ]);
    expect(page.value("vitrine_request_duration_seconds_count", { route: "/user/full" })).toBe(5);
    expect(page.value("vitrine_request_duration_seconds_sum", { route: "/user/full" })).toBeCloseTo(9.03045);
    const bounds = page.samples.filter(({ name }) => name.endsWith("_bucket"));
    expect(bounds.length).toBe(BUCKETS_MS.length + 1);
  });

  test.each([
    ["fails", () => Promise.reject(new Error("gone"))],
    [
      "fails at once",
      () => {
        throw new Error("gone");
      },
    ],
    ["does not answer", () => new Promise<void>(() => {})],
  ])("says that storage is down when it %s", async (_, ping) => {
    expect((await pageOf({ ping })).value("vitrine_store_up")).toBe(0);
  });

  test("tells what became of visits that were not counted", async () => {
    const page = await pageOf({});
    expect(page.value("vitrine_visits_lost_total")).toBe(3);
    expect(page.value("vitrine_visits_not_counted_total", { reason: "bot" })).toBe(4);
    expect(page.value("vitrine_tracking_commits_total", { result: "done" })).toBe(5);
    expect(page.value("vitrine_tracking_commits_total", { result: "failed" })).toBe(2);
    expect(page.value("vitrine_renditions_total", { result: "kept" })).toBe(11);
    expect(page.value("vitrine_renditions_total", { result: "dropped" })).toBe(12);
    expect(page.value("vitrine_renditions_total", { result: "failed" })).toBe(13);
  });

  test("tells how many keys expire soon, and says nothing where they cannot be counted", async () => {
    expect((await pageOf({})).value("vitrine_keys_expiring")).toBe(8);
    const failing = () => Promise.reject(new Error("gone"));
    expect((await pageOf({ expiringKeys: failing })).value("vitrine_keys_expiring")).toBeUndefined();
  });

  test("asks storage, for keys and for hooks at the same time", async () => {
    const { promise: allAsked, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const answerLast = async <Answer>(answer: Answer) => {
      if (++asked === 3) resolve();
      await allAsked;
      return answer;
    };
    const page = await pageOf({
      ping: () => answerLast(undefined),
      expiringKeys: () => answerLast(8),
      hooks: () => answerLast({ active: 1, failing: 2, disabled: 0, waiting: 4 }),
    });
    expect(page.value("vitrine_store_up")).toBe(1);
    expect(page.value("vitrine_keys_expiring")).toBe(8);
    expect(page.value("vitrine_hooks", { state: "failing" })).toBe(2);
  });

  test("comes without what a database that hangs does not tell", async () => {
    const hangs = () => new Promise<never>(() => {});
    const page = await pageOf({ ping: hangs, expiringKeys: hangs, hooks: hangs });
    expect(page.value("vitrine_store_up")).toBe(0);
    expect(page.value("vitrine_keys_expiring")).toBeUndefined();
    expect(page.value("vitrine_hook_deliveries_waiting")).toBeUndefined();
    expect(page.value("vitrine_hook_tries_total", { result: "delivered" })).toBe(8);
    expect(page.value("vitrine_visits_lost_total")).toBe(3);
  });

  test("asks a database that hangs no second time, however often it is read", async () => {
    let asked = 0;
    const hangs = () => {
      asked++;
      return new Promise<never>(() => {});
    };
    await pageOf({ times: 3, expiringKeys: hangs, hooks: hangs });
    expect(asked).toBe(2);
  });

  test("tells of the process: its memory, its start and the delay of its event loop", async () => {
    const page = await pageOf({});
    expect(page.value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    const start = (page.value("process_start_time_seconds") ?? 0) * 1000;
    expect(start).toBeLessThanOrEqual(Date.now() + 1000);
    expect(start).toBeGreaterThan(Date.now() - 24 * 60 * 60 * 1000);
    expect(page.value("vitrine_event_loop_lag_max_seconds")).toBeGreaterThanOrEqual(0);
    expect(page.value("vitrine_event_loop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
  });
});
