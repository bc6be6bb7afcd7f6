import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { PATIENCE, readingSeconds } from "../../src/http/steps/patience.ts";
import { readFile } from "../docs/markdown.ts";
import { RawConnection } from "../support/raw-connection.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

setDefaultTimeout(300_000);

/**
 * Bun looks at connections every four seconds: one that may be idle for five is closed within the next four. A busy
 * machine must not need as long to begin an answer.
 */
const SHORT = { ...PATIENCE, idleSeconds: 5, longestSeconds: 20 };

/** Longer than such a connection may be idle, and shorter than a long answer may stand still. */
const PAUSE_MS = 10_000;

/** More than the systems on both sides take before anybody reads. */
const LONG_BYTES = 20_000_000;

function longRecord() {
  const label = "é".repeat(200);
  const links = Array.from({ length: LONG_BYTES / 400 }, () => ({ label, url: "https://example.com" }));
  const [job] = writtenRecord(1).jobs;
  const jobs = Array.from({ length: LONG_BYTES / 10_000 }, (_, index) => ({
    ...job,
    id: `job-${index}`,
    isPublic: true,
    description: "é".repeat(5000),
  }));
  const linkTrees = [{ title: "Many links", slug: "many", links }];
  return { ...writtenRecord(1), jobs, projects: [], linkTrees };
}

describe("who reads a long answer slowly", () => {
  let server: TestServer;
  let key: string;

  beforeAll(async () => {
    server = await startTestServer({ records: [longRecord()], patience: SHORT });
    ({ key } = await server.key());
  });

  afterAll(() => server[Symbol.asyncDispose]());

  async function askWithoutReading(line: string, more = "\r\n"): Promise<RawConnection> {
    const connection = await RawConnection.to(server.url);
    connection.pause();
    connection.send(
      `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n${more}`,
    );
    return connection;
  }

  const QUESTION = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_jobs", arguments: {} },
  });
  const ASKED_BY_AGENT = `Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${QUESTION.length}\r\n\r\n${QUESTION}`;

  test.concurrent.each([
    { line: "GET /user/full" },
    { line: "GET /t/many" },
    { line: "GET /p/person-1.json" },
    { line: "POST /mcp", more: ASKED_BY_AGENT },
  ])("gets all of it: $line", async ({ line, more }) => {
    using connection = await askWithoutReading(line, more);
    await Bun.sleep(PAUSE_MS);
    connection.resume();
    await connection.closed;
    const [answer] = connection.answers();
    expect(answer?.status).toBe(200);
    const length = answer?.headers.get("content-length");
    if (length !== undefined) expect(answer?.body.length).toBe(Number(length));
    expect(answer?.body.length).toBeGreaterThan(LONG_BYTES);
  });

  test.concurrent("and does not read at all is cut off in the end", async () => {
    using connection = await askWithoutReading("GET /user/full");
    await Bun.sleep((SHORT.longestSeconds + 2) * 1000);
    connection.resume();
    await connection.closed;
    expect(connection.receivedBytes).toBeLessThan(LONG_BYTES);
  });
});

describe("the time for reading", () => {
  test("is what SECURITY.md says", () => {
    const { idleSeconds, longestSeconds, slowestBytesPerSecond } = PATIENCE;
    const sentence = `Who reads an answer at ${slowestBytesPerSecond / 1024} KB a second or faster gets it whole. Who takes nothing of it is cut off after about ${idleSeconds} seconds or, where the answer is longer than ${(idleSeconds * slowestBytesPerSecond) / 1024} KB, after up to ${longestSeconds}:`;
    expect(readFile("SECURITY.md")).toContain(sentence);
  });

  test.each([
    [0, undefined],
    [3000, undefined],
    [320 * 1024, undefined],
    [320 * 1024 + 1, 15],
    [1024 * 1024, 36],
    [2 * 1024 * 1024, 60],
    [100_000_000, 60],
  ])("of %d bytes is the usual, or longer: %p seconds", (bytes, seconds) => {
    expect(readingSeconds(bytes, PATIENCE)).toBe(seconds as number);
  });
});
