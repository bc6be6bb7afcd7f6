import { describe, expect, test } from "bun:test";
import { ROUTES } from "../../src/contract/routes.ts";
import { bearer, startTestServer } from "../support/server.ts";

const PATHS = ROUTES.map(({ path }) => path.replace(":slug", "everything-1"));
const KNOWN_PATHS = [...PATHS, "/healthz", "/readyz"];

const METHOD_NOT_ALLOWED = '{"statusCode":405,"message":"Method Not Allowed","error":"Method Not Allowed"}';

describe.each(KNOWN_PATHS)("HEAD %s", (path) => {
  test.each(["identity", "gzip"])(
    "has the headers of GET, the length included, and no body: %s",
    async (encoding) => {
      await using server = await startTestServer();
      const { key } = await server.key();
      const headers = { ...bearer(key), "X-Request-Id": "same", "Accept-Encoding": encoding };
      const ask = (method: string) => fetch(server.url + path, { headers, method, decompress: false });
      const get = await ask("GET");
      // The window is over, so that the second request finds the limits as the first did.
      server.clock.advance(60_000);
      const head = await ask("HEAD");
      expect(head.status).toBe(get.status);
      get.headers.delete("Date");
      head.headers.delete("Date");
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
      expect(head.headers.get("Content-Length")).toBe(String((await get.arrayBuffer()).byteLength));
      expect(await head.text()).toBe("");
    },
  );
});

test.each(["/nowhere", "/user", "/user/full/more", "/%ff", "/t/nowhere", "/t/nowhere/at-all"])(
  "HEAD of %s, where nothing is, has the length of GET",
  async (path) => {
    await using server = await startTestServer();
    const get = await server.get(path, {});
    const head = await server.get(path, {}, "HEAD");
    expect(head.status).toBe(get.status);
    expect(head.headers.get("Content-Length")).toBe(String((await get.arrayBuffer()).byteLength));
  },
);

test("HEAD has a Date, as every answer of a server with a clock must", async () => {
  await using server = await startTestServer();
  const { headers } = await server.get("/user/full", undefined, "HEAD");
  expect(headers.get("Date")).toEqual(expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/));
});

describe.each(KNOWN_PATHS)("%s", (path) => {
  test.each(["POST", "PUT", "PATCH", "DELETE"])("refuses %s with 405, key or no key", async (method) => {
    await using server = await startTestServer();
    for (const headers of [{}, bearer((await server.key()).key)]) {
      const response = await server.get(path, headers, method);
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe("GET, HEAD");
      expect(await response.text()).toBe(METHOD_NOT_ALLOWED);
    }
  });

  test("answers OPTIONS with 204 and what is allowed, without a key and without a body", async () => {
    await using server = await startTestServer();
    const response = await server.get(path, {}, "OPTIONS");
    expect(response.status).toBe(204);
    expect(response.headers.get("Allow")).toBe("GET, HEAD");
    expect(response.headers.has("Content-Type")).toBe(false);
    expect(await response.text()).toBe("");
  });
});

describe("a wrong method", () => {
  test("is refused on a slug whether there is such a tree or not", async () => {
    await using server = await startTestServer();
    for (const slug of ["everything-1", "nowhere"])
      expect((await server.get(`/user/linktrees/${slug}`, {}, "PUT")).status).toBe(405);
  });

  test("is refused however the path is written", async () => {
    await using server = await startTestServer();
    for (const path of ["/user/full/", "/%75ser/full", "/user/full?x=1"])
      expect((await server.get(path, {}, "POST")).status).toBe(405);
  });

  test.each([10, 100_000])("is refused with a body of %d bytes all the same", async (bytes) => {
    await using server = await startTestServer();
    const response = await fetch(`${server.url}/user/full`, { method: "POST", body: "a".repeat(bytes) });
    expect(response.status).toBe(405);
    expect(await response.text()).toBe(METHOD_NOT_ALLOWED);
  });

  test.each(["GET", "HEAD", "POST", "DELETE", "OPTIONS"])(
    "is not told from an unknown path, which answers %s with 404",
    async (method) => {
      await using server = await startTestServer();
      const response = await server.get("/nowhere", {}, method);
      expect(response.status).toBe(404);
      expect(response.headers.has("Allow")).toBe(false);
      const body = method === "HEAD" ? undefined : await response.json();
      if (body) expect(body).toHaveProperty("message", `Cannot ${method} /nowhere`);
    },
  );
});

describe("GET /healthz", () => {
  test("answers without a key", async () => {
    await using server = await startTestServer();
    const response = await server.get("/healthz", {});
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe('{"status":"ok"}');
  });

  test("answers with any Authorization header", async () => {
    await using server = await startTestServer();
    expect((await server.get("/healthz", bearer("secret"))).status).toBe(200);
  });
});
