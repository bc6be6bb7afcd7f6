import { describe, expect, test } from "bun:test";
import { ENGINES, postgres } from "../support/engines.ts";
import { onPostgres } from "../support/on-postgres.ts";
import { sendRaw } from "../support/raw-connection.ts";
import { startTestServer } from "../support/server.ts";

/** About how bytes are read, and with requests that do not wait for each other's answers. */
const RAW_REQUESTS = `${import.meta.dir}/raw-requests.test.ts`;

const files = [...new Bun.Glob("*.test.ts").scanSync({ cwd: import.meta.dir, absolute: true })];

onPostgres(files.filter((file) => file !== import.meta.path && file !== RAW_REQUESTS).toSorted());

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
  });
}
