import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ROUTES } from "../../src/contract/routes.ts";
import { decodePath, matchPath } from "../../src/http/steps/path.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { bearer, startTestServer } from "../support/server.ts";
import { anySlug } from "../support/slugs.ts";

const PATHS = ROUTES.map(({ path }) => path.replace(":slug", "everything-1"));

async function messageOf(response: Response): Promise<string> {
  return ((await response.json()) as { message: string }).message;
}

/** Each character as its percent-encoding, needed or not. */
function encodedWhole(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

function recordWithSlugs(slugs: readonly string[]) {
  const whole = writtenRecord();
  return { ...whole, linkTrees: slugs.map((slug) => ({ ...whole.linkTrees[0], title: "A tree", slug })) };
}

describe.each(PATHS)("%s", (path) => {
  const sameAsPlain = async (written: string) => {
    await using server = await startTestServer();
    const plain = await server.get(path);
    const other = await server.get(written);
    expect(other.status).toBe(200);
    expect(other.headers.get("ETag")).toBe(plain.headers.get("ETag"));
    expect(await other.text()).toBe(await plain.text());
  };

  test("accepts a trailing slash", () => sameAsPlain(`${path}/`));

  test("ignores a query", () => sameAsPlain(`${path}?fields=id&slug=empty-1&%zz#?`));

  test("ignores a query behind a trailing slash", () => sameAsPlain(`${path}/?x=/../y`));

  test("ignores an empty query", () => sameAsPlain(`${path}?`));

  test("accepts needless percent-encoding", () => {
    const last = path.slice(path.lastIndexOf("/") + 1);
    return sameAsPlain(path.slice(0, -last.length) + encodedWhole(last));
  });

  test("accepts needless percent-encoding in upper case, of every segment, with a trailing slash", () =>
    sameAsPlain(`${path.split("/").map(encodedWhole).join("/").toUpperCase()}/`));

  test.each(["//", "/x", "x", ";v=1", ".json", "%2F", "%20"])(
    "is not met with %s at its end",
    async (end) => {
      await using server = await startTestServer();
      expect((await server.get(path + end)).status).toBe(404);
    },
  );

  test("is told from other cases", async () => {
    await using server = await startTestServer();
    expect((await server.get(path.toUpperCase())).status).toBe(404);
  });
});

describe("a path that is not part of the API", () => {
  test.each([
    ["/t", "/t"],
    ["/t/", "/t/"],
    ["/t/everything-1/a/b", "/t/everything-1/a/b"],
    ["/t//a", "/t//a"],
    ["/user", "/user"],
    ["/user/", "/user/"],
    ["/users/full", "/users/full"],
    ["/user/full/more", "/user/full/more"],
    ["/user//full", "/user//full"],
    ["/user/full//", "/user/full//"],
    ["/user%2Ffull", "/user%2Ffull"],
    ["/user/linktrees//", "/user/linktrees//"],
    ["/user/linktrees/a/b", "/user/linktrees/a/b"],
    ["/USER/FULL", "/USER/FULL"],
    ["/metrics", "/metrics"],
    ["/nowhere?key=value&email=a@example.com", "/nowhere"],
    ["/%22quoted%22", "/%22quoted%22"],
    ["/<script>", "/%3Cscript%3E"],
    ["/zo%C3%AB", "/zo%C3%AB"],
  ])("GET %s: the message names the method and the path as it was sent", async (path, named) => {
    await using server = await startTestServer();
    const response = await server.get(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      statusCode: 404,
      message: `Cannot GET ${named}`,
      error: "Not Found",
    });
  });

  test("needs no key to be unknown", async () => {
    await using server = await startTestServer();
    expect((await server.get("/nowhere", {})).status).toBe(404);
  });
});

describe("an empty slug", () => {
  test("is the list of trees, whose trailing slash it is", async () => {
    await using server = await startTestServer();
    expect(await (await server.get("/user/linktrees/")).json()).toBeArray();
  });
});

describe("an encoded slash", () => {
  test("is part of a slug that cannot exist, and not a segment of its own", async () => {
    await using server = await startTestServer();
    for (const slug of ["everything-1%2F", "%2Feverything-1", "a%2Fb", "..%2Ffull", "%2F"]) {
      const response = await server.get(`/user/linktrees/${slug}`);
      expect({ slug, status: response.status, message: await messageOf(response) }).toEqual({
        slug,
        status: 404,
        message: "Link tree not found",
      });
    }
  });
});

