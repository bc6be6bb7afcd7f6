import { describe, expect, test } from "bun:test";
import { ROUTES } from "../../src/contract/routes.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";

const PATHS = ROUTES.map(({ path }) => path.replace(":slug", "everything-1"));

async function tagOf(server: TestServer, path: string): Promise<string> {
  return (await server.get(path)).headers.get("ETag") ?? "";
}

async function conditional(
  server: TestServer,
  path: string,
  ifNoneMatch: string,
  method = "GET",
): Promise<Response> {
  const { key } = await server.key();
  return server.get(path, { ...bearer(key), "If-None-Match": ifNoneMatch }, method);
}

describe.each(PATHS)("%s", (path) => {
  test("has a strong tag that stays the same while its data does", async () => {
    await using server = await startTestServer();
    const tag = await tagOf(server, path);
    expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    server.clock.advance(24 * 60 * 60 * 1000);
    await server.store.records.save([checkedRecord(writtenRecord())]);
    expect(await tagOf(server, path)).toBe(tag);
  });

  test("may be kept by the caller alone, who must ask each time, and varies with the key and the encoding", async () => {
    await using server = await startTestServer();
    const { headers } = await server.get(path);
    expect(headers.get("Cache-Control")).toBe("private, no-cache");
    expect(headers.get("Vary")).toBe("Authorization, Accept-Encoding");
  });

  test("answers 304 to its tag, without a body and without headers about one", async () => {
    await using server = await startTestServer();
    const tag = await tagOf(server, path);
    const response = await conditional(server, path, tag);
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
    expect(response.headers.has("Content-Type")).toBe(false);
    expect(response.headers.get("Content-Length") ?? "0").toBe("0");
  });

  test("repeats in a 304 what the 200 says of tag and caching", async () => {
    await using server = await startTestServer();
    const tag = await tagOf(server, path);
    const { headers } = await conditional(server, path, tag);
    expect(headers.get("ETag")).toBe(tag);
    expect(headers.get("Cache-Control")).toBe("private, no-cache");
    expect(headers.get("Vary")).toBe("Authorization, Accept-Encoding");
    expect(headers.has("Date")).toBe(true);
  });
});

describe("If-None-Match", () => {
  const matching: [string, (tag: string) => string][] = [
    ["the tag", (tag) => tag],
    ["the tag as a weak one", (tag) => `W/${tag}`],
    ["a list with the tag first", (tag) => `${tag}, "another"`],
    ["a list with the tag last", (tag) => `"another", W/"third", ${tag}`],
    ["a list with the tag as a weak one", (tag) => `"another",W/${tag}`],
    ["a list without spaces", (tag) => `"another",${tag}`],
    ["a list with empty places", (tag) => `, ,${tag},,`],
    ["a star", () => "*"],
  ];

  test.each(matching)("gives 304 for %s", async (_, header) => {
    await using server = await startTestServer();
    const tag = await tagOf(server, "/user/links");
    expect((await conditional(server, "/user/links", header(tag))).status).toBe(304);
  });

  const others: [string, (tag: string) => string][] = [
    ["another tag", () => '"another"'],
    ["a list of other tags", () => '"another", W/"third"'],
    ["the tag without its quotes", (tag) => tag.slice(1, -1)],
    ["the tag in another case", (tag) => tag.toUpperCase()],
    ["a longer tag that holds it", (tag) => `"x${tag.slice(1)}`],
    ["a lower-case weak mark", (tag) => `w/${tag}`],
    ["a tag that holds commas and a star", () => '"a,*,b"'],
    ["nothing", () => ""],
  ];

  test.each(others)("gives 200 and the whole body for %s", async (_, header) => {
    await using server = await startTestServer();
    const tag = await tagOf(server, "/user/links");
    const response = await conditional(server, "/user/links", header(tag));
    expect(response.status).toBe(200);
    expect(response.headers.get("ETag")).toBe(tag);
    expect(await response.json()).toHaveProperty("url", "https://person1.example/");
  });

  test("gives 304 to HEAD too", async () => {
    await using server = await startTestServer();
    const tag = await tagOf(server, "/user/full");
    expect((await conditional(server, "/user/full", tag, "HEAD")).status).toBe(304);
  });

  test("does not hide that a tree is not there, not even as a star", async () => {
    await using server = await startTestServer();
    expect((await conditional(server, "/user/linktrees/nowhere", "*")).status).toBe(404);
  });

  test("does not hide that a key is missing", async () => {
    await using server = await startTestServer();
    const tag = await tagOf(server, "/user/full");
    expect((await server.get("/user/full", { "If-None-Match": tag })).status).toBe(401);
  });

  test("with the tag of one path does not match another path", async () => {
    await using server = await startTestServer();
    const tags = new Map<string, string>();
    for (const path of PATHS) tags.set(path, await tagOf(server, path));
    expect(new Set(tags.values()).size).toBe(PATHS.length);
    const response = await conditional(server, "/user/jobs", tags.get("/user/full") ?? "");
    expect(response.status).toBe(200);
  });
});

