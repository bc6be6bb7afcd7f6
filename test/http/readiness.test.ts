import { describe, expect, test } from "bun:test";
import type { DocumentReader } from "../../src/store/reader.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { sendRaw } from "../support/raw-connection.ts";
import { bearer, startTestServer } from "../support/server.ts";
import { PERSON } from "../support/visitors.ts";
import { watching } from "../support/watched-reader.ts";

const UNAVAILABLE = { statusCode: 503, message: "Service Unavailable", error: "Service Unavailable" };

describe("GET /readyz", () => {
  test("says that the server is ready, without a key, for nobody to keep", async () => {
    await using server = await startTestServer();
    const response = await server.get("/readyz", {});
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Content-Type")).toStartWith("application/json");
    expect(await response.json()).toEqual({ status: "ready" });
  });

  test.each(["at once", "later"] as const)(
    "says no while storage fails (%s), and yes again after",
    async (when) => {
      const watched = watching();
      await using server = await startTestServer({ wrapReader: watched.wrapReader });
      watched.reader.failure = { error: new StoreUnavailable("gone"), when };
      expect((await server.get("/readyz", {})).status).toBe(503);
      watched.reader.failure = undefined;
      expect((await server.get("/readyz", {})).status).toBe(200);
    },
  );

  test("says that nothing can be counted while that is so, and is ready all the same", async () => {
    let failure: Error | undefined = new Error("disk full");
    await using server = await startTestServer({
      wrapWriter: (real) => ({
        write: (batch) => {
          if (failure) throw failure;
          return real.write(batch);
        },
        close: () => real.close(),
      }),
    });
    expect((await server.get("/t/everything-1", PERSON)).status).toBe(200);
    const response = await server.get("/readyz", {});
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ready", counting: false });
    failure = undefined;
    await server.commits.flush();
    expect(await (await server.get("/readyz", {})).json()).toEqual({ status: "ready" });
  });

  test("says no in good time when storage does not answer at all", async () => {
    const wrapReader = (reader: DocumentReader): DocumentReader => {
      reader.ping = () => new Promise(() => {});
      return reader;
    };
    await using server = await startTestServer({ wrapReader });
    const response = await server.get("/readyz", {});
    expect(response.status).toBe(503);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await response.json()).toEqual(UNAVAILABLE);
    expect((await server.get("/healthz", {})).status).toBe(200);
  });
});

describe("a server that is about to stop", () => {
  test("says that it is not ready, though it lives", async () => {
    await using server = await startTestServer();
    server.drain();
    const response = await server.get("/readyz", {});
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual(UNAVAILABLE);
    expect((await server.get("/healthz", {})).status).toBe(200);
    expect(server.logged().filter(({ level }) => level === "error")).toEqual([]);
  });

  test.each(["/user/full", "/user/linktrees/nowhere", "/nowhere", "/t/everything-1", "/healthz"])(
    "answers %s as ever, and has the caller connect elsewhere for the next request",
    async (path) => {
      await using server = await startTestServer();
      const { key } = await server.key();
      const before = await server.get(path, bearer(key));
      expect(before.headers.get("Connection")).not.toBe("close");
      server.drain();
      const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
      // Reads until the server closes the connection, which the request did not ask for.
      const [answer, ...more] = await sendRaw(server.url, request);
      expect(answer?.status).toBe(before.status);
      expect(answer?.headers.get("connection")).toBe("close");
      expect(more).toEqual([]);
    },
  );
});
