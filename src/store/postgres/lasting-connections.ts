import type { SQL } from "bun";
import type { PostgresLocation } from "../location.ts";
import { IDLE_SECONDS, openWritable, RECONNECT_MS } from "./connection.ts";

/** So that nobody who reads waits for somebody else whose save waits for an import. */
const CONNECTIONS = 4;

/** How long an answer may take before it is tried whether new connections do better. */
const LATE_MS = 3000;

/** What waits on the old connections, as a save may for an import, is given this long. */
const LAST_SECONDS = 10;

/**
 * Connections for a program that stays. One that was lost without a word (a server without power, a firewall that has
 * forgotten it) is noticed by the system after a quarter of an hour, and until then nothing would be answered. So where
 * an answer is late, new connections take the place of all, if the database answers there.
 */
export async function openLasting(location: PostgresLocation, idleSeconds = IDLE_SECONDS): Promise<SQL> {
  const usual = { size: CONNECTIONS, idleSeconds };
  let current = await openWritable(location, usual);
  const old = new Set<SQL>();
  let isRenewing = false;
  let isClosed = false;

  async function renew(late: SQL): Promise<void> {
    if (late !== current || isRenewing || isClosed) return;
    isRenewing = true;
    try {
      const next = await openWritable(location, { ...usual, maxMs: RECONNECT_MS });
      if (isClosed) await next.close({ timeout: 0 });
      else {
        current = next;
        old.add(late);
        void late.close({ timeout: LAST_SECONDS }).finally(() => old.delete(late));
      }
    } catch {
      // The database is away: who asks next finds that out.
    } finally {
      isRenewing = false;
    }
  }

  function watched<Result>(ask: (sql: SQL) => Promise<Result>): Promise<Result> {
    const sql = current;
    const timer = setTimeout(() => void renew(sql), LATE_MS);
    return ask(sql).finally(() => clearTimeout(timer));
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const sql of [current, ...old]) await sql.close({ timeout: 0 });
  }

  const asked = {
    unsafe: (...call: Parameters<SQL["unsafe"]>) => watched(async (sql) => sql.unsafe(...call)),
    begin: (...call: Parameters<SQL["begin"]>) => watched(async (sql) => sql.begin(...call)),
    array: (...call: Parameters<SQL["array"]>) => current.array(...call),
    close,
  } satisfies { [name in keyof SQL]?: unknown };
  return asked as unknown as SQL;
}
