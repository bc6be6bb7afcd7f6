import type { SQL } from "bun";
import { SLICED_KINDS } from "../../documents/compile.ts";
import type { PostgresLocation } from "../database-url.ts";
import { StoreUnavailable } from "../reader.ts";
import { ADVISORY_LOCKS, openReadOnly } from "./connection.ts";

/** All of Vitrine's tables are in a schema of their own, so that it can share a database with other programs. */
export const SCHEMA = "vitrine";

/**
 * Each entry takes the schema from its index to the next version. Entries are only ever added. What is looked up
 * or put in order is compared byte by byte (COLLATE "C"), as SQLite and JavaScript do it.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE vitrine.users (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    email text NOT NULL,
    folded_email text COLLATE "C" NOT NULL UNIQUE,
    profile_slug text COLLATE "C" NOT NULL UNIQUE,
    record text NOT NULL
  );
  -- Compressing the older way takes a third of a commit's time. Not every server is built with this one.
  DO $$ BEGIN
    ALTER TABLE vitrine.users ALTER record SET COMPRESSION lz4;
  EXCEPTION WHEN feature_not_supported THEN NULL;
  END $$;

  CREATE TABLE vitrine.keys (
    hash bytea NOT NULL PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    user_id text NOT NULL, -- again here, so that a read names the user without a second look-up
    name text,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint
  );
  CREATE INDEX keys_by_user ON vitrine.keys (user_number);

  -- One row per user, apart from the records, so that reads touch pages that hold answers and nothing else. A body
  -- that fits a page lies in the row, and a longer one is not compressed, so that a slice of it can be cut out.
  CREATE TABLE vitrine.documents (
    user_number bigint PRIMARY KEY REFERENCES vitrine.users ON DELETE CASCADE,
    ${SLICED_KINDS.map((kind) => `${kind}_start int NOT NULL, ${kind}_length int NOT NULL`).join(",\n    ")},
    full_etag text NOT NULL,
    links_etag text NOT NULL,
    ${SLICED_KINDS.map((kind) => `${kind}_etag text NOT NULL`).join(",\n    ")},
    links bytea NOT NULL,
    body bytea NOT NULL
  ) WITH (toast_tuple_target = 8160);
  ALTER TABLE vitrine.documents ALTER body SET STORAGE EXTERNAL, ALTER links SET STORAGE EXTERNAL;

  CREATE TABLE vitrine.link_trees (
    slug text COLLATE "C" NOT NULL PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    etag text NOT NULL,
    start int NOT NULL,
    length int NOT NULL
  );
  CREATE INDEX link_trees_by_user ON vitrine.link_trees (user_number);

  -- All that a visit needs, by the slug alone.
  CREATE TABLE vitrine.pages (
    slug text COLLATE "C" NOT NULL PRIMARY KEY,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    tree_id text NOT NULL,
    etag text NOT NULL,
    picture_origin text NOT NULL,
    targets text NOT NULL,
    html bytea NOT NULL
  ) WITH (toast_tuple_target = 8160);
  ALTER TABLE vitrine.pages ALTER html SET STORAGE EXTERNAL;
  CREATE INDEX pages_by_user ON vitrine.pages (user_number);

  -- Views and clicks of one day. They outlive what the owner changes about a tree, and go with the owner.
  CREATE TABLE vitrine.counts (
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    tree_id text COLLATE "C" NOT NULL,
    link_id text COLLATE "C" NOT NULL, -- empty for views of the page itself
    day text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (user_number, tree_id, link_id, day)
  );
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * 0 where there is no schema of Vitrine's yet. The catalogue is read as a table: `to_regclass` may remember what it
 * found before the lock was waited for.
 */
export async function schemaVersionOf(sql: SQL): Promise<number> {
  const [found] = await sql.unsafe(`
    SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = '${SCHEMA}' AND relname = 'schema_version'`);
  if (!found) return 0;
  const [row] = await sql.unsafe(`SELECT version FROM ${SCHEMA}.schema_version`);
  return row.version;
}

export async function schemaExists(location: PostgresLocation): Promise<boolean> {
  const sql = await openReadOnly(location, 1);
  try {
    return (await schemaVersionOf(sql)) > 0;
  } finally {
    await sql.close();
  }
}

/** Brings a database up to date. Processes that start together wait for the one that has the lock. */
export async function migrate(sql: SQL): Promise<void> {
  if ((await schemaVersionOf(sql)) === SCHEMA_VERSION) return;
  await sql.begin(migrateWithin);
}

/** The same within a transaction. Returns whether there was nothing of Vitrine's before. */
export async function migrateWithin(sql: SQL): Promise<boolean> {
  await sql.unsafe(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`);
  const version = await schemaVersionOf(sql);
  if (version > SCHEMA_VERSION) {
    throw new StoreUnavailable(
      `the database has schema version ${version}, and this Vitrine knows versions up to ${SCHEMA_VERSION}: use a newer Vitrine`,
    );
  }
  if (version === 0) await makeSchema(sql);
  for (const migration of MIGRATIONS.slice(version)) await sql.unsafe(migration).simple();
  await sql.unsafe(`UPDATE ${SCHEMA}.schema_version SET version = $1`, [SCHEMA_VERSION]);
  return version === 0;
}

async function makeSchema(sql: SQL): Promise<void> {
  const [found] = await sql.unsafe(`
    SELECT current_setting('server_encoding') AS encoding,
      EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') AS "isThere",
      EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = '${SCHEMA}') AS "isUsed"`);
  if (found.encoding !== "UTF8")
    throw new StoreUnavailable(`the database has the encoding ${found.encoding}, and Vitrine needs UTF8`);
  if (found.isUsed)
    throw new StoreUnavailable(
      `the schema ${SCHEMA} of the database holds tables of another program, not of Vitrine`,
    );
  // One that an administrator has made for Vitrine is taken as it is: making it may not be allowed.
  if (!found.isThere) await sql.unsafe(`CREATE SCHEMA ${SCHEMA}`);
  await sql.unsafe(`CREATE TABLE ${SCHEMA}.schema_version (version int NOT NULL)`);
  await sql.unsafe(`INSERT INTO ${SCHEMA}.schema_version VALUES (0)`);
}