describe("a path that cannot be decoded", () => {
  test.each([
    "/user/linktrees/%",
    "/user/linktrees/%2",
    "/user/linktrees/%zz",
    "/user/linktrees/%ff",
    "/user/linktrees/a%E0%A4%A",
    "/user/linktrees/%C0%AF",
    "/user/linktrees/%ED%A0%80",
    "/user/linktrees/%F4%90%80%80",
    "/user/linktrees/%EF%BF%BD",
    "/user/linktrees/a%ef%bf%bd/",
    "/t/%EF%BF%BD",
    "/t/everything-1/%EF%BF%BD",
    "/user/linktrees/%ff/",
    "/user/%ff",
    "/user/full%",
    "/%",
    "/nowhere/%e0",
  ])("%s is a bad request, with a key and without", async (path) => {
    await using server = await startTestServer();
    for (const headers of [undefined, {}]) {
      const response = await server.get(path, headers);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        statusCode: 400,
        message: "Malformed percent-encoding in the path",
        error: "Bad Request",
      });
    }
  });
});

describe("a slug", () => {
  test("of any script is found through encodeURIComponent, and gives that tree", async () => {
    await using server = await startTestServer({ limits: { full: 1_000_000, default: 1_000_000 } });
    const authorization = bearer((await server.key()).key);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anySlug, { minLength: 1, maxLength: 20 }), async (slugs) => {
        await server.store.records.save([checkedRecord(recordWithSlugs(slugs))]);
        const found = await Promise.all(
          slugs.map(async (slug) => {
            const response = await server.get(`/user/linktrees/${encodeURIComponent(slug)}`, authorization);
            const body = (await response.json()) as { slug?: string };
            return { status: response.status, slug: body.slug };
          }),
        );
        expect(found).toEqual(slugs.map((slug) => ({ status: 200, slug })));
      }),
      { numRuns: 40 },
    );
  });

  test("is found with every byte of it encoded, and with a trailing slash", async () => {
    const slugs = ["plain", "zoë", "%2e", "a b", "?", "#", "👩🏽🇵🇹", "+", "...", "a..b", "~.", "\\"];
    await using server = await startTestServer({ records: [recordWithSlugs(slugs)] });
    for (const slug of slugs) {
      for (const written of [encodedWhole(slug), `${encodeURIComponent(slug)}/`]) {
        const response = await server.get(`/user/linktrees/${written}`);
        expect({ written, slug: ((await response.json()) as { slug?: string }).slug }).toEqual({
          written,
          slug,
        });
      }
    }
  });

  test("is told from one that only looks the same", async () => {
    const [composed, decomposed] = ["\u00e9", "e\u0301"];
    await using server = await startTestServer({ records: [recordWithSlugs([composed])] });
    expect((await server.get(`/user/linktrees/${encodeURIComponent(composed)}`)).status).toBe(200);
    expect((await server.get(`/user/linktrees/${encodeURIComponent(decomposed)}`)).status).toBe(404);
  });

  test("is decoded once and no more", async () => {
    await using server = await startTestServer({ records: [recordWithSlugs(["a b"])] });
    expect((await server.get("/user/linktrees/a%20b")).status).toBe(200);
    expect((await server.get("/user/linktrees/a%2520b")).status).toBe(404);
    expect((await server.get("/user/linktrees/a+b")).status).toBe(404);
  });

  test("may be the name of another route", async () => {
    const slugs = ["full", "links", "linktrees", "user"];
    await using server = await startTestServer({ records: [recordWithSlugs(slugs)] });
    for (const slug of slugs)
      expect(await (await server.get(`/user/linktrees/${slug}`)).json()).toHaveProperty("slug", slug);
  });
});

describe("what varies in a path", () => {
  const templates = ["/a/:one", "/a/:one/b", "/a/:one/:two/:three", "/:name/b"];
  const match = (path: string) => matchPath(decodePath(path) ?? [], templates);

  test("is known by the names that its template has for it, however many there are", () => {
    expect(match("/a/1")).toEqual({ template: "/a/:one", params: { one: "1" } });
    expect(match("/a/1/b/")).toEqual({ template: "/a/:one/b", params: { one: "1" } });
    expect(match("/a/1/2%2F/3")).toEqual({
      template: "/a/:one/:two/:three",
      params: { one: "1", two: "2/", three: "3" },
    });
    expect(match("/x/b")).toEqual({ template: "/:name/b", params: { name: "x" } });
  });

  test("is never empty", () => {
    expect(match("/a/")).toBeUndefined();
    expect(match("/a//2/3")).toBeUndefined();
  });
});
