import { SQL } from "bun";
import { databaseNameIn, describeDatabase, type PostgresLocation } from "../database-url.ts";
import { StoreUnavailable } from "../reader.ts";

/** How long a connection may take to be made. */
const CONNECT_SECONDS = 5;

/** How long a write waits for another writer before it gives up. */
const LOCK_TIMEOUT_MS = 10_000;

/** A read takes a part of a millisecond; what takes so long will not be waited for. */
const READ_TIMEOUT_MS = 5000;

/** Whoever is counted is answered long before; this long a commit may take. */
const COUNT_TIMEOUT_MS = 2000;

/** Vitrine's advisory locks, told from those of other programs by their first number ("vitr"). */
export const ADVISORY_LOCKS = { migration: "1986622578, 0", writers: "1986622578, 1" } as const;

/**
 * Statements about many rows are planned each time, and by their indexes: a plan that was made while a table was
 * empty would go on reading all of it once it is large.
 */
const PLANS_FOR_MANY = { plan_cache_mode: "force_custom_plan", enable_seqscan: "off" };

/** One connection: a command does one thing after the other. */
export function openWritable(location: PostgresLocation): Promise<SQL> {
  return open(location, 1, { lock_timeout: LOCK_TIMEOUT_MS, ...PLANS_FOR_MANY });
}

/** Connections on which the server refuses to write. */
export function openReadOnly(location: PostgresLocation, size: number): Promise<SQL> {
  return open(location, size, {
    default_transaction_read_only: "on",
    statement_timeout: READ_TIMEOUT_MS,
  });
}

/**
 * One connection to put in very many rows. Planned anew each time would also be the check, made for each of them,
 * that its owner exists; so the server may keep plans, which by the indexes are good for tables of any size.
 */
export function openTarget(location: PostgresLocation): Promise<SQL> {
  return open(location, 1, { lock_timeout: LOCK_TIMEOUT_MS, enable_seqscan: "off" });
}

/** One connection that looks at everything, for as long as it takes, and on which the server refuses to write. */
export function openSource(location: PostgresLocation): Promise<SQL> {
  return open(location, 1, {
    default_transaction_read_only: "on",
    // Between two reads there may be a long write, elsewhere.
    idle_in_transaction_session_timeout: 0,
    ...PLANS_FOR_MANY,
  });
}

/** One connection whose commits wait for the disk, whatever the server does by default. */
export function openCounting(location: PostgresLocation): Promise<SQL> {
  return open(location, 1, {
    statement_timeout: COUNT_TIMEOUT_MS,
    synchronous_commit: "on",
    ...PLANS_FOR_MANY,
  });
}

/** PostgreSQL refuses a text with NUL in it, even to look for it. None is stored, and neither is the empty text. */
export function sought(text: string): string {
  return text.includes("\0") ? "" : text;
}

async function open(
  location: PostgresLocation,
  size: number,
  parameters: Record<string, string | number>,
): Promise<SQL> {
  const url = new URL(location.url);
  // The name is given apart from the URL: a PGDATABASE in the environment would be taken before that in the URL.
  const sql = new SQL({
    adapter: "postgres",
    url,
    database: databaseNameIn(url),
    tls: (url.searchParams.get("sslmode") ?? "prefer") as "prefer",
    max: size,
    connectionTimeout: CONNECT_SECONDS,
    connection: parameters,
  });
  try {
    await sql.connect();
    return sql;
  } catch (cause) {
    await sql.close();
    throw new StoreUnavailable(
      `cannot open the database ${describeDatabase(location)}: ${(cause as Error).message}`,
      { cause },
    );
  }
}
