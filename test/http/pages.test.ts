import { describe, expect, test } from "bun:test";
import { STYLE, STYLE_HASH } from "../../src/html/style.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { withValue } from "../support/edit-record.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { PERSON } from "../support/visitors.ts";
import { watching } from "../support/watched-reader.ts";

const PAGE = "/t/everything-1";

async function linkPath(server: TestServer, index = 0): Promise<string> {
  return `${PAGE}/${(await server.record()).linkTrees[0]?.links[index]?.id}`;
}

function visit(server: TestServer, path: string, headers: Record<string, string> = {}, method = "GET") {
  return fetch(server.url + path, { headers: { ...PERSON, ...headers }, method, redirect: "manual" });
}

describe("GET /t/:slug", () => {
  test("answers anybody with a page", async () => {
    await using server = await startTestServer();
    const response = await visit(server, PAGE);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const text = await response.text();
    expect(text).toStartWith('<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8">');
    expect(text).toContain("<h1");
    expect(text).toEndWith("</html>");
  });

  test("lets the page's own style apply, the owner's picture show, and nothing else", async () => {
    await using server = await startTestServer();
    const policy = (await visit(server, PAGE)).headers.get("Content-Security-Policy");
    expect(policy).toBe(
      `default-src 'none'; style-src '${STYLE_HASH}'; font-src 'self'; img-src 'self' data: https://person1.example; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    const digest = new Bun.CryptoHasher("sha256").update(STYLE).digest("base64");
    expect(STYLE_HASH).toBe(`sha256-${digest}`);
    expect(await (await visit(server, PAGE)).text()).toContain(`<style>${STYLE}</style>`);
  });

  test("lets no picture show where the owner's is private", async () => {
    await using server = await startTestServer({
      records: [withValue(writtenRecord(), "profile.avatarUrl.isPublic", false)],
    });
    const policy = (await visit(server, PAGE)).headers.get("Content-Security-Policy");
    expect(policy).toContain("img-src 'self' data:;");
  });

  test.each([";sandbox", ",x"])("lets no host of a picture with %s write into the policy", async (end) => {
    await using server = await startTestServer({
      records: [withValue(writtenRecord(), "profile.avatarUrl.value", `https://a.example${end}/x.png`)],
    });
    const policy = (await visit(server, PAGE)).headers.get("Content-Security-Policy");
    expect(policy).toContain("img-src 'self' data:; base-uri");
  });

  test("tells nobody where the visitor came from, and is kept by no shared cache", async () => {
    await using server = await startTestServer();
    const { headers } = await visit(server, PAGE);
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cache-Control")).toBe("private, no-cache");
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.has("X-Request-Id")).toBe(true);
  });

  test("answers a visitor who has the page already with 304, until it changes", async () => {
    await using server = await startTestServer();
    const etag = (await visit(server, PAGE)).headers.get("ETag") ?? "";
    const again = await visit(server, PAGE, { "If-None-Match": etag });
    expect(again.status).toBe(304);
    expect(again.headers.get("ETag")).toBe(etag);
    expect(await again.text()).toBe("");
    const title = withValue(await server.record(), "linkTrees[0].title", "New");
    await server.store.records.save([title as never]);
    const changed = await visit(server, PAGE, { "If-None-Match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("ETag")).not.toBe(etag);
  });

  test.each([true, false])(
    "repeats in a 304 the policy of the 200, with a picture or without: %p",
    async (shown) => {
      await using server = await startTestServer({
        records: [withValue(writtenRecord(), "profile.avatarUrl.isPublic", shown)],
      });
      const { headers } = await visit(server, PAGE);
      const again = await visit(server, PAGE, { "If-None-Match": headers.get("ETag") ?? "" });
      expect(again.status).toBe(304);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy.includes("https://person1.example")).toBe(shown);
      expect(again.headers.get("Content-Security-Policy")).toBe(policy);
    },
  );

  test("has another tag where the server is known by another address", async () => {
    const tags = await Promise.all(
      ["", "https://links.example"].map(async (publicUrl) => {
        await using server = await startTestServer({ publicUrl, records: [{ ...writtenRecord(), id: "u" }] });
        const record = await server.record();
        return { etag: (await visit(server, PAGE)).headers.get("ETag")?.split(".")[1], record: record.id };
      }),
    );
    expect(tags[0]?.etag).not.toBe(tags[1]?.etag ?? "");
  });

  test("answers HEAD with the same headers and no body", async () => {
    await using server = await startTestServer();
    const [get, head] = [
      await visit(server, PAGE, { "X-Request-Id": "same", "Accept-Encoding": "identity" }),
      await visit(server, PAGE, { "X-Request-Id": "same", "Accept-Encoding": "identity" }, "HEAD"),
    ];
    for (const { headers } of [get, head]) headers.delete("Date");
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect(head.headers.get("Content-Length")).toBe(String((await get.bytes()).length));
    expect(await head.text()).toBe("");
  });

  test.each([`${PAGE}/`, `${PAGE}?utm=1`, "/t/%65verything-1", "/%74/everything-1/"])(
    "finds the page at %s",
    async (path) => {
      await using server = await startTestServer();
      expect((await visit(server, path)).status).toBe(200);
    },
  );

  test.each(["ünï-cødé", "a b", "100%", "q?a#b", "\u05d0", "-_.~!*'()"])(
    "and its links are found under the slug %j",
    async (slug) => {
      const record = withValue(writtenRecord(), "linkTrees[0].slug", slug);
      await using server = await startTestServer({ records: [record] });
      const response = await visit(server, `/t/${encodeURIComponent(slug)}`);
      expect(response.status).toBe(200);
      const href = /<li><a href="([^"]*)"/.exec(await response.text())?.[1]?.replaceAll("&#x27;", "'") ?? "";
      expect((await visit(server, href)).headers.get("Location")).toBe("https://person1.example/");
    },
  );

  test("refuses to be written to", async () => {
    await using server = await startTestServer();
    for (const path of [PAGE, await linkPath(server), "/"]) {
      const response = await visit(server, path, {}, "POST");
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe("GET, HEAD");
    }
  });
});

