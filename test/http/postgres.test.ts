import { describe, expect, test } from "bun:test";
import { ENGINES, postgres } from "../support/engines.ts";
import { onPostgres } from "../support/on-postgres.ts";
import { sendRaw, sendRawAndClose } from "../support/raw-connection.ts";
import { startTestServer } from "../support/server.ts";

/** What is not run again on PostgreSQL, and why. Every other file beside this one is. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  compression: "asks no server",
  pgbouncer: "runs other files again, as this one does",
  postgres: "is this file",
  "raw-requests": "is about how bytes are read, and has requests that do not wait for each other's answers",
  "slow-readers": "is about how bytes are sent",
};

const files = [...new Bun.Glob("*.test.ts").scanSync({ cwd: import.meta.dir })].toSorted();
const names = files.map((file) => file.replace(/\.test\.ts$/, ""));

test("what is left out on PostgreSQL is there", () => {
  expect(Object.keys(LEFT_OUT).filter((name) => !names.includes(name))).toEqual([]);
});

onPostgres(
  names.filter((name) => !Object.hasOwn(LEFT_OUT, name)).map((name) => `${import.meta.dir}/${name}.test.ts`),
);

if (ENGINES.includes(postgres)) {
  describe("postgres: requests on one connection", () => {
    // Bun ends a connection that brings a request while an answer is still being looked up.
    test("that do not wait for each other's answers end it, and get no answer of another's", async () => {
      await using server = await startTestServer({ engine: postgres });
      const { key } = await server.key();
      const ask = (path: string) =>
        `GET ${path} HTTP/1.1\r\nHost: vitrine.test\r\nAuthorization: Bearer ${key}\r\n\r\n`;
      expect(await sendRaw(server.url, ask("/user/links") + ask("/user/jobs"))).toEqual([]);
      expect((await server.get("/user/links")).status).toBe(200);
    });

    // Bun takes whoever closes one side for gone.
    test("get no answer where the caller closes its own side behind them", async () => {
      await using server = await startTestServer({ engine: postgres });
      const { key } = await server.key();
      const ask = `GET /user/links HTTP/1.1\r\nHost: vitrine.test\r\nAuthorization: Bearer ${key}\r\n\r\n`;
      expect(await sendRawAndClose(server.url, ask)).toEqual([]);
      expect((await server.get("/user/links")).headers.get("X-RateLimit-Remaining")).toBe("58");
    });
  });
}
