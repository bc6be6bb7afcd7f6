import { describe, expect, test } from "bun:test";
import { HEALTH_PATH, HOME_PATH, LINK_PATH, PAGE_PATH, ROUTES } from "../../src/contract/routes.ts";
import { seconds } from "../support/clock.ts";
import { RawConnection, sendRaw } from "../support/raw-connection.ts";
import { bearer, startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { BROWSER, PERSON } from "../support/visitors.ts";

const PAGE = "/t/everything-1";

async function treeOf(server: TestServer) {
  const tree = (await server.record()).linkTrees[0];
  const [first, second] = tree?.links ?? [];
  return { treeId: tree?.id ?? "", first: first?.id ?? "", second: second?.id ?? "" };
}

function visit(server: TestServer, path: string, headers: Record<string, string> = PERSON, method = "GET") {
  return fetch(server.url + path, { headers, method, redirect: "manual" });
}

/** A request as it is sent, by somebody who goes on without waiting. */
function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: ${BROWSER}\r\n\r\n`;
}

describe("counting", () => {
  test("a page shown is a view, and a redirect is a click, each on its day", async () => {
    await using server = await startTestServer();
    const { treeId, first, second } = await treeOf(server);
    for (const path of [PAGE, PAGE, `${PAGE}/${first}`, `${PAGE}/${second}`, `${PAGE}/${first}`])
      await visit(server, path);
    server.clock.advance(seconds(24 * 60 * 60));
    await visit(server, PAGE);
    expect(new Set(await server.counts())).toEqual(
      new Set([
        { treeId, linkId: "", day: "2026-04-12", count: 2 },
        { treeId, linkId: first, day: "2026-04-12", count: 2 },
        { treeId, linkId: second, day: "2026-04-12", count: 1 },
        { treeId, linkId: "", day: "2026-04-13", count: 1 },
      ]),
    );
  });

  test("has been committed by the time the visitor is answered", async () => {
    await using server = await startTestServer();
    for (let visits = 1; visits <= 5; visits++) {
      await visit(server, PAGE);
      expect((await server.counts()).map(({ count }) => count)).toEqual([visits]);
    }
  });

  test("changes day at midnight in UTC", async () => {
    await using server = await startTestServer();
    server.clock.advance(Date.parse("2026-04-12T23:59:59.999Z") - server.clock.now());
    await visit(server, PAGE);
    server.clock.advance(1);
    await visit(server, PAGE);
    expect((await server.counts()).map(({ day }) => day)).toEqual(["2026-04-12", "2026-04-13"]);
  });

  test("of 64 visitors at once takes fewer transactions", async () => {
    await using server = await startTestServer();
    const { first } = await treeOf(server);
    await Promise.all(Array.from({ length: 64 }, () => visit(server, `${PAGE}/${first}`)));
    expect((await server.counts()).map(({ count }) => count)).toEqual([64]);
    expect(server.commits.numbers.transactions).toBeLessThan(64);
  });

  test("stores of the visitor nothing", async () => {
    await using server = await startTestServer();
    await visit(server, PAGE, { ...PERSON, Cookie: "visitor=1", "X-Forwarded-For": "203.0.113.9" });
    for (const count of await server.counts())
      expect(Object.keys(count)).toEqual(["treeId", "linkId", "day", "count"]);
  });
});

describe("not counted", () => {
  const NOT_COUNTED: readonly [
    what: string,
    reason: string,
    headers: Record<string, string>,
    method?: string,
  ][] = [
    ["HEAD", "head", PERSON, "HEAD"],
    ["a robot", "bot", { "User-Agent": "Googlebot/2.1" }, "GET"],
    ["a preview", "preview", { "User-Agent": "WhatsApp/2.24" }, "GET"],
    ["a prefetch", "prefetch", { ...PERSON, "Sec-Purpose": "prefetch" }, "GET"],
    ["a prerendering", "prefetch", { ...PERSON, "Sec-Purpose": "prefetch;prerender" }, "GET"],
  ];

  test.each(NOT_COUNTED)("is %s, which is answered all the same", async (_, reason, headers, method) => {
    await using server = await startTestServer();
    const { first } = await treeOf(server);
    expect((await visit(server, PAGE, headers, method)).status).toBe(200);
    expect((await visit(server, `${PAGE}/${first}`, headers, method)).status).toBe(302);
    await server.commits.flush();
    expect(await server.counts()).toEqual([]);
    expect(server.visits.notCounted).toMatchObject({ [reason]: 2 });
  });

  test("is a page that the visitor has already", async () => {
    await using server = await startTestServer();
    const etag = (await visit(server, PAGE)).headers.get("ETag") ?? "";
    expect((await visit(server, PAGE, { ...PERSON, "If-None-Match": etag })).status).toBe(304);
    expect((await server.counts()).map(({ count }) => count)).toEqual([1]);
    expect(server.visits.notCounted["not-modified"]).toBe(1);
  });

  test("is who sends a second request along with the first, and so gets no answer", async () => {
    await using server = await startTestServer();
    const { first } = await treeOf(server);
    const healthz = get("/healthz");
    for (const path of [PAGE, `${PAGE}/${first}`])
      expect(await sendRaw(server.url, get(path) + healthz)).toEqual([]);
    // A store behind a network may still be looking for the page when the connection is closed.
    await until("both to be noticed", () => server.visits.notCounted.gone === 2);
    await server.commits.flush();
    expect(await server.counts()).toEqual([]);
  });

  test("is what is not there", async () => {
    await using server = await startTestServer();
    for (const path of ["/t/nowhere", `${PAGE}/nowhere`, "/"]) await visit(server, path);
    expect(await server.counts()).toEqual([]);
  });

  test("is any read of the API", async () => {
    await using server = await startTestServer();
    const headers = { ...PERSON, ...bearer((await server.key()).key) };
    for (const { path } of ROUTES) await visit(server, path.replace(":slug", "everything-1"), headers);
    await server.commits.flush();
    expect(await server.counts()).toEqual([]);
  });
});

describe("counted, but not answered", () => {
  test("is who sends a second request while the first is being committed", async () => {
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using server = await startTestServer({
      wrapWriter: (real) => ({
        async write(batch) {
          started.resolve();
          await released.promise;
          await real.write(batch);
        },
        close: () => real.close(),
      }),
    });
    using connection = await RawConnection.to(server.url);
    connection.send(get(PAGE));
    await started.promise;
    connection.send(get("/healthz"));
    await connection.closed;
    released.resolve();
    await server.commits.flush();
    expect(connection.answers()).toEqual([]);
    expect((await server.counts()).map(({ count }) => count)).toEqual([1]);
  });
});

describe("counts", () => {
  test("are returned by no route, to nobody", async () => {
    const VIEWS = 7_919_683_541;
    const CLICKS = 6_841_597_183;
    await using server = await startTestServer({
      wrapWriter: (real) => ({
        write: (batch) =>
          real.write({
            ...batch,
            counts: batch.counts.map((count) => ({ ...count, count: count.linkId ? CLICKS : VIEWS })),
          }),
        close: () => real.close(),
      }),
    });
    const link = (await treeOf(server)).first;
    const paths = [
      ...ROUTES.map(({ path }) => path),
      HEALTH_PATH,
      HOME_PATH,
      PAGE_PATH,
      LINK_PATH,
      "/nowhere",
    ];
    const headers = { ...PERSON, ...bearer((await server.key()).key) };
    for (const round of ["before", "after"]) {
      for (const template of paths) {
        const path = template.replace(":slug", "everything-1").replace(":linkId", link);
        for (const sent of [headers, PERSON]) {
          const response = await visit(server, path, sent);
          const said = `${JSON.stringify([...response.headers])}\n${await response.text()}`;
          for (const sign of [String(VIEWS), String(CLICKS), /\bviews?\b/i, /\bclicks?\b/i, /visits?\b/i])
            expect({ round, path, sign, found: said.match(sign) }).toEqual({
              round,
              path,
              sign,
              found: null,
            });
        }
      }
    }
    const counted = (await server.counts()).map(({ count }) => count);
    expect(counted.every((count) => count % VIEWS === 0 || count % CLICKS === 0)).toBe(true);
    expect(counted).toHaveLength(2);
  });
});

describe("a store that cannot be written", () => {
  test("is no reason to keep a visitor waiting, and what it missed is written when it is back", async () => {
    let away = true;
    await using server = await startTestServer({
      wrapWriter: (real) => ({
        write: (batch) => {
          if (away) throw new Error("database is locked");
          return real.write(batch);
        },
        close: () => real.close(),
      }),
    });
    const { first } = await treeOf(server);
    for (let count = 0; count < 10; count++) {
      expect((await visit(server, PAGE)).status).toBe(200);
      expect((await visit(server, `${PAGE}/${first}`)).status).toBe(302);
    }
    expect(await server.counts()).toEqual([]);
    away = false;
    await server.commits.flush();
    expect((await server.counts()).map(({ count }) => count)).toEqual([10, 10]);
    const told = server.logged().filter(({ level }) => level === "warn");
    expect(told).toHaveLength(1);
  });
});
