import { describe, expect, test } from "bun:test";
import { ROUTES } from "../../src/contract/routes.ts";
import { bearer, startTestServer } from "../support/server.ts";

const LISTED = "https://ada.example";
const ALSO_LISTED = "http://localhost:4321";
const CORS_ORIGINS = [LISTED, ALSO_LISTED];

const EXPOSED =
  "ETag, RateLimit, RateLimit-Policy, X-Request-Id, Retry-After, Vitrine-Key-Expires, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";

function corsHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
}

function variesWith({ headers }: Response): string[] {
  return (headers.get("Vary") ?? "").split(/, */).toSorted();
}

const preflight = (origin: string) => ({
  Origin: origin,
  "Access-Control-Request-Method": "GET",
  "Access-Control-Request-Headers": "authorization",
});

describe("without listed origins", () => {
  test("nothing is said to any origin, and nothing varies with it", async () => {
    await using server = await startTestServer();
    const authorization = bearer((await server.key()).key);
    for (const [headers, method, varies] of [
      [{ ...authorization, Origin: LISTED }, "GET", ["Accept-Encoding", "Authorization"]],
      [preflight(LISTED), "OPTIONS", ["Authorization"]],
    ] as const) {
      const response = await server.get("/user/full", headers, method);
      expect(corsHeaders(response)).toEqual({});
      expect(variesWith(response)).toEqual([...varies]);
    }
  });
});

describe("a listed origin", () => {
  test.each(CORS_ORIGINS)("%s may read the answer with its tag and limits", async (origin) => {
    await using server = await startTestServer({ corsOrigins: CORS_ORIGINS });
    const response = await server.get("/user/full", {
      ...bearer((await server.key()).key),
      Origin: origin,
    });
    expect(response.status).toBe(200);
    expect(corsHeaders(response)).toEqual({
      "access-control-allow-origin": origin,
      "access-control-expose-headers": EXPOSED,
    });
    expect(variesWith(response)).toEqual(["Accept-Encoding", "Authorization", "Origin"]);
  });

  test.each([
    ["304", "/user/full", "GET", 304],
    ["401", "/user/full", "GET", 401],
    ["404", "/nowhere", "GET", 404],
    ["405", "/user/full", "POST", 405],
    ["400", "/%ff", "GET", 400],
  ])("may read a %s as well", async (_, path, method, status) => {
    await using server = await startTestServer({ corsOrigins: CORS_ORIGINS });
    const { key } = await server.key();
    const response = await server.get(
      path,
      { Origin: LISTED, ...(status === 304 ? { ...bearer(key), "If-None-Match": "*" } : {}) },
      method,
    );
    expect(response.status).toBe(status);
    expect(corsHeaders(response)).toEqual({
      "access-control-allow-origin": LISTED,
      "access-control-expose-headers": EXPOSED,
    });
  });

  test("may read a 429 and how long to wait", async () => {
    await using server = await startTestServer({
      corsOrigins: CORS_ORIGINS,
      limits: { full: 1, default: 1 },
    });
    const headers = { ...bearer((await server.key()).key), Origin: LISTED };
    await server.get("/user/full", headers);
    const response = await server.get("/user/full", headers);
    expect(response.status).toBe(429);
    expect(corsHeaders(response)["access-control-allow-origin"]).toBe(LISTED);
    expect(EXPOSED).toContain("Retry-After");
  });

  test.each(ROUTES.map(({ path }) => path.replace(":slug", "everything-1")))(
    "is told before it asks what it may ask of %s",
    async (path) => {
      await using server = await startTestServer({ corsOrigins: CORS_ORIGINS });
      const response = await server.get(path, preflight(LISTED), "OPTIONS");
      expect(response.status).toBe(204);
      expect(corsHeaders(response)).toEqual({
        "access-control-allow-origin": LISTED,
        "access-control-allow-methods": "GET, HEAD",
        "access-control-allow-headers": "Authorization, Content-Type, If-None-Match, X-Request-Id",
        "access-control-expose-headers": EXPOSED,
        "access-control-max-age": "600",
      });
    },
  );

  test.each(["/nowhere", "/api/user/full", "/user/linktrees/%ff"])(
    "may ask for %s, and so is told by the answer what is wrong with it",
    async (path) => {
      await using server = await startTestServer({ corsOrigins: CORS_ORIGINS });
      const response = await server.get(path, preflight(LISTED), "OPTIONS");
      expect(response.status).toBe(204);
      expect(corsHeaders(response)["access-control-allow-headers"]).toContain("Authorization");
    },
  );

  test("is never offered cookies: the key is the only credential", async () => {
    await using server = await startTestServer({ corsOrigins: CORS_ORIGINS });
    const response = await server.get("/user/full", preflight(LISTED), "OPTIONS");
    expect(response.headers.has("Access-Control-Allow-Credentials")).toBe(false);
  });
});

describe("an origin that is not listed", () => {
  test.each([
    "https://eve.example",
    "https://ada.example.eve.example",
    "https://ada.example:8443",
    "http://ada.example",
    "https://sub.ada.example",
    "https://ADA.example",
    "null",
    "*",
    "",
  ])("such as %p gets no leave, and the answer varies with the origin", async (origin) => {
    await using server = await startTestServer({ corsOrigins: CORS_ORIGINS });
    const authorization = bearer((await server.key()).key);
    const answer = await server.get("/user/full", { ...authorization, Origin: origin });
    expect(answer.status).toBe(200);
    const asked = await server.get("/user/full", preflight(origin), "OPTIONS");
    expect(asked.status).toBe(204);
    for (const response of [answer, asked]) expect(corsHeaders(response)).toEqual({});
    expect(variesWith(answer)).toEqual(["Accept-Encoding", "Authorization", "Origin"]);
    expect(variesWith(asked)).toEqual(["Authorization", "Origin"]);
  });
});

test.each([
  ["an origin that is not listed", preflight("https://eve.example")],
  ["a page that says nothing of what it will ask", { Origin: LISTED }],
])("for %s there is nothing at a path that is not there", async (_, headers) => {
  await using server = await startTestServer({ corsOrigins: CORS_ORIGINS });
  expect((await server.get("/nowhere", headers, "OPTIONS")).status).toBe(404);
});

test("a caller without an origin gets an answer that varies with it all the same", async () => {
  await using server = await startTestServer({ corsOrigins: CORS_ORIGINS });
  const response = await server.get("/user/full");
  expect(corsHeaders(response)).toEqual({});
  expect(variesWith(response)).toEqual(["Accept-Encoding", "Authorization", "Origin"]);
});