describe("the address of a page", () => {
  const canonical = /<link rel="canonical" href="([^"]*)">/;
  const shared = /<meta property="og:url" content="([^"]*)">/;

  test("is what PUBLIC_URL says, whatever Host the request has", async () => {
    await using server = await startTestServer({ publicUrl: "https://links.example" });
    const text = await (await visit(server, PAGE, { Host: "evil.example" })).text();
    expect(canonical.exec(text)?.[1]).toBe("https://links.example/t/everything-1");
    expect(shared.exec(text)?.[1]).toBe("https://links.example/t/everything-1");
    expect(text).not.toContain("evil.example");
  });

  test("is relative where PUBLIC_URL is not set", async () => {
    await using server = await startTestServer();
    const text = await (await visit(server, PAGE)).text();
    expect(canonical.exec(text)?.[1]).toBe("/t/everything-1");
    expect(shared.test(text)).toBe(false);
  });
});

describe("GET /t/:slug/:linkId", () => {
  test("sends the visitor to the stored URL, and no cache remembers that", async () => {
    await using server = await startTestServer();
    const response = await visit(server, await linkPath(server));
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("https://person1.example/");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(await response.text()).toBe("");
  });

  test.each([
    ["mailto:person1@example.com?subject=%C3%A9", "mailto:person1@example.com?subject=%C3%A9"],
    ["tel:+15550100", "tel:+15550100"],
    ["https://a.example/x?y=1&z=%20#frag", "https://a.example/x?y=1&z=%20#frag"],
    ["https://bücher.example/ü?é", "https://xn--bcher-kva.example/%C3%BC?%C3%A9"],
    ['https://a.example/?say="hello"', 'https://a.example/?say="hello"'],
    ["https://a.example/?path=C:\\x", "https://a.example/?path=C:\\x"],
    ['https://a.example/\\"?\\\\"', 'https://a.example/\\"?\\\\"'],
    ['https://a.example/é"\\', "https://a.example/%C3%A9%22/"],
  ])("leads to %s", async (url, location) => {
    const record = withValue(writtenRecord(), "linkTrees[0].links[0].url", url);
    await using server = await startTestServer({ records: [record] });
    expect((await visit(server, await linkPath(server))).headers.get("Location")).toBe(location);
  });

  test("leads nowhere else, whatever the request says", async () => {
    await using server = await startTestServer();
    const path = `${await linkPath(server)}?url=https://evil.example/&to=//evil.example`;
    const response = await visit(server, path, { Host: "evil.example", Referer: "https://evil.example/" });
    expect(response.headers.get("Location")).toBe("https://person1.example/");
  });
});

describe("what is not there", () => {
  test.each([
    "/t/nowhere",
    "/t/everything-1/nowhere",
    "/t/nowhere/nowhere",
    "/t/empty-1/nowhere",
    "/t/everything-1/https:%2F%2Fevil.example",
  ])("at %s is a friendly page", async (path) => {
    await using server = await startTestServer();
    const response = await visit(server, path);
    expect(response.status).toBe(404);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const text = await response.text();
    expect(text).toContain("There is no such page");
    expect(text).not.toContain("evil.example");
  });

  test("because the storage is away is a page that says so, with when to try again", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader });
    watched.reader.failure = { error: new StoreUnavailable("secret"), when: "at once" };
    for (const path of [PAGE, `${PAGE}/x`]) {
      const response = await visit(server, path);
      expect(response.status).toBe(503);
      expect(response.headers.get("Retry-After")).toBe("2");
      const text = await response.text();
      expect(text).toContain("Please try again shortly");
      expect(text).not.toContain("secret");
    }
  });

  test("because the path cannot be decoded is a 400", async () => {
    await using server = await startTestServer();
    expect((await visit(server, "/t/%ff")).status).toBe(400);
    expect((await visit(server, "/t/everything-1/%ff")).status).toBe(400);
  });
});

describe("GET /", () => {
  test("says what this is, on a small page that robots do not list", async () => {
    await using server = await startTestServer();
    const response = await visit(server, "/");
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const text = await response.text();
    expect(text).toContain(">Vitrine</h1>");
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text.length).toBeLessThan(14 * 1024);
  });

  test("leads to the API reference and to the OpenAPI document", async () => {
    await using server = await startTestServer();
    const text = await (await visit(server, "/")).text();
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(links).toEqual(["/docs", "/openapi.json"]);
    for (const link of links) expect((await visit(server, link)).status).toBe(200);
  });
});

test("the log tells of a visit by its route, and nothing of the visitor", async () => {
  await using server = await startTestServer();
  await visit(server, PAGE, { Referer: "https://from.example/", Cookie: "a=b" });
  const lines = server.logged().map((line) => JSON.stringify(line));
  expect(lines.join()).toContain('"route":"/t/:slug","status":200');
  for (const secret of ["Mozilla", "from.example", "a=b", "127.0.0.1", "everything-1"])
    expect(lines.filter((line) => line.includes(secret) && !line.includes("listening"))).toEqual([]);
});
