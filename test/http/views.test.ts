import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ROUTES } from "../../src/contract/routes.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { answersOf } from "../support/answers.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { seconds } from "../support/clock.ts";
import { withPrivateParts } from "../support/private-parts.ts";
import { checkedRecord } from "../support/records.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";

const MARK = "privatemark";
const NUMBER = 771_133_551;

const FREE = { full: 1_000_000, default: 1_000_000 };

/** All that an answer says, head and body. */
async function saidBy(response: Response): Promise<string> {
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return [response.status, ...head, await response.text()].join("\n");
}

function pathsOf(slugs: readonly string[]): string[] {
  const trees = ["nowhere", MARK, ...slugs].map((slug) => `/user/linktrees/${encodeURIComponent(slug)}`);
  return [...ROUTES.map(({ path }) => path).filter((path) => !path.includes(":")), ...trees];
}

describe("a key of the public view", () => {
  test("finds nothing private of any record by any path, in the log neither", async () => {
    await using server = await startTestServer({ records: [], limits: FREE });
    await fc.assert(
      fc.asyncProperty(anyRecord, async (written) => {
        for await (const { email } of server.store.records.summaries())
          await server.store.records.delete(email);
        const { record } = reconcile(checkedRecord(written), undefined, server.clock.now());
        const marked = withPrivateParts(record, MARK, NUMBER);
        await server.store.records.save([checkedRecord(marked)]);
        const { email } = marked;
        const shown = bearer((await server.key({ email, view: "public" })).key);
        const confined = bearer((await server.key({ email, view: "public", paths: ["mcp"] })).key);
        for (const path of pathsOf(marked.linkTrees.map(({ slug }) => slug))) {
          const answers = [
            await server.get(path, shown),
            await server.get(path, { ...shown, "If-None-Match": "*" }),
            await server.get(path, shown, "HEAD"),
            await server.get(path, shown, "POST"),
            await server.get(path, confined),
          ];
          for (const said of await Promise.all(answers.map(saidBy))) {
            expect(said).not.toContain(MARK);
            expect(said).not.toContain(String(NUMBER));
          }
        }
      }),
      { numRuns: 30 },
    );
    expect(JSON.stringify(server.logged())).not.toContain(MARK);
  }, 300_000);

  test("has the answers and the tags of its own view", async () => {
    await using server = await startTestServer();
    const { key } = await server.key({ view: "public" });
    const headers = { ...bearer(key), "Accept-Encoding": "identity" };
    const record = await server.record();
    const [shown, full] = [answersOf(record, "public").byKind, answersOf(record).byKind];
    for (const { path, document } of ROUTES) {
      if (document === "linktree") continue;
      const response = await server.get(path, headers);
      expect(response.headers.get("ETag")).toBe(shown[document].etag);
      expect(await response.json()).toEqual(shown[document].json);
      const again = await server.get(path, { ...headers, "If-None-Match": shown[document].etag });
      expect(again.status).toBe(304);
    }
    const other = await server.get("/user/full", { ...headers, "If-None-Match": full.full.etag });
    expect(other.status).toBe(200);
  });

  test("shares the limits of its user", async () => {
    await using server = await startTestServer({ limits: { full: 2, default: 2 } });
    await server.get("/user/full");
    const headers = bearer((await server.key({ view: "public" })).key);
    const [second, third] = [
      await server.get("/user/full", headers),
      await server.get("/user/full", headers),
    ];
    expect(second.headers.get("X-RateLimit-Remaining")).toBe("0");
    expect(third.status).toBe(429);
  });
});

