import { describe, expect, test } from "bun:test";
import { sendRaw } from "../support/raw-connection.ts";
import { bearer, startTestServer } from "../support/server.ts";
import { PERSON } from "../support/visitors.ts";

/** The process, by twelve random digits, and the number of the request. */
const OURS = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-9][0-9]*$/;

async function idFor(given: string): Promise<string | null> {
  await using server = await startTestServer();
  return (await server.get("/user/full", { "X-Request-Id": given })).headers.get("X-Request-Id");
}

describe("a request id", () => {
  test.each([
    "a",
    "42",
    "abc-123",
    "d6ec1030-3c53-4833-878f-612203b7ed33",
    "trace-0af7651916cd43dd.span_b7ad6b7169203331",
    "x".repeat(128),
  ])("of the caller's own, %s, is taken as it is", async (given) => {
    expect(await idFor(given)).toBe(given);
  });

  test.each([
    ["too long", "x".repeat(129)],
    ["empty", ""],
    ["with a space", "a b"],
    ["with a quote", 'a"b'],
    ["with a backslash", "a\\b"],
    ["with a slash", "a/b"],
    ["with a comma", "a,b"],
    ["with a colon", "a:b"],
    ["with an equals sign", "a=b"],
    ["with a plus sign", "a+b"],
    ["with a brace", '{"level":"error"}'],
    ["with a tag", "<script>"],
    ["with a bracket", "a[31m"],
    ["beyond ASCII", "caf\xe9"],
  ])("that is %s is replaced by one of ours", async (_, given) => {
    expect(await idFor(given)).toMatch(OURS);
  });

  test("that holds a key, put there by mistake, is neither sent back nor logged", async () => {
    await using server = await startTestServer();
    const { key } = await server.key();
    for (const given of [key, `trace-${key}`]) {
      const response = await server.get("/user/full", { "X-Request-Id": given });
      expect(response.headers.get("X-Request-Id")).toMatch(OURS);
    }
    expect(JSON.stringify(server.logged())).not.toContain(key);
  });

  test("sent twice is replaced by one of ours", async () => {
    await using server = await startTestServer();
    const [answer] = await sendRaw(
      server.url,
      "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n",
    );
    expect(answer?.headers.get("x-request-id")).toMatch(OURS);
  });

  test("with a control character never comes back, whether refused or replaced", async () => {
    await using server = await startTestServer();
    const answers = await sendRaw(
      server.url,
      "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\x1b[31mb\r\nConnection: close\r\n\r\n",
    );
    for (const { headers } of answers) expect(headers.get("x-request-id") ?? "").not.toContain("\x1b");
  });

  test("is made for who brings none, another one each time", async () => {
    await using server = await startTestServer();
    const ids = new Set<string | null>();
    for (let count = 0; count < 20; count++)
      ids.add((await server.get("/healthz", {})).headers.get("X-Request-Id"));
    expect(ids.size).toBe(20);
    for (const id of ids) expect(id).toMatch(OURS);
  });

  test("is its own in each of two answers of one route, be they 200 or 304", async () => {
    await using server = await startTestServer();
    const headers = bearer((await server.key()).key);
    for (const path of ["/user/links", "/t/everything-1"]) {
      const etag = (await server.get(path, headers)).headers.get("ETag") ?? "";
      for (const [status, condition] of [
        [200, {}],
        [304, { "If-None-Match": etag }],
      ] as const) {
        const given = ["one", "two", undefined, undefined];
        const answers = await Promise.all(
          given.map((id) =>
            server.get(path, { ...headers, ...PERSON, ...condition, ...(id && { "X-Request-Id": id }) }),
          ),
        );
        expect(answers.map((answer) => answer.status)).toEqual(given.map(() => status));
        const ids = answers.map((answer) => answer.headers.get("X-Request-Id") ?? "");
        expect(ids.slice(0, 2)).toEqual(["one", "two"]);
        for (const id of ids.slice(2)) expect(id).toMatch(OURS);
        expect(new Set(ids).size).toBe(given.length);
      }
    }
  });

  test.each([
    ["200", "/healthz", "GET"],
    ["204", "/user/full", "OPTIONS"],
    ["400", "/%ff", "GET"],
    ["401", "/user/full", "GET"],
    ["404", "/nowhere", "GET"],
    ["405", "/user/full", "POST"],
    ["a HEAD", "/user/full", "HEAD"],
  ])("stands in the answer and in the log line of %s", async (_, path, method) => {
    await using server = await startTestServer();
    const response = await server.get(path, { "X-Request-Id": "mine" }, method);
    expect(response.headers.get("X-Request-Id")).toBe("mine");
    expect(server.logged()).toEqual([
      expect.objectContaining({ requestId: "mine", method, status: response.status }),
    ]);
  });
});
