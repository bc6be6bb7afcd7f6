import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { LAST_MOMENT_MS } from "../../src/logging/patient-output.ts";
import { load } from "../support/command-line.ts";
import { metricsUrl, readMetrics } from "../support/metrics-page.ts";
import { INTO_PIPE, Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { describeWithRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

setDefaultTimeout(300_000);

/** More than what a pipe, whoever passes it on, and the program itself keep. */
const REQUESTS = 12_000;

const CALLERS = 8;

/** One that does not answer in this time stands still. */
const PATIENCE_MS = 5000;

async function ask({ url }: ServingProgram, path: string): Promise<number> {
  const response = await fetch(url + path, {
    headers: PERSON,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await response.arrayBuffer();
  return response.status;
}

async function askOften(server: ServingProgram): Promise<void> {
  const each = async () => {
    for (let count = 0; count < REQUESTS / CALLERS; count++) expect(await ask(server, "/healthz")).toBe(200);
  };
  await Promise.all(Array.from({ length: CALLERS }, each));
}

/** What the log says was requested, and what it says is missing. */
function sumOf(server: ServingProgram) {
  const output = server.output();
  const gaps = output.matchAll(/"message":"log lines were dropped","lines":(\d+)/g);
  return {
    requests: output.match(/"message":"request"/g)?.length ?? 0,
    dropped: gaps.reduce((sum, [, lines]) => sum + Number(lines), 0),
  };
}

/** Waits until every request is in the log, or said to be missing. */
async function untilTold(server: ServingProgram, total: number): Promise<void> {
  await until("all requests in the log", () => {
    const { requests, dropped } = sumOf(server);
    return dropped > 0 && requests + dropped >= total;
  });
}

function expectWholeLines(server: ServingProgram): void {
  const lines = server.output().split("\n");
  expect(lines.pop()).toBe("");
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
}

describe.each([
  ["a socket, as systemd gives it,", undefined],
  ["a pipe", INTO_PIPE],
] as const)("a log into %s that nobody reads", (_, command) => {
  test("holds up no request, no metrics and no stop", async () => {
    using program = new Program({ METRICS_PORT: "0" }, command);
    await load(program, writtenRecord(1));
    await using server = await program.serve();
    server.freezeLog();
    await askOften(server);
    expect(await ask(server, "/t/everything-1")).toBe(200);
    expect(await ask(server, "/readyz")).toBe(200);
    const page = await readMetrics(metricsUrl(server));
    expect(page.value("vitrine_log_lines_dropped_total")).toBeGreaterThan(0);

    const stoppedAt = performance.now();
    server.child.kill("SIGTERM");
    expect(await server.child.exited).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(LAST_MOMENT_MS + PATIENCE_MS);
  });

  test("loses whole lines, and says once it is read again how many", async () => {
    using program = new Program({ METRICS_PORT: "0" }, command);
    await using server = await program.serve();
    server.freezeLog();
    await askOften(server);
    server.thawLog();
    await untilTold(server, REQUESTS);
    const page = await readMetrics(metricsUrl(server));
    expect(await ask(server, "/healthz")).toBe(200);
    expect(await server.stop()).toBe(0);

    const { requests, dropped } = sumOf(server);
    expect(dropped).toBe(page.value("vitrine_log_lines_dropped_total") as number);
    expect(requests + dropped).toBe(REQUESTS + 1);
    expect(server.output().match(/log lines were dropped/g)).toHaveLength(1);
    expectWholeLines(server);
  });
});

describeWithRedis("workers whose log nobody reads", (redis) => {
  test("drop whole lines, and each says how many", async () => {
    using program = new Program({ METRICS_PORT: "0", WORKERS: "2" }, INTO_PIPE);
    const { url } = await redis();
    await using server = await program.serve(["serve", "--redis", url]);
    server.freezeLog();
    await askOften(server);
    await askOften(server);
    server.thawLog();
    await untilTold(server, 2 * REQUESTS);
    expect(await server.stop()).toBe(0);
    const { requests, dropped } = sumOf(server);
    expect(requests + dropped).toBe(2 * REQUESTS);
    expectWholeLines(server);
  });
});
