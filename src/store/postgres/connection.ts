import type { SQL } from "bun";
import { withDeadline } from "../../async/maybe-promise.ts";
import { databaseNameIn, describeDatabase, isBehindPgBouncer, type PostgresLocation } from "../location.ts";
import { StoreUnavailable } from "../unavailable.ts";

/** How long a connection may take until it has answered: the first, and one to get a lost database back. */
const CONNECT_MS = 10_000;
export const RECONNECT_MS = 3000;

/**
 * How long a connection of a program that stays may be without use before it is closed, and made anew for who asks
 * next. Firewalls and address translation forget such a connection after some minutes, without a word to either side.
 */
export const IDLE_SECONDS = 60;

/** How long a write waits for another writer before it gives up. */
const LOCK_TIMEOUT_MS = 10_000;

/** The longest a read may take on the server. It usually takes a part of a millisecond. */
const READ_TIMEOUT_MS = 1000;

/** The longest a commit of counts may take. The visitor has been answered long before. */
const COUNT_TIMEOUT_MS = 2000;

/** Vitrine's advisory locks, told from those of other programs by their first number ("vitr"). */
export const ADVISORY_LOCKS = { migration: "1986622578, 0", writers: "1986622578, 1" } as const;

/**
 * Statements about many rows are planned each time, and by their indexes: a plan that was made while a table was
 * empty would go on reading all of it once it is large.
 */
const PLANS_FOR_MANY = { plan_cache_mode: "force_custom_plan", enable_seqscan: "off" };

/**
 * Compiling a statement takes the server longer than any of these statements runs. It would do so for each that is
 * asked without an index while `enable_seqscan` is off, because that makes it look very dear. Whoever has waited for
 * another's lock goes on from what that one has left, also in a database whose other programs want to fail then.
 */
const ALWAYS = { jit: "off", default_transaction_isolation: "read committed" };

/** For work that may take long, or wait for others: bounds of the database or the role are for other programs. */
const UNBOUNDED = { statement_timeout: 0, idle_session_timeout: 0, idle_in_transaction_session_timeout: 0 };

/**
 * One connection, unless said otherwise: a command does one thing after the other. Planned anew each time would also
 * be the check, made for each row that is put in, that its owner exists; so the server may keep plans, which by the
 * indexes are good for tables of any size.
 */
export async function openWritable(
  location: PostgresLocation,
  { size = 1, ...options }: OpenOptions & { size?: number } = {},
): Promise<SQL> {
  const parameters = { lock_timeout: LOCK_TIMEOUT_MS, enable_seqscan: "off", ...UNBOUNDED };
  return (await open(location, size, parameters, options)).sql;
}

/** Ends with the transaction. For a connection that PgBouncer gives to somebody else after it. */
export const BOUND_LOCK_WAIT = `set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)`;

/** Connections on which the server refuses to write. */
export interface ReadOnly {
  readonly sql: SQL;
  run(statement: string, values: (string | number | Uint8Array)[]): Promise<unknown[]>;
}

/**
 * Behind PgBouncer every read takes a read-only transaction, and so four round trips instead of one, unless the
 * role is read-only by itself.
 */
export async function openReadOnly(
  location: PostgresLocation,
  size: number,
  { idleSeconds = IDLE_SECONDS, maxMs }: OpenOptions = {},
): Promise<ReadOnly> {
  const parameters = { default_transaction_read_only: "on", statement_timeout: READ_TIMEOUT_MS };
  const { sql, isReadOnly } = await open(location, size, parameters, { idleSeconds, maxMs });
  return {
    sql,
    run: isReadOnly
      ? (statement, values) => sql.unsafe<unknown[]>(statement, values)
      : settingEachTime(sql, { transaction_read_only: "on", statement_timeout: READ_TIMEOUT_MS }),
  };
}

/** One connection that looks at everything, for as long as it takes, and on which the server refuses to write. */
export async function openSource(location: PostgresLocation): Promise<SQL> {
  const { sql } = await open(location, 1, {
    default_transaction_read_only: "on",
    ...UNBOUNDED,
    ...PLANS_FOR_MANY,
  });
  return sql;
}

export type Parameter = string | number | boolean | Uint8Array | null;

/** One connection whose commits wait for the disk, also on a server that does not by default. */
export interface CountConnection {
  readonly sql: SQL;
  run(statement: string, values: Parameter[]): Promise<unknown[]>;
}

export async function openCountConnection(
  location: PostgresLocation,
  maxMs = CONNECT_MS,
): Promise<CountConnection> {
  const parameters = { statement_timeout: COUNT_TIMEOUT_MS, synchronous_commit: "on", ...PLANS_FOR_MANY };
  const { sql } = await open(location, 1, parameters, { maxMs });
  return {
    sql,
    run: isBehindPgBouncer(location)
      ? settingEachTime(sql, parameters)
      : (statement, values) => sql.unsafe<unknown[]>(statement, values),
  };
}

type Parameters = Record<string, string | number>;

/** In a transaction, with which the parameters end: PgBouncer gives the connection to somebody else after it. */
function settingEachTime(sql: SQL, parameters: Parameters): CountConnection["run"] {
  const set = Object.entries({ jit: ALWAYS.jit, ...parameters }).map(
    ([name, value]) => `SET LOCAL ${name} = ${value};`,
  );
  return (statement, values) =>
    sql.begin(async (inside) => {
      await inside.unsafe(set.join(" ")).simple();
      return inside.unsafe(statement, values);
    });
}

interface OpenOptions {
  readonly maxMs?: number | undefined;
  /** None where it is left out: a command may do something else for long between two statements. */
  readonly idleSeconds?: number;
}

const PROBE = `SELECT current_setting('default_transaction_read_only') = 'on' AS "isReadOnly"`;

async function open(
  location: PostgresLocation,
  size: number,
  parameters: Parameters,
  { maxMs = CONNECT_MS, idleSeconds = 0 }: OpenOptions = {},
): Promise<{ sql: SQL; isReadOnly: boolean }> {
  const url = new URL(location.url);
  const isPooled = isBehindPgBouncer(location);
  // PostgreSQL would take it for a parameter of its own.
  url.searchParams.delete("pgbouncer");
  // What the operator sees in the server's own list, beside other programs of the same role.
  if (!url.searchParams.has("application_name")) url.searchParams.set("application_name", "vitrine");
  // The name is given apart from the URL: a PGDATABASE in the environment would be taken before that in the URL.
  const sql = new Bun.SQL({
    adapter: "postgres",
    url,
    database: databaseNameIn(url),
    tls: (url.searchParams.get("sslmode") ?? "prefer") as "prefer",
    max: size,
    connectionTimeout: maxMs / 1000,
    idleTimeout: idleSeconds,
    // PgBouncer refuses parameters, and gives each transaction another connection, with other named statements.
    ...(isPooled ? { prepare: false } : { connection: { ...ALWAYS, ...parameters } }),
  });
  try {
    const asked = sql.unsafe<{ isReadOnly: boolean }[]>(PROBE);
    const [row] = await withDeadline(asked.execute(), maxMs);
    return { sql, isReadOnly: row?.isReadOnly === true };
  } catch (cause) {
    await sql.close({ timeout: 0 });
    const { message } = cause as Error;
    const hint = message.startsWith("unsupported startup parameter")
      ? " (is `?pgbouncer=true` missing?)"
      : "";
    throw new StoreUnavailable(`cannot open the database ${describeDatabase(location)}: ${message}${hint}`, {
      cause,
    });
  }
}

/** Closes a connection once the work with it is done, or has failed. */
export async function closing<Result>(sql: SQL, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    await sql.close();
  }
}
