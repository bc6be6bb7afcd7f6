import { describe, expect, test } from "bun:test";
import { bearer, startTestServer } from "../support/server.ts";

describe("the log", () => {
  test("has one line for each request, with what an operator needs", async () => {
    await using server = await startTestServer();
    const { key, id } = await server.key();
    const response = await server.get("/user/linktrees/everything-1?x=1", bearer(key));
    const [user] = await Array.fromAsync(server.store.users());
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
    await server.store.revokeKey(id);
    await server.get("/user/full", bearer(key));
    await server.get("/user/full", bearer("secret"));
    expect(server.logged().map(({ status, keyId }) => [status, keyId])).toEqual([
      [401, id],
      [401, null],
    ]);
  });
});