describe("saving a changed record", () => {
  const changed = () => {
    const whole = writtenRecord();
    const [tree, ...others] = whole.linkTrees;
    return checkedRecord({ ...whole, linkTrees: [{ ...tree, title: "Changed" }, ...others] });
  };

  test("shows with the very next request, with a new tag", async () => {
    await using server = await startTestServer();
    const path = "/user/linktrees/everything-1";
    const before = await tagOf(server, path);
    await server.store.records.save([changed()]);
    const response = await conditional(server, path, before);
    expect(response.status).toBe(200);
    expect(response.headers.get("ETag")).not.toBe(before);
    expect(await response.json()).toHaveProperty("title", "Changed");
  });

  test("gives a new tag to exactly what holds the change", async () => {
    await using server = await startTestServer();
    const before = new Map<string, string>();
    const paths = [...PATHS, "/user/linktrees/empty-1"];
    for (const path of paths) before.set(path, await tagOf(server, path));
    await server.store.records.save([changed()]);
    const moved: string[] = [];
    for (const path of paths) if ((await tagOf(server, path)) !== before.get(path)) moved.push(path);
    expect(moved).toEqual(["/user/full", "/user/linktrees", "/user/linktrees/everything-1"]);
  });

  test("and changing it back gives the tree its body back, but not its time of change", async () => {
    await using server = await startTestServer();
    const path = "/user/linktrees/everything-1";
    const before = await tagOf(server, path);
    await server.store.records.save([changed()]);
    server.clock.advance(1000);
    await server.store.records.save([checkedRecord(writtenRecord())]);
    const response = await server.get(path);
    expect(await response.json()).toMatchObject({
      title: "Everything",
      updatedAt: "2026-04-12T08:30:01.000Z",
    });
    expect(response.headers.get("ETag")).not.toBe(before);
  });

  test("shows time after time, whether or not requests come between", async () => {
    await using server = await startTestServer();
    for (let round = 0; round < 20; round++) {
      const whole = writtenRecord();
      const [tree, ...others] = whole.linkTrees;
      const title = `Round ${round}`;
      await server.store.records.save([
        checkedRecord({ ...whole, linkTrees: [{ ...tree, title }, ...others] }),
      ]);
      const response = await server.get("/user/linktrees/everything-1");
      expect(await response.json()).toHaveProperty("title", title);
    }
  });
});

describe("an error", () => {
  test.each([
    ["/user/full", {}, 401],
    ["/user/nowhere", {}, 404],
  ])("at %s is as private as the answer would have been", async (path, headers, status) => {
    await using server = await startTestServer();
    const response = await server.get(path, headers);
    expect(response.status).toBe(status);
    expect(response.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(response.headers.get("Vary")).toBe("Authorization");
    expect(response.headers.has("ETag")).toBe(false);
  });
});

test("the health of the server is never kept", async () => {
  await using server = await startTestServer();
  const { headers } = await server.get("/healthz", {});
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.has("ETag")).toBe(false);
});
