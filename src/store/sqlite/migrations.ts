import type { Database } from "bun:sqlite";
import { DOCUMENT_KINDS } from "../../contract/routes.ts";
import { StoreUnavailable } from "../reader.ts";

/** Marks a file as Vitrine's ("vitr"), so that no other program's database is ever changed. */
const APPLICATION_ID = 0x76697472;

/**
 * One table per kind of document, keyed by the user's number alone: a read is one descent of one tree whose
 * pages hold nothing but answers of its own kind.
 */
export function documentTable(kind: string): string {
  return `documents_${kind}`;
}

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

  CREATE TABLE documents_linktree (
    slug TEXT NOT NULL UNIQUE,
    id TEXT NOT NULL UNIQUE,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    etag TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX documents_linktree_by_user ON documents_linktree (user_number);
  ` +
    DOCUMENT_KINDS.map(
      (kind) => `
  CREATE TABLE ${documentTable(kind)} (
    user_number INTEGER PRIMARY KEY REFERENCES users (number) ON DELETE CASCADE,
    etag TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;`,
    ).join("\n"),
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export function schemaVersionOf(database: Database): number {
  return pragma(database, "user_version");
}

function pragma(database: Database, name: string): number {
  const row = database.query<Record<string, number>, []>(`PRAGMA ${name}`).get();
  return row?.[name] ?? 0;
}

/** Brings a database up to date. Processes that start together wait for the one that has the lock. */
export function migrate(database: Database): void {
  if (pragma(database, "application_id") === APPLICATION_ID && schemaVersionOf(database) === SCHEMA_VERSION)
    return;
  database
    .transaction(() => {
      refuseForeignDatabase(database);
      const version = schemaVersionOf(database);
      if (version > SCHEMA_VERSION) {
        throw new StoreUnavailable(
          `the database has schema version ${version}, and this Vitrine knows versions up to ${SCHEMA_VERSION}: use a newer Vitrine`,
        );
      }
      for (const migration of MIGRATIONS.slice(version)) database.run(migration);
      database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      database.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}

function refuseForeignDatabase(database: Database): void {
  if (pragma(database, "application_id") === APPLICATION_ID) return;
  const tables = database.query("SELECT 1 FROM sqlite_schema LIMIT 1").get();
  if (tables) throw new StoreUnavailable("the file is a database of another program, not of Vitrine");
}