describe("a key that is confined to some paths", () => {
  test.each([
    { paths: ["full"], open: ["/user/full"] },
    { paths: ["linktrees"], open: ["/user/linktrees", "/user/linktrees/everything-1"] },
    { paths: ["links", "jobs"], open: ["/user/links", "/user/jobs"] },
    { paths: ["mcp"], open: [] },
  ] as const)("$paths reads these and no other", async ({ paths, open }) => {
    await using server = await startTestServer();
    const headers = bearer((await server.key({ paths })).key);
    const statuses = new Map<string, number>();
    for (const { path } of ROUTES) {
      const asked = path.replace(":slug", "everything-1");
      statuses.set(asked, (await server.get(asked, headers)).status);
    }
    const answered = [...statuses].filter(([, status]) => status === 200).map(([path]) => path);
    expect(answered).toEqual([...open]);
    expect(new Set([...statuses.values()].filter((status) => status !== 200))).toEqual(new Set([403]));
  });

  test("gets the same answer for a tree that is there and for one that is not", async () => {
    await using server = await startTestServer();
    const headers = { ...bearer((await server.key({ paths: ["full"] })).key), "X-Request-Id": "the-same" };
    const [there, nowhere] = await Promise.all(
      ["everything-1", "nowhere"].map(async (slug) =>
        saidBy(await server.get(`/user/linktrees/${slug}`, headers)),
      ),
    );
    expect(there?.replace(/^date: .*$/m, "")).toBe(nowhere?.replace(/^date: .*$/m, "") as string);
  });

  test("is told where its user stands, and is not counted", async () => {
    await using server = await startTestServer({ limits: { full: 3, default: 3 } });
    const confined = bearer((await server.key({ paths: ["links"] })).key);
    const free = bearer((await server.key()).key);
    await server.get("/user/full", free);
    server.clock.advance(seconds(10));
    for (let count = 0; count < 5; count++) {
      const { status, headers } = await server.get("/user/full", confined);
      expect([status, headers.get("X-RateLimit-Remaining"), headers.get("X-RateLimit-Reset")]).toEqual([
        403,
        "2",
        "50",
      ]);
      expect(headers.get("RateLimit")).toBe('"full";r=2;t=50');
    }
    expect((await server.get("/user/full", free)).headers.get("X-RateLimit-Remaining")).toBe("1");
  });
});

describe("when a key expires", () => {
  const DAY = 86_400_000;

  async function expiring(server: TestServer, paths?: readonly ["links", "linktrees"]) {
    const expiresAt = server.clock.now() + DAY;
    const { key } = await server.key({ expiresAt, paths: paths ?? null });
    return { headers: bearer(key), expires: new Date(expiresAt).toISOString() };
  }

  test("is said by every answer to it", async () => {
    await using server = await startTestServer({ limits: { full: 3, default: 3 } });
    const { headers, expires } = await expiring(server, ["links", "linktrees"]);
    const answers = [
      await server.get("/user/links", headers),
      await server.get("/user/links", { ...headers, "If-None-Match": "*" }),
      await server.get("/user/links", headers, "HEAD"),
      await server.get("/user/links", headers),
      await server.get("/user/full", headers),
      await server.get("/user/linktrees/nowhere", headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 200, 429, 403, 404]);
    for (const { headers } of answers) expect(headers.get("Vitrine-Key-Expires")).toBe(expires);
  });

  test("is said of no other key, though it asks at the same place", async () => {
    await using server = await startTestServer();
    const { headers } = await expiring(server);
    await server.get("/user/full", headers);
    expect((await server.get("/user/full")).headers.has("Vitrine-Key-Expires")).toBe(false);
    server.clock.advance(2 * DAY);
    const ended = await server.get("/user/full", headers);
    expect([ended.status, ended.headers.has("Vitrine-Key-Expires")]).toEqual([401, false]);
  });

  test("can be read by a page of a listed origin", async () => {
    await using server = await startTestServer({ corsOrigins: ["https://ada.example"] });
    const { headers } = await expiring(server);
    const answer = await server.get("/user/full", { ...headers, Origin: "https://ada.example" });
    expect(answer.headers.get("Access-Control-Expose-Headers")?.split(", ")).toContain("Vitrine-Key-Expires");
  });
});
