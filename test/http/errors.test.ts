import { describe, expect, test } from "bun:test";
import { ERRORS, type ErrorCode } from "../../src/contract/errors.ts";
import { mintKey } from "../../src/keys/key.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { writtenRecord } from "../support/records.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";
import { type WatchedReader, watching } from "../support/watched-reader.ts";

interface Expected {
  readonly status: number;
  readonly message: string;
  readonly error: string;
  readonly wwwAuthenticate?: string;
  readonly allow?: string;
  readonly retryAfter?: string;
}

interface Scenario {
  readonly provoke: (server: TestServer, reader: WatchedReader) => Promise<Response>;
  readonly expected: Expected;
}

/** Words of a fault that a caller has no business with. */
const FAULT = "disk I/O error at /srv/vitrine/vitrine.db";

const GIVEN_KEY_CHALLENGE = 'Bearer realm="vitrine", error="invalid_token"';

/** How each row of the table of errors comes about, and what the caller then sees, to the letter. */
const SCENARIOS: Record<ErrorCode, Scenario> = {
  bad_request: {
    provoke: (server) => server.get("/user/linktrees/%E0%A4%A"),
    expected: { status: 400, message: "Malformed percent-encoding in the path", error: "Bad Request" },
  },
  unauthorized: {
    provoke: (server) => server.get("/user/full", {}),
    expected: {
      status: 401,
      message: "Unauthorized",
      error: "Unauthorized",
      wwwAuthenticate: 'Bearer realm="vitrine"',
    },
  },
  invalid_key: {
    provoke: (server) => server.get("/user/full", bearer(mintKey())),
    expected: {
      status: 401,
      message: "Invalid API Key",
      error: "Unauthorized",
      wwwAuthenticate: GIVEN_KEY_CHALLENGE,
    },
  },
  expired_key: {
    provoke: async (server) => {
      const { key, id } = await server.key();
      await server.store.keys.revoke(id);
      return server.get("/user/full", bearer(key));
    },
    expected: {
      status: 401,
      message: "API Key Expired",
      error: "Unauthorized",
      wwwAuthenticate: GIVEN_KEY_CHALLENGE,
    },
  },
  foreign_origin: {
    provoke: (server) => server.get("/mcp", { Origin: "https://evil.example" }, "POST"),
    expected: { status: 403, message: "Origin not allowed", error: "Forbidden" },
  },
  key_not_allowed: {
    provoke: async (server) => server.get("/user/full", bearer((await server.key({ paths: ["links"] })).key)),
    expected: {
      status: 403,
      message: "Key not allowed here",
      error: "Forbidden",
      wwwAuthenticate: 'Bearer realm="vitrine", error="insufficient_scope"',
    },
  },
  tree_not_found: {
    provoke: (server) => server.get("/user/linktrees/nowhere"),
    expected: { status: 404, message: "Link tree not found", error: "Not Found" },
  },
  unknown_path: {
    provoke: (server) => server.get("/user/nowhere?key=1"),
    expected: { status: 404, message: "Cannot GET /user/nowhere", error: "Not Found" },
  },
  method_not_allowed: {
    provoke: (server) => server.get("/user/full", {}, "DELETE"),
    expected: {
      status: 405,
      message: "Method Not Allowed",
      error: "Method Not Allowed",
      allow: "GET, HEAD",
    },
  },
  rate_limited: {
    provoke: async (server) => {
      for (let count = 0; count < LIMIT; count++) expect((await server.get("/user/full")).status).toBe(200);
      return server.get("/user/full");
    },
    expected: {
      status: 429,
      message: "Rate limit exceeded",
      error: "Too Many Requests",
      retryAfter: "60",
    },
  },
  internal: {
    provoke: (server, reader) => {
      reader.failure = { error: new TypeError(FAULT), when: "at once" };
      return server.get("/user/full");
    },
    expected: { status: 500, message: "Internal Server Error", error: "Internal Server Error" },
  },
  unavailable: {
    provoke: (server, reader) => {
      reader.failure = { error: new StoreUnavailable(FAULT), when: "at once" };
      return server.get("/user/full");
    },
    expected: {
      status: 503,
      message: "Service Unavailable",
      error: "Service Unavailable",
      retryAfter: "2",
    },
  },
};

const LIMIT = 2;

