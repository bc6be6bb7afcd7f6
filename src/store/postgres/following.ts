import type { PostgresLocation } from "../location.ts";
import { closing, openReadOnly } from "./connection.ts";

/** How long a replica gets to come to where the primary was. */
const MAX_LAG_MS = 5000;
const PAUSE_MS = 100;

/** A copy of a server has its number, and its databases have theirs. A server that was promoted is no standby. */
const STANDING = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid AS database,
    extract(epoch FROM pg_postmaster_start_time())::text AS started, pg_is_in_recovery() AS "isStandby",
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END::text AS position
  FROM pg_database WHERE datname = current_database()`;

const HAS_COME = "SELECT coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false) AS done";

interface Standing {
  readonly database: string;
  readonly started: string;
  readonly isStandby: boolean;
  readonly position: string;
}

/**
 * Why what is read at a replica is not what the primary has: in words, or nothing. Both may be one server, which a
 * role of its own reads. Where a server does not tell where it stands, nothing is known against the replica.
 */
export async function followingFault(
  primary: PostgresLocation,
  replica: PostgresLocation,
): Promise<string | undefined> {
  const own = await standingAt(primary);
  const { sql, run } = await openReadOnly(replica, 1);
  return closing(sql, async () => {
    const other = await run(STANDING, []).then(
      ([row]) => row as Standing,
      () => undefined,
    );
    if (!own || !other) return undefined;
    if (other.database !== own.database) return "is no copy of the database, but another one";
    if (other.started === own.started) return undefined;
    if (!other.isStandby) return "no longer follows the database: it was promoted";
    for (const end = Date.now() + MAX_LAG_MS; Date.now() < end; await Bun.sleep(PAUSE_MS)) {
      const [row] = await run(HAS_COME, [own.position]);
      if ((row as { done: boolean }).done) return undefined;
    }
    return `is behind: in ${MAX_LAG_MS / 1000} seconds it did not come to where the database was`;
  });
}

async function standingAt(location: PostgresLocation): Promise<Standing | undefined> {
  try {
    const { sql, run } = await openReadOnly(location, 1);
    return await closing(sql, async () => (await run(STANDING, []))[0] as Standing);
  } catch {
    return undefined;
  }
}
