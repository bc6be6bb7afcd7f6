import type { Database } from "bun:sqlite";
import { SLICED_KINDS } from "../../documents/compile.ts";
import { StoreUnavailable } from "../reader.ts";

/** Marks a file as Vitrine's ("vitr"), so that no other program's database is ever changed. */
const APPLICATION_ID = 0x76697472;

/** Each entry takes the schema from its index to the next version. Entries are only ever added. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE users (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    folded_email TEXT NOT NULL UNIQUE,
    profile_slug TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE keys (
    hash BLOB NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    user_id TEXT NOT NULL, -- again here, so that a read names the user without a second look-up
    name TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX keys_by_user ON keys (user_number);

  -- One row per user, apart from the records, so that reads touch pages that hold answers and nothing else.
  -- The body comes last: what stands behind a long value is found only by walking through it.
  CREATE TABLE documents (
    user_number INTEGER PRIMARY KEY REFERENCES users (number) ON DELETE CASCADE,
    full_etag TEXT NOT NULL,
    links_etag TEXT NOT NULL,
    links BLOB NOT NULL,
    ${SLICED_KINDS.map((kind) => `${kind}_etag TEXT NOT NULL, ${kind}_start INTEGER NOT NULL, ${kind}_length INTEGER NOT NULL`).join(",\n    ")},
    body BLOB NOT NULL
  ) STRICT;

  CREATE TABLE link_trees (
    slug TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    etag TEXT NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX link_trees_by_user ON link_trees (user_number);
  `,
  `
  -- All that a visit needs, by the slug alone. The long values come last. The rows are too long to lie in an
  -- index themselves: its inner pages would hold a handful each, and the way down would be long.
  CREATE TABLE pages (
    slug TEXT NOT NULL UNIQUE,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    tree_id TEXT NOT NULL,
    etag TEXT NOT NULL,
    picture_origin TEXT NOT NULL,
    targets TEXT NOT NULL,
    html BLOB NOT NULL
  ) STRICT;
  CREATE INDEX pages_by_user ON pages (user_number);

  -- Views and clicks of one day. They outlive what the owner changes about a tree, and go with the owner.
  CREATE TABLE counts (
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    tree_id TEXT NOT NULL,
    link_id TEXT NOT NULL, -- empty for views of the page itself
    day TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (user_number, tree_id, link_id, day)
  ) STRICT, WITHOUT ROWID;
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export function schemaVersionOf(database: Database): number {
  return pragma(database, "user_version");
}

function pragma(database: Database, name: string): number {
  const row = database.query<Record<string, number>, []>(`PRAGMA ${name}`).get();
  return row?.[name] ?? 0;
}

/**
 * Brings a database up to date. Processes that start together wait for the one that has the lock. A database that
 * an earlier Vitrine filled gets its documents compiled anew, in the same transaction.
 */
export function migrate(database: Database, compileAnew: () => void): void {
  if (pragma(database, "application_id") === APPLICATION_ID && schemaVersionOf(database) === SCHEMA_VERSION)
    return;
  database
    .transaction(() => {
      const version = schemaVersionOf(database);
      if (version > SCHEMA_VERSION) {
        throw new StoreUnavailable(
          `the database has schema version ${version}, and this Vitrine knows versions up to ${SCHEMA_VERSION}: use a newer Vitrine`,
        );
      }
      for (const migration of MIGRATIONS.slice(version)) database.run(migration);
      database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      database.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
      if (version > 0 && version < SCHEMA_VERSION) compileAnew();
    })
    .immediate();
}

/**
 * Another program's file must not be changed, so this comes before anything that writes. Both questions are
 * asked in one transaction: between two, another process could make the schema.
 */
export function refuseForeignDatabase(database: Database): void {
  database.transaction(() => {
    const application = pragma(database, "application_id");
    if (application === APPLICATION_ID) return;
    const tables = database.query("SELECT 1 FROM sqlite_schema LIMIT 1").get();
    if (tables || application !== 0) {
      throw new Error("the file is a database of another program, not of Vitrine");
    }
  })();
}