async function startWatched() {
  const watched = watching();
  const server = await startTestServer({
    wrapReader: watched.wrapReader,
    limits: { full: LIMIT, default: LIMIT },
  });
  return { server, reader: watched.reader, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("every row of the table of errors has a scenario here", () => {
  expect(Object.keys(SCENARIOS).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

describe.each(Object.entries(SCENARIOS))("the error %s", (code, { provoke, expected }) => {
  test("has exactly its status and its body of three keys", async () => {
    await using watched = await startWatched();
    const response = await provoke(watched.server, watched.reader);
    const { status, message, error } = expected;
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe(JSON.stringify({ statusCode: status, message, error }));
  });

  test("carries the headers that go with it, and no others of their kind", async () => {
    await using watched = await startWatched();
    const { headers } = await provoke(watched.server, watched.reader);
    expect({
      wwwAuthenticate: headers.get("WWW-Authenticate"),
      allow: headers.get("Allow"),
      retryAfter: headers.get("Retry-After"),
      etag: headers.get("ETag"),
    }).toEqual({
      wwwAuthenticate: expected.wwwAuthenticate ?? null,
      allow: expected.allow ?? null,
      retryAfter: expected.retryAfter ?? null,
      etag: null,
    });
  });

  test("is the row of the table, word for word", () => {
    const row = ERRORS[code as ErrorCode];
    const varying = row.message.includes("{detail}");
    expect({ statusCode: row.statusCode as number, error: row.error as string }).toEqual({
      statusCode: expected.status,
      error: expected.error,
    });
    if (!varying) expect(row.message as string).toBe(expected.message);
  });
});

describe("an error in answer to HEAD", () => {
  test.each([
    ["/user/full", {}, 401],
    ["/user/nowhere", {}, 404],
    ["/user/linktrees/%ff", {}, 400],
  ])("HEAD %s has its status and no body", async (path, headers, status) => {
    await using server = await startTestServer();
    const response = await server.get(path, headers, "HEAD");
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe("");
  });

  test("has the length of the body that GET gets", async () => {
    await using server = await startTestServer();
    const response = await server.get("/user/nowhere", {}, "HEAD");
    const body = { statusCode: 404, message: "Cannot GET /user/nowhere", error: "Not Found" };
    expect(response.headers.get("Content-Length")).toBe(String(JSON.stringify(body).length));
  });
});

describe.each(["at once", "later"] as const)("a fault of the server that shows %s", (when) => {
  test("tells the caller nothing of its cause", async () => {
    await using watched = await startWatched();
    const { server, reader } = watched;
    for (const error of [
      new Error(FAULT),
      new TypeError(FAULT, { cause: new Error(FAULT) }),
      new StoreUnavailable(FAULT, { cause: new Error(FAULT) }),
    ]) {
      reader.failure = { error, when };
      const response = await server.get("/user/full");
      const answer = JSON.stringify([...response.headers]) + (await response.text());
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(answer).not.toContain(FAULT);
      expect(answer).not.toContain("/srv/");
      expect(answer).not.toMatch(/\bat .*:\d+/);
      expect(answer).not.toContain(error.name === "Error" ? "Error:" : error.name);
    }
  });

  test("is in the log with its cause, its place and the id that the caller has", async () => {
    await using watched = await startWatched();
    const { server, reader } = watched;
    reader.failure = { error: new TypeError(FAULT), when };
    const response = await server.get("/user/full");
    const requestId = response.headers.get("X-Request-Id");
    const [line] = server.logged().filter(({ level }) => level === "error");
    expect(line).toMatchObject({ requestId: requestId as string, message: "a request failed" });
    expect(line?.reason).toStartWith(`TypeError: ${FAULT}`);
    expect(line?.reason).toContain("errors.test.ts");
  });

  test("is told apart from storage that is away, whose cause is in the log too", async () => {
    await using watched = await startWatched();
    const { server, reader } = watched;
    const error = new StoreUnavailable("a document could not be read", { cause: new Error(FAULT) });
    reader.failure = { error, when };
    const response = await server.get("/user/full");
    const requestId = response.headers.get("X-Request-Id");
    const [line] = server.logged().filter(({ level }) => level === "error");
    expect(line).toMatchObject({ requestId: requestId as string, message: "storage is unavailable" });
    expect(line?.reason).toContain(FAULT);
  });

  test("is told of a database that is away without the names of our own parts", async () => {
    await using watched = await startWatched();
    const { server, reader } = watched;
    const cause = new StoreUnavailable("cannot open the database links/vitrine");
    reader.failure = { error: new StoreUnavailable("a document could not be read", { cause }), when };
    await server.get("/user/full");
    const [line] = server.logged().filter(({ level }) => level === "error");
    expect(line?.reason).toBe("a document could not be read: cannot open the database links/vitrine");
  });

  test("is over with the next request once its cause is", async () => {
    await using watched = await startWatched();
    const { server, reader } = watched;
    reader.failure = { error: new StoreUnavailable(FAULT), when };
    expect((await server.get("/user/full")).status).toBe(503);
    reader.failure = undefined;
    expect((await server.get("/user/full")).status).toBe(200);
  });
});

test("a user without a document is a fault of the server, and the log says which", async () => {
  await using watched = await startWatched();
  watched.reader.alter = (found) => ({ ...found, etag: null, body: null });
  const response = await watched.server.get("/user/jobs");
  expect(response.status).toBe(500);
  const [line] = watched.server.logged().filter(({ level }) => level === "error");
  expect(line?.reason).toContain("a user has no jobs document");
});

describe("an error has the headers that it would have on a server that nobody has asked before,", () => {
  const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== "date").toSorted();

  test.each([
    ["a tree that is not there", "/user/linktrees/nowhere", 404],
    ["a user whose document is gone", "/user/full", 500],
    ["a limit that is used up", "/user/jobs", 429],
  ])("such as one about %s", async (_, path, status) => {
    const provoke = async (before: (server: TestServer, reader: WatchedReader) => Promise<void>) => {
      const watched = watching();
      const limits = { full: 2, default: 2 };
      await using server = await startTestServer({ wrapReader: watched.wrapReader, limits });
      const { key } = await server.key();
      const sent = { ...bearer(key), "X-Request-Id": "the-same" };
      if (status === 429) for (let count = 0; count < 2; count++) await server.get(path, sent);
      await before(server, watched.reader);
      if (status === 500) watched.reader.alter = (found) => ({ ...found, etag: null, body: null });
      const response = await server.get(path, sent);
      expect(response.status).toBe(status);
      return headersOf(response);
    };
    const alone = await provoke(async () => {});
    const afterAnother = await provoke(async (server) => {
      const { key } = await server.key({ email: writtenRecord(2).email });
      const answered = path.replace("nowhere", "everything-2");
      const sent = { ...bearer(key), "X-Request-Id": "another" };
      expect((await server.get(answered, sent)).status).toBe(200);
      expect((await server.get(answered, { ...sent, "If-None-Match": "*" })).status).toBe(304);
    });
    expect(afterAnother).toEqual(alone);
  });
});
