import { describe, expect, test } from "bun:test";
import { stripVTControlCharacters } from "node:util";
import { logExchange } from "../../src/http/steps/request-log.ts";
import { Log } from "../../src/logging/log.ts";
import { bearer, startTestServer } from "../support/server.ts";
import { watching } from "../support/watched-reader.ts";

describe("the log", () => {
  test("has one line for each request, with what an operator needs", async () => {
    await using server = await startTestServer();
    const { key, id } = await server.key();
    const response = await server.get("/user/linktrees/everything-1?x=1", bearer(key));
    const [user] = await Array.fromAsync(server.store.records.summaries());
    expect(server.logged()).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: "info",
        message: "request",
        requestId: response.headers.get("X-Request-Id"),
        method: "GET",
        route: "/user/linktrees/:slug",
        status: 200,
        ms: expect.any(Number),
        userId: user?.id,
        keyId: id,
      },
    ]);
  });

  test("names the route and never the path, so that a slug or a typing mistake stays out of it", async () => {
    await using server = await startTestServer();
    await server.get("/user/linktrees/my-secret-slug");
    await server.get("/user/my-secret-path");
    await server.get("/user/full/");
    expect(server.logged().map(({ route, status }) => [route, status])).toEqual([
      ["/user/linktrees/:slug", 404],
      [null, 404],
      ["/user/full", 200],
    ]);
    expect(JSON.stringify(server.logged())).not.toContain("my-secret");
  });

  test("says whose key was refused because it had ended, but nothing of a key it does not know", async () => {
    await using server = await startTestServer();
    const { key, id } = await server.key();
    await server.store.keys.revoke(id);
    await server.get("/user/full", bearer(key));
    await server.get("/user/full", bearer("secret"));
    expect(server.logged().map(({ status, keyId }) => [status, keyId])).toEqual([
      [401, id],
      [401, null],
    ]);
  });

  test("has no line for a request above level info, but goes on to tell of faults", async () => {
    const watched = watching();
    await using server = await startTestServer({ wrapReader: watched.wrapReader, logLevel: "warn" });
    await server.get("/user/full");
    expect(server.logged()).toEqual([]);
    watched.reader.failure = { error: new Error("away"), when: "at once" };
    await server.get("/user/full");
    expect(server.logged().map(({ level }) => level)).toEqual(["error"]);
  });

  test.each([
    [
      "/user/full",
      "user-1",
      200,
      /^\d\d:\d\d:\d\d 200 GET {2}\/user\/full \d+\.\d{3} ms user=user-1 id=mine\n$/,
    ],
    [null, null, 404, /^\d\d:\d\d:\d\d 404 GET {2}\(no route\) \d+\.\d{3} ms id=mine\n$/],
    ["/user/jobs", null, 503, /^\d\d:\d\d:\d\d 503 GET {2}\/user\/jobs \d+\.\d{3} ms id=mine\n$/],
  ])("is short and readable on a terminal: %p for %p with %d", (route, userId, status, expected) => {
    let output = "";
    const log = new Log({
      level: "info",
      readable: true,
      write: (bytes) => (output += new TextDecoder().decode(bytes)),
    });
    const exchange = {
      id: "mine",
      method: "GET",
      route,
      startedAt: performance.now(),
      userId,
      keyId: "key-1",
      standing: null,
    };
    logExchange(log, exchange, status);
    log.flush();
    expect(stripVTControlCharacters(output)).toMatch(expected);
  });
});
