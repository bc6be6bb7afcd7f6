import type { Database } from "bun:sqlite";
import { COMPILER_VERSION } from "../../documents/version.ts";
import { LEFTOVERS } from "../leftovers.ts";
import type { Compilation } from "../save/compilation.ts";
import { OtherSchema, type SchemaVersion, StoreUnavailable } from "../unavailable.ts";
import { writingAtOnce } from "./transaction.ts";

/** Marks a file as Vitrine's ("vitr"), so that no other program's database is ever changed. */
const APPLICATION_ID = 0x76697472;

/**
 * Each entry takes the schema from its index to the next version. Entries are only ever added. An entry is a plain
 * text, which nothing of today's code goes into: it must make tomorrow what it made on its day.
 */
export const MIGRATIONS: readonly string[] = [
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
    linktrees_etag TEXT NOT NULL, linktrees_start INTEGER NOT NULL, linktrees_length INTEGER NOT NULL,
    jobs_etag TEXT NOT NULL, jobs_start INTEGER NOT NULL, jobs_length INTEGER NOT NULL,
    projects_etag TEXT NOT NULL, projects_start INTEGER NOT NULL, projects_length INTEGER NOT NULL,
    education_etag TEXT NOT NULL, education_start INTEGER NOT NULL, education_length INTEGER NOT NULL,
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
  `
  -- Which version of the compiler makes the documents, and up to which user it has: NULL is all of them.
  CREATE TABLE compilation (compiler INTEGER NOT NULL, through INTEGER) STRICT;
  INSERT INTO compilation VALUES (0, 0);

  -- Where links lead, some in a row, for trees of which reading all links for one click would take long.
  CREATE TABLE link_targets (
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    tree_id TEXT NOT NULL,
    first_id TEXT NOT NULL,
    targets TEXT NOT NULL,
    PRIMARY KEY (user_number, tree_id, first_id)
  ) STRICT, WITHOUT ROWID;

  -- The servers that run on the database, so that each can tell whether it is alone. Times are in milliseconds.
  CREATE TABLE instances (
    id TEXT NOT NULL PRIMARY KEY,
    started INTEGER NOT NULL,
    seen INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- What a key sees, and the paths that it is confined to, joined by commas: NULL is all of them.
  ALTER TABLE keys ADD COLUMN view TEXT NOT NULL DEFAULT 'full';
  ALTER TABLE keys ADD COLUMN paths TEXT;
  CREATE INDEX keys_by_expiry ON keys (expires_at) WHERE expires_at IS NOT NULL;

  -- The documents of keys that see the public view. They lie apart, so that such a key reads from a table in which
  -- nothing is private.
  CREATE TABLE public_documents (
    user_number INTEGER PRIMARY KEY REFERENCES users (number) ON DELETE CASCADE,
    full_etag TEXT NOT NULL,
    links_etag TEXT NOT NULL,
    links BLOB NOT NULL,
    resume_etag TEXT NOT NULL,
    resume BLOB NOT NULL,
    linktrees_etag TEXT NOT NULL, linktrees_start INTEGER NOT NULL, linktrees_length INTEGER NOT NULL,
    jobs_etag TEXT NOT NULL, jobs_start INTEGER NOT NULL, jobs_length INTEGER NOT NULL,
    projects_etag TEXT NOT NULL, projects_start INTEGER NOT NULL, projects_length INTEGER NOT NULL,
    education_etag TEXT NOT NULL, education_start INTEGER NOT NULL, education_length INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  -- Where the same bytes begin in the public body: NULL where that does not have the tree.
  ALTER TABLE link_trees ADD COLUMN public_start INTEGER;

  -- Where an owner wants changes to be announced. The URL and the headers are secrets as well.
  CREATE TABLE hooks (
    id TEXT NOT NULL PRIMARY KEY,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    url TEXT NOT NULL,
    headers TEXT NOT NULL, -- pairs of name and value, as JSON
    body TEXT,
    secret TEXT,
    events TEXT NOT NULL, -- separated by commas
    created_at INTEGER NOT NULL,
    failing_since INTEGER,
    disabled_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX hooks_by_user ON hooks (user_number);

  -- The outbox: who has changed, what of the record (names, as JSON), and since when that is to be announced.
  CREATE TABLE changes (
    user_number INTEGER PRIMARY KEY REFERENCES users (number) ON DELETE CASCADE,
    noted_at INTEGER NOT NULL,
    changed TEXT NOT NULL
  ) STRICT;

  -- What is to be sent, and what became of it. A try moves the time of the next one, and so holds the delivery.
  CREATE TABLE deliveries (
    id TEXT NOT NULL PRIMARY KEY,
    hook_id TEXT NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    event TEXT NOT NULL,
    subject TEXT, -- what is announced only once
    details TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    ended_at INTEGER,
    status INTEGER,
    fault TEXT,
    UNIQUE (hook_id, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_by_hook ON deliveries (hook_id, created_at);
  CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'waiting';

  -- The JSON Resume of a user: NULL until the documents are compiled anew.
  ALTER TABLE documents ADD COLUMN resume_etag TEXT;
  ALTER TABLE documents ADD COLUMN resume BLOB;
  -- Versions of records that were replaced, compressed (zstd), and how the version after each came to be. New rows lie
  -- one after the other, whoever they belong to, so that an import writes few pages for them.
  CREATE TABLE history (
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    replaced_at INTEGER NOT NULL,
    way TEXT NOT NULL,
    record BLOB NOT NULL,
    UNIQUE (user_number, version)
  ) STRICT;

  -- Pictures of owners, by the hash of their bytes. Two owners may have the same.
  CREATE TABLE pictures (
    hash TEXT NOT NULL,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    type TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (hash, user_number)
  ) STRICT;
  CREATE INDEX pictures_by_user ON pictures (user_number);

  -- Who is in the studio. No user is the operator. Of all secrets only the hash is stored.
  CREATE TABLE sessions (
    hash BLOB NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_number INTEGER REFERENCES users (number) ON DELETE CASCADE,
    way TEXT NOT NULL,
    device TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_user ON sessions (user_number);

  -- What lets somebody in once: links, invitations, and the questions asked while somebody signs in.
  CREATE TABLE tickets (
    hash BLOB NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    user_number INTEGER REFERENCES users (number) ON DELETE CASCADE,
    data TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tickets_by_user ON tickets (user_number);

  CREATE TABLE passkeys (
    id TEXT NOT NULL PRIMARY KEY,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    name TEXT NOT NULL,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    transports TEXT NOT NULL, -- separated by commas
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX passkeys_by_user ON passkeys (user_number);

  -- Whom an OpenID provider means by a subject.
  CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX identities_by_user ON identities (user_number, issuer);

  -- How a page opens: its language and direction.
  ALTER TABLE pages ADD COLUMN opening TEXT NOT NULL DEFAULT '<!doctype html><html lang="en" dir="ltr">';

  -- Slugs that were given up, as the beginning of a path, and what they led to. They lead there until somebody else
  -- has a page of the name; of several who gave one up, the last counts.
  CREATE TABLE former_slugs (
    path TEXT NOT NULL,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    tree_id TEXT NOT NULL, -- empty for a profile
    replaced_at INTEGER NOT NULL,
    PRIMARY KEY (path, user_number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX former_slugs_by_user ON former_slugs (user_number);

  -- The public page of a profile, and its card for address books. Who the slug belongs to, the users say.
  CREATE TABLE profile_pages (
    user_number INTEGER PRIMARY KEY REFERENCES users (number) ON DELETE CASCADE,
    etag TEXT NOT NULL,
    picture_origin TEXT NOT NULL,
    opening TEXT NOT NULL,
    scene TEXT NOT NULL,
    card BLOB NOT NULL,
    html BLOB NOT NULL
  ) STRICT;

  -- What the preview picture of a page shows, and the pictures that somebody has asked for, each with what it shows.
  ALTER TABLE pages ADD COLUMN scene TEXT NOT NULL DEFAULT '';
  CREATE TABLE previews (
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    tree_id TEXT NOT NULL, -- empty for a profile
    scene TEXT NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (user_number, tree_id)
  ) STRICT;
  `,
  `
  -- Records are kept compressed (zstd). One that is still a text becomes that when its documents are compiled anew.
  ALTER TABLE users ADD COLUMN packed_record BLOB;
  ALTER TABLE users ADD COLUMN updated_at TEXT; -- as the record has it

  -- The answers of the API, compressed once, when the record is saved. The body is a gzip stream; where the streams of
  -- the other answers lie in it, and what they are as texts, the numbers say. It comes last: what stands behind a long
  -- value is found only by walking through it.
  CREATE TABLE answers (
    user_number INTEGER PRIMARY KEY REFERENCES users (number) ON DELETE CASCADE,
    full_etag TEXT NOT NULL,
    links_etag TEXT NOT NULL,
    links BLOB NOT NULL,
    linktrees_etag TEXT NOT NULL, linktrees_start INTEGER NOT NULL, linktrees_size INTEGER NOT NULL,
    linktrees_length INTEGER NOT NULL, linktrees_checksum INTEGER NOT NULL,
    jobs_etag TEXT NOT NULL, jobs_start INTEGER NOT NULL, jobs_size INTEGER NOT NULL,
    jobs_length INTEGER NOT NULL, jobs_checksum INTEGER NOT NULL,
    projects_etag TEXT NOT NULL, projects_start INTEGER NOT NULL, projects_size INTEGER NOT NULL,
    projects_length INTEGER NOT NULL, projects_checksum INTEGER NOT NULL,
    education_etag TEXT NOT NULL, education_start INTEGER NOT NULL, education_size INTEGER NOT NULL,
    education_length INTEGER NOT NULL, education_checksum INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;

  -- The same for the public view: the body has what is its own, and before its trailer belongs what the two share. The
  -- addresses are NULL where they are the same.
  CREATE TABLE public_answers (
    user_number INTEGER PRIMARY KEY REFERENCES users (number) ON DELETE CASCADE,
    has_profile_page INTEGER NOT NULL,
    full_etag TEXT NOT NULL,
    links_etag TEXT NOT NULL,
    links BLOB,
    shared_start INTEGER NOT NULL,
    shared_size INTEGER NOT NULL,
    linktrees_etag TEXT NOT NULL, linktrees_start INTEGER NOT NULL, linktrees_size INTEGER NOT NULL,
    linktrees_length INTEGER NOT NULL, linktrees_checksum INTEGER NOT NULL,
    jobs_etag TEXT NOT NULL, jobs_start INTEGER NOT NULL, jobs_size INTEGER NOT NULL,
    jobs_length INTEGER NOT NULL, jobs_checksum INTEGER NOT NULL,
    projects_etag TEXT NOT NULL, projects_start INTEGER NOT NULL, projects_size INTEGER NOT NULL,
    projects_length INTEGER NOT NULL, projects_checksum INTEGER NOT NULL,
    education_etag TEXT NOT NULL, education_start INTEGER NOT NULL, education_size INTEGER NOT NULL,
    education_length INTEGER NOT NULL, education_checksum INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX public_profiles ON public_answers (user_number) WHERE has_profile_page = 1;

  -- Where the streams of link trees lie: NULL until the documents are compiled anew.
  CREATE TABLE trees (
    slug TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    etag TEXT,
    start INTEGER,
    public_start INTEGER, -- in the body of the public view: NULL where that does not have the tree
    size INTEGER,
    length INTEGER,
    checksum INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trees_by_user ON trees (user_number);
  INSERT INTO trees (slug, id, user_number) SELECT slug, id, user_number FROM link_trees;

  -- What is made of a record when somebody first asks for it: pages, cards, résumés. All of a user's go with a save, and
  -- what another version has made counts as not there.
  CREATE TABLE renditions (
    user_number INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    tree_id TEXT NOT NULL, -- empty for all but the page of a tree
    version INTEGER NOT NULL,
    etag TEXT NOT NULL,
    picture_origin TEXT NOT NULL,
    opening TEXT NOT NULL,
    scene TEXT NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (user_number, kind, tree_id)
  ) STRICT;

  -- Servers of an older Vitrine may still read what they have stored. Once none of them runs, \`vitrine migrate\` removes
  -- those tables: documents, public_documents, link_trees, pages and profile_pages. Both read link_targets.
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export function schemaVersionOf(database: Database): SchemaVersion {
  return { found: pragma(database, "user_version"), expected: SCHEMA_VERSION };
}

export function compilationOf(database: Database): Compilation {
  const row = database.query<Compilation, []>("SELECT compiler, through FROM compilation").get();
  return row ?? { compiler: 0, through: 0 };
}

function pragma(database: Database, name: string): number {
  const row = database.query<Record<string, number>, []>(`PRAGMA ${name}`).get();
  return row?.[name] ?? 0;
}

/**
 * Makes the schema, or brings it up to date, in one transaction. Processes that start together wait for the one that
 * has the lock. Returns the version that was found.
 */
export function migrate(database: Database, name: string): number {
  return writingAtOnce(database, () => {
    const version = schemaVersionOf(database);
    const { found, expected } = version;
    if (found > expected) throw new OtherSchema(name, version);
    for (const migration of MIGRATIONS.slice(found)) database.run(migration);
    if (found === 0) {
      removeLeftovers(database);
      database.run(`UPDATE compilation SET compiler = ${COMPILER_VERSION}, through = NULL`);
    }
    if (found < expected) {
      database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      database.run(`PRAGMA user_version = ${expected}`);
    }
    return found;
  });
}

/** Removes what only servers of an older Vitrine read. False where there is nothing of the kind. */
export function removeLeftovers(database: Database): boolean {
  const hasTable = database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  const found = LEFTOVERS.filter((table) => hasTable.get(table));
  for (const table of found) database.run(`DROP TABLE ${table}`);
  return found.length > 0;
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
      throw new StoreUnavailable("the file is a database of another program, not of Vitrine", {
        fault: "foreign",
      });
    }
  })();
}
