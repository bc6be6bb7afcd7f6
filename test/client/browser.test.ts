import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { answersOf } from "../support/answers.ts";
import { describeInBrowser } from "../support/browser.ts";
import { InstalledClient } from "../support/client-package.ts";
import { writtenRecord } from "../support/records.ts";
import { startTestServer } from "../support/server.ts";

setDefaultTimeout(300_000);

/** Serves a page and the built client as they are, from an origin of its own. */
function servePage(client: InstalledClient) {
  const dist = `${client.folder.path}/node_modules/vitrine-client/dist`;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      return pathname === "/"
        ? new Response("<!doctype html><title>A page</title><link rel=icon href=data:>", {
            headers: { "Content-Type": "text/html" },
          })
        : new Response(Bun.file(dist + pathname));
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Runs in the page. */
const READ_TWICE = `async ({ url, key }) => {
  const { memoryCache, vitrine } = await import("/index.js");
  const me = vitrine({ url, key, cache: memoryCache(), timeout: 60_000, retryBudget: 0 });
  const missing = await me.linkTree("nowhere").catch(({ name, message, requestId }) => ({ name, message, requestId }));
  const first = await me.full();
  const again = await me.full();
  const refused = await me.full().catch(({ statusCode, retryAfter }) => ({ statusCode, retryAfter }));
  return { first, again, missing, refused };
}`;

describeInBrowser("in a browser, the client", (open) => {
  let client: InstalledClient;
  beforeAll(async () => {
    client = await InstalledClient.create();
  });
  afterAll(() => client[Symbol.dispose]());

  test("reads, has an answer confirmed, and understands errors, from a page whose origin is listed", async () => {
    await using page = servePage(client);
    await using server = await startTestServer({
      records: [writtenRecord()],
      corsOrigins: [page.url],
      limits: { full: 2, default: 60 },
    });
    await using visitor = await open(page.url);
    const { key } = await server.key();
    const seen = await visitor.page.evaluate(`(${READ_TWICE})(${JSON.stringify({ url: server.url, key })})`);
    const { json } = answersOf(await server.record()).byKind.full;
    expect(seen).toEqual({
      first: json,
      again: json,
      missing: { name: "VitrineError", message: "Link tree not found", requestId: expect.any(String) },
      refused: { statusCode: 429, retryAfter: 60 },
    });
    const statuses = server.logged().filter(({ route }) => route === "/user/full");
    expect(statuses.map(({ status }) => status).filter((status) => status !== 204)).toEqual([200, 304, 429]);
  });

  test("cannot read from a page whose origin is not", async () => {
    await using page = servePage(client);
    await using server = await startTestServer({ corsOrigins: ["https://elsewhere.example"] });
    await using visitor = await open(page.url);
    const { key } = await server.key();
    const call = `import("/index.js").then(({ vitrine }) => vitrine(${JSON.stringify({ url: server.url, key })}).full())`;
    expect(await visitor.page.evaluate(`${call}.catch(({ name }) => name)`)).toBe("VitrineNetworkError");
  });
});
