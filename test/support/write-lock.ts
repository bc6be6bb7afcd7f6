import { Database } from "bun:sqlite";
import { SQL } from "bun";
import type { DatabaseLocation } from "../../src/store/location.ts";
import { ADVISORY_LOCKS } from "../../src/store/postgres/connection.ts";

/** Holds a database as a process does that writes to it for a long time. Others can go on reading. */
export async function holdWriteLock(location: DatabaseLocation): Promise<AsyncDisposable> {
  if (location.engine === "sqlite") {
    const database = new Database(location.file);
    database.run("PRAGMA busy_timeout = 10000");
    database.run("BEGIN IMMEDIATE");
    return {
      async [Symbol.asyncDispose]() {
        database.run("ROLLBACK");
        database.close();
      },
    };
  }
  const sql = new SQL({ url: location.url, max: 1 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const holding = sql.begin(async (inside) => {
    await inside.unsafe(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.writers})`);
    await inside.unsafe("LOCK TABLE vitrine.keys IN SHARE MODE");
    hold();
    await released;
  });
  await Promise.race([held, holding]);
  return {
    async [Symbol.asyncDispose]() {
      release();
      await holding;
      await sql.close();
    },
  };
}
