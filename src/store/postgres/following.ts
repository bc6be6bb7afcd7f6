import type { PostgresReader } from "./reader.ts";

/** How long a replica gets to come to where the primary was. */
const MAX_LAG_MS = 5000;
const PAUSE_MS = 100;

/**
 * Why what is read at a replica is not what the primary has: in words, or nothing. Both may be one server, which a
 * role of its own reads. Where a server does not tell where it stands, nothing is known against the replica.
 */
export async function followingFault(
  primary: PostgresReader,
  replica: PostgresReader,
  maxLagMs = MAX_LAG_MS,
): Promise<string | undefined> {
  const own = await primary.standing().catch(() => undefined);
  const other = await replica.standing().catch(() => undefined);
  if (!own || !other) return undefined;
  if (other.database !== own.database) return "is no copy of the database, but another one";
  if (other.started === own.started) return undefined;
  // After a failover that is not told here yet, the standby is the one that is called the primary.
  if (!other.isStandby) return own.isStandby ? undefined : "no longer follows the database: it was promoted";
  for (const end = performance.now() + maxLagMs; performance.now() < end; await Bun.sleep(PAUSE_MS)) {
    if (await replica.hasReplayed(own.position)) return undefined;
  }
  return `is behind: in ${maxLagMs / 1000} seconds it did not come to where the database was`;
}
