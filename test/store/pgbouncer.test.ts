import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type PostgresLocation, parsePostgresUrl } from "../../src/store/location.ts";
import { openCountConnection, openReadOnly } from "../../src/store/postgres/connection.ts";
import { openReader } from "../support/databases.ts";
import { pgbouncer, withPgBouncer } from "../support/pgbouncer.ts";
import { postgresServer } from "../support/postgres-server.ts";
import { storeSentences } from "./store.contract.ts";

setDefaultTimeout(300_000);

function locationOf(url: string): PostgresLocation {
  const location = parsePostgresUrl(url);
  if (!location) throw new Error(`not a URL of PostgreSQL: ${url}`);
  return location;
}

withPgBouncer(() => {
  storeSentences(pgbouncer);

  describe("behind PgBouncer", () => {
    test("a connection that reads cannot write", async () => {
      await using database = await pgbouncer.create();
      await expectNoWriting(locationOf(database.url));
    });

    test("nor can one of a role that is read-only by itself, without a transaction for each read", async () => {
      await using database = await pgbouncer.create();
      const admin = (await postgresServer()).connect("postgres");
      await admin.unsafe("CREATE DATABASE read_only");
      await admin.unsafe("ALTER DATABASE read_only SET default_transaction_read_only = on");
      await admin.close();
      await expectNoWriting(
        locationOf(Object.assign(new URL(database.url), { pathname: "/read_only" }).href),
      );
    });

    test("a read that waits for a lock ends by itself, and is left behind with nobody", async () => {
      await using database = await pgbouncer.create();
      const { sql, run } = await openReadOnly(locationOf(database.url), 1);
      expect(await run("SHOW statement_timeout", [])).toEqual([{ statement_timeout: "1s" }]);
      expect(await sql.unsafe("SHOW statement_timeout")).toEqual([{ statement_timeout: "0" }]);
      await sql.close();
    });

    test("a connection that counts has none of its statements compiled", async () => {
      await using database = await pgbouncer.create();
      const { sql, run } = await openCountConnection(locationOf(database.url));
      expect(await run("SHOW jit", [])).toEqual([{ jit: "off" }]);
      await sql.close();
    });

    test("who does not say so in the URL is told to", async () => {
      await using database = await pgbouncer.create();
      const failure = openReader(locationOf(database.url.replace("?pgbouncer=true", "")));
      expect(await failure.catch((error) => error.message)).toEndWith("(is `?pgbouncer=true` missing?)");
    });

    test("a connection that counts waits for the disk, and is left to the next as it was", async () => {
      await using database = await pgbouncer.create();
      const connection = await openCountConnection(locationOf(database.url));
      const settings =
        "SELECT current_setting('synchronous_commit') AS commit, current_setting('statement_timeout') AS most";
      const [inside] = await connection.run(settings, []);
      expect(inside).toEqual({ commit: "on", most: "2s" });
      const [after] = await connection.sql.unsafe(settings);
      expect(after).toEqual({ commit: "on", most: "0" });
      await connection.sql.close();
    });
  });
});

async function expectNoWriting(location: PostgresLocation): Promise<void> {
  const connections = await openReadOnly(location, 2);
  const writing = connections.run("CREATE TABLE public.written (number int)", []);
  expect(await writing.catch((error) => error.errno)).toBe("25006");
  await connections.sql.close();
}
