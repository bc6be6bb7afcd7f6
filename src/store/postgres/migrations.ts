import type { SQL } from "bun";
import { COMPILER_VERSION } from "../../documents/version.ts";
import { LEFTOVERS } from "../leftovers.ts";
import type { Compilation } from "../save/compilation.ts";
import { OtherSchema, type SchemaVersion, StoreUnavailable } from "../unavailable.ts";
import { ADVISORY_LOCKS, BOUND_LOCK_WAIT } from "./connection.ts";

/** All of Vitrine's tables are in a schema of their own, so that it can share a database with other programs. */
const SCHEMA = "vitrine";

/**
 * Each entry takes the schema from its index to the next version. Entries are only ever added. An entry is a plain
 * text, which nothing of today's code goes into: it must make tomorrow what it made on its day. What is looked up or
 * put in order is compared byte by byte (COLLATE "C"), as SQLite and JavaScript do it.
 */
export const MIGRATIONS: readonly string[] = [
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
    linktrees_start int NOT NULL, linktrees_length int NOT NULL,
    jobs_start int NOT NULL, jobs_length int NOT NULL,
    projects_start int NOT NULL, projects_length int NOT NULL,
    education_start int NOT NULL, education_length int NOT NULL,
    full_etag text NOT NULL,
    links_etag text NOT NULL,
    linktrees_etag text NOT NULL,
    jobs_etag text NOT NULL,
    projects_etag text NOT NULL,
    education_etag text NOT NULL,
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
  `
  -- Which version of the compiler makes the documents, and up to which user it has: NULL is all of them.
  CREATE TABLE vitrine.compilation (compiler int NOT NULL, through bigint);
  INSERT INTO vitrine.compilation VALUES (0, 0);

  -- Where links lead, some in a row, for trees of which reading all links for one click would take long.
  CREATE TABLE vitrine.link_targets (
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    tree_id text COLLATE "C" NOT NULL,
    first_id text COLLATE "C" NOT NULL,
    targets text NOT NULL,
    PRIMARY KEY (user_number, tree_id, first_id)
  );

  -- The servers that run on the database, so that each can tell whether it is alone. Times are in milliseconds.
  CREATE TABLE vitrine.instances (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    started bigint NOT NULL,
    seen bigint NOT NULL
  );

  -- What a key sees, and the paths that it is confined to, joined by commas: NULL is all of them.
  ALTER TABLE vitrine.keys ADD COLUMN view text NOT NULL DEFAULT 'full', ADD COLUMN paths text;
  CREATE INDEX keys_by_expiry ON vitrine.keys (expires_at) WHERE expires_at IS NOT NULL;

  -- The documents of keys that see the public view. They lie apart, so that such a key reads from a table in which
  -- nothing is private.
  CREATE TABLE vitrine.public_documents (
    user_number bigint PRIMARY KEY REFERENCES vitrine.users ON DELETE CASCADE,
    linktrees_start int NOT NULL, linktrees_length int NOT NULL,
    jobs_start int NOT NULL, jobs_length int NOT NULL,
    projects_start int NOT NULL, projects_length int NOT NULL,
    education_start int NOT NULL, education_length int NOT NULL,
    full_etag text NOT NULL,
    links_etag text NOT NULL,
    resume_etag text NOT NULL,
    linktrees_etag text NOT NULL,
    jobs_etag text NOT NULL,
    projects_etag text NOT NULL,
    education_etag text NOT NULL,
    links bytea NOT NULL,
    resume bytea NOT NULL,
    body bytea NOT NULL
  ) WITH (toast_tuple_target = 8160);
  ALTER TABLE vitrine.public_documents
    ALTER body SET STORAGE EXTERNAL, ALTER links SET STORAGE EXTERNAL, ALTER resume SET STORAGE EXTERNAL;
  -- Where the same bytes begin in the public body: NULL where that does not have the tree.
  ALTER TABLE vitrine.link_trees ADD COLUMN public_start int;

  -- Where an owner wants changes to be announced. The URL and the headers are secrets as well.
  CREATE TABLE vitrine.hooks (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    url text NOT NULL,
    headers text NOT NULL, -- pairs of name and value, as JSON
    body text,
    secret text,
    events text NOT NULL, -- separated by commas
    created_at bigint NOT NULL,
    failing_since bigint,
    disabled_at bigint
  );
  CREATE INDEX hooks_by_user ON vitrine.hooks (user_number);

  -- The outbox: who has changed, what of the record (names, as JSON), and since when that is to be announced.
  CREATE TABLE vitrine.changes (
    user_number bigint PRIMARY KEY REFERENCES vitrine.users ON DELETE CASCADE,
    noted_at bigint NOT NULL,
    changed text NOT NULL
  );

  -- What is to be sent, and what became of it. A try moves the time of the next one, and so holds the delivery.
  CREATE TABLE vitrine.deliveries (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    hook_id text COLLATE "C" NOT NULL REFERENCES vitrine.hooks ON DELETE CASCADE,
    event text NOT NULL,
    subject text, -- what is announced only once
    details text NOT NULL,
    created_at bigint NOT NULL,
    state text NOT NULL,
    attempts int NOT NULL,
    due_at bigint NOT NULL,
    ended_at bigint,
    status int,
    fault text,
    UNIQUE (hook_id, subject)
  );
  CREATE INDEX deliveries_by_hook ON vitrine.deliveries (hook_id, created_at);
  CREATE INDEX deliveries_due ON vitrine.deliveries (due_at) WHERE state = 'waiting';

  -- The JSON Resume of a user: NULL until the documents are compiled anew.
  ALTER TABLE vitrine.documents ADD resume_etag text, ADD resume bytea;
  ALTER TABLE vitrine.documents ALTER resume SET STORAGE EXTERNAL;
  -- Versions of records that were replaced, compressed (zstd), and how the version after each came to be.
  CREATE TABLE vitrine.history (
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    version int NOT NULL,
    replaced_at bigint NOT NULL,
    way text NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (user_number, version)
  );
  ALTER TABLE vitrine.history ALTER record SET STORAGE EXTERNAL;

  -- Pictures of owners, by the hash of their bytes. Two owners may have the same.
  CREATE TABLE vitrine.pictures (
    hash text COLLATE "C" NOT NULL,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    type text NOT NULL,
    created_at bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (hash, user_number)
  );
  ALTER TABLE vitrine.pictures ALTER bytes SET STORAGE EXTERNAL;
  CREATE INDEX pictures_by_user ON vitrine.pictures (user_number);

  -- Who is in the studio. No user is the operator. Of all secrets only the hash is stored.
  CREATE TABLE vitrine.sessions (
    hash bytea NOT NULL PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    user_number bigint REFERENCES vitrine.users ON DELETE CASCADE,
    way text NOT NULL,
    device text NOT NULL,
    created_at bigint NOT NULL,
    seen_at bigint NOT NULL
  );
  CREATE INDEX sessions_by_user ON vitrine.sessions (user_number);

  -- What lets somebody in once: links, invitations, and the questions asked while somebody signs in.
  CREATE TABLE vitrine.tickets (
    hash bytea NOT NULL PRIMARY KEY,
    kind text NOT NULL,
    user_number bigint REFERENCES vitrine.users ON DELETE CASCADE,
    data text NOT NULL,
    expires_at bigint NOT NULL
  );
  CREATE INDEX tickets_by_user ON vitrine.tickets (user_number);

  CREATE TABLE vitrine.passkeys (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    name text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text NOT NULL, -- separated by commas
    created_at bigint NOT NULL,
    last_used_at bigint
  );
  CREATE INDEX passkeys_by_user ON vitrine.passkeys (user_number);

  -- Whom an OpenID provider means by a subject.
  CREATE TABLE vitrine.identities (
    issuer text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject)
  );
  CREATE UNIQUE INDEX identities_by_user ON vitrine.identities (user_number, issuer);

  -- How a page opens: its language and direction.
  ALTER TABLE vitrine.pages ADD opening text NOT NULL DEFAULT '<!doctype html><html lang="en" dir="ltr">';

  -- Slugs that were given up, as the beginning of a path, and what they led to. They lead there until somebody else
  -- has a page of the name; of several who gave one up, the last counts.
  CREATE TABLE vitrine.former_slugs (
    path text COLLATE "C" NOT NULL,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    tree_id text NOT NULL, -- empty for a profile
    replaced_at bigint NOT NULL,
    PRIMARY KEY (path, user_number)
  );
  CREATE INDEX former_slugs_by_user ON vitrine.former_slugs (user_number);

  -- The public page of a profile, and its card for address books. Who the slug belongs to, the users say.
  CREATE TABLE vitrine.profile_pages (
    user_number bigint PRIMARY KEY REFERENCES vitrine.users ON DELETE CASCADE,
    etag text NOT NULL,
    picture_origin text NOT NULL,
    opening text NOT NULL,
    scene text NOT NULL,
    card bytea NOT NULL,
    html bytea NOT NULL
  );
  ALTER TABLE vitrine.profile_pages SET (toast_tuple_target = 8160);
  ALTER TABLE vitrine.profile_pages ALTER card SET STORAGE EXTERNAL, ALTER html SET STORAGE EXTERNAL;

  -- What the preview picture of a page shows, and the pictures that somebody has asked for, each with what it shows.
  ALTER TABLE vitrine.pages ADD scene text NOT NULL DEFAULT '';
  CREATE TABLE vitrine.previews (
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    tree_id text COLLATE "C" NOT NULL, -- empty for a profile
    scene text NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (user_number, tree_id)
  );
  ALTER TABLE vitrine.previews ALTER bytes SET STORAGE EXTERNAL;
  `,
  `
  -- The answers of the API, compressed once, when the record is saved. The body is a gzip stream; where the streams of
  -- the other answers lie in it, and what they are as texts, the numbers say. A body that fits a page lies in the row.
  CREATE TABLE vitrine.answers (
    user_number bigint PRIMARY KEY REFERENCES vitrine.users ON DELETE CASCADE,
    linktrees_start int NOT NULL, linktrees_size int NOT NULL, linktrees_length int NOT NULL, linktrees_checksum bigint NOT NULL,
    jobs_start int NOT NULL, jobs_size int NOT NULL, jobs_length int NOT NULL, jobs_checksum bigint NOT NULL,
    projects_start int NOT NULL, projects_size int NOT NULL, projects_length int NOT NULL, projects_checksum bigint NOT NULL,
    education_start int NOT NULL, education_size int NOT NULL, education_length int NOT NULL, education_checksum bigint NOT NULL,
    full_etag text NOT NULL,
    links_etag text NOT NULL,
    linktrees_etag text NOT NULL,
    jobs_etag text NOT NULL,
    projects_etag text NOT NULL,
    education_etag text NOT NULL,
    links bytea NOT NULL,
    body bytea NOT NULL
  ) WITH (toast_tuple_target = 8160);
  ALTER TABLE vitrine.answers ALTER body SET STORAGE EXTERNAL, ALTER links SET STORAGE EXTERNAL;

  -- The same for the public view: the body has what is its own, and before its trailer belongs what the two share. The
  -- addresses are NULL where they are the same.
  CREATE TABLE vitrine.public_answers (
    user_number bigint PRIMARY KEY REFERENCES vitrine.users ON DELETE CASCADE,
    has_profile_page boolean NOT NULL,
    shared_start int NOT NULL,
    shared_size int NOT NULL,
    linktrees_start int NOT NULL, linktrees_size int NOT NULL, linktrees_length int NOT NULL, linktrees_checksum bigint NOT NULL,
    jobs_start int NOT NULL, jobs_size int NOT NULL, jobs_length int NOT NULL, jobs_checksum bigint NOT NULL,
    projects_start int NOT NULL, projects_size int NOT NULL, projects_length int NOT NULL, projects_checksum bigint NOT NULL,
    education_start int NOT NULL, education_size int NOT NULL, education_length int NOT NULL, education_checksum bigint NOT NULL,
    full_etag text NOT NULL,
    links_etag text NOT NULL,
    linktrees_etag text NOT NULL,
    jobs_etag text NOT NULL,
    projects_etag text NOT NULL,
    education_etag text NOT NULL,
    links bytea,
    body bytea NOT NULL
  ) WITH (toast_tuple_target = 8160);
  ALTER TABLE vitrine.public_answers ALTER body SET STORAGE EXTERNAL, ALTER links SET STORAGE EXTERNAL;
  CREATE INDEX public_profiles ON vitrine.public_answers (user_number) WHERE has_profile_page;

  -- Where the streams of link trees lie: NULL until the documents are compiled anew.
  CREATE TABLE vitrine.trees (
    slug text COLLATE "C" NOT NULL PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    start int,
    public_start int, -- in the body of the public view: NULL where that does not have the tree
    size int,
    length int,
    checksum bigint,
    etag text
  );
  CREATE INDEX trees_by_user ON vitrine.trees (user_number);
  INSERT INTO vitrine.trees (slug, id, user_number) SELECT slug, id, user_number FROM vitrine.link_trees;

  -- What is made of a record when somebody first asks for it: pages, cards, résumés. All of a user's go with a save, and
  -- what another version has made counts as not there.
  CREATE TABLE vitrine.renditions (
    user_number bigint NOT NULL REFERENCES vitrine.users ON DELETE CASCADE,
    version int NOT NULL,
    kind text COLLATE "C" NOT NULL,
    tree_id text COLLATE "C" NOT NULL, -- empty for all but the page of a tree
    etag text NOT NULL,
    picture_origin text NOT NULL,
    opening text NOT NULL,
    scene text NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (user_number, kind, tree_id)
  ) WITH (toast_tuple_target = 8160);
  ALTER TABLE vitrine.renditions ALTER body SET STORAGE EXTERNAL;

  -- Servers of an older Vitrine may still read what they have stored. Once none of them runs, \`vitrine migrate\` removes
  -- those tables: documents, public_documents, link_trees, pages and profile_pages. Both read link_targets.

  -- Records are kept compressed (zstd). One that is still a text becomes that when its documents are compiled anew. This
  -- comes last, since nobody can read users until it is committed.
  ALTER TABLE vitrine.users ADD packed_record bytea, ADD updated_at text; -- as the record has it
  ALTER TABLE vitrine.users ALTER packed_record SET STORAGE EXTERNAL;
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export const DROP_LEFTOVERS = `DROP TABLE IF EXISTS ${LEFTOVERS.map((name) => `vitrine.${name}`)}`;

/**
 * 0 where there is no schema of Vitrine's yet. The catalogue is read as a table: `to_regclass` may remember what it
 * found before the lock was waited for.
 */
export async function schemaVersionOf(sql: SQL): Promise<SchemaVersion> {
  const [table] = await sql.unsafe(`
    SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = '${SCHEMA}' AND relname = 'schema_version'`);
  if (!table) return { found: 0, expected: SCHEMA_VERSION };
  const [row] = await sql.unsafe(`SELECT version FROM ${SCHEMA}.schema_version`);
  return { found: row.version, expected: SCHEMA_VERSION };
}

export async function compilationOf(sql: SQL): Promise<Compilation> {
  const [row] = await sql.unsafe<Compilation[]>(
    `SELECT compiler, through::float8 FROM ${SCHEMA}.compilation`,
  );
  return row ?? { compiler: 0, through: 0 };
}

/**
 * Makes the schema in one transaction, or brings it up to date in one for each version: what a version locks must not
 * wait for what the next one copies. Processes that start together wait for the one that has the lock. Returns the
 * version that was found first.
 */
export async function migrate(sql: SQL, name: string): Promise<number> {
  const first = await migrateOnce(sql, name);
  for (let found = first; found < SCHEMA_VERSION; ) found = await migrateOnce(sql, name);
  return first;
}

/** Makes the schema, or brings it to the next version. Returns the version that was found. */
function migrateOnce(sql: SQL, name: string): Promise<number> {
  return sql.begin(async (inside) => {
    await inside.unsafe(`SELECT ${BOUND_LOCK_WAIT}, pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`);
    const version = await schemaVersionOf(inside);
    const { found, expected } = version;
    if (found > expected) throw new OtherSchema(name, version);
    if (found === expected) return found;
    const next = found === 0 ? expected : found + 1;
    if (found === 0) await makeSchema(inside);
    for (const migration of MIGRATIONS.slice(found, next)) await inside.unsafe(migration).simple();
    if (found === 0) {
      await inside.unsafe(DROP_LEFTOVERS);
      await inside.unsafe(`UPDATE ${SCHEMA}.compilation SET compiler = ${COMPILER_VERSION}, through = NULL`);
    }
    await inside.unsafe(`UPDATE ${SCHEMA}.schema_version SET version = ${next}`);
    return found;
  }) as Promise<number>;
}

async function makeSchema(sql: SQL): Promise<void> {
  const [found] = await sql.unsafe(`
    SELECT current_setting('server_encoding') AS encoding,
      EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') AS "isThere",
      EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = '${SCHEMA}') AS "isUsed"`);
  if (found.encoding !== "UTF8")
    throw new StoreUnavailable(`the database has the encoding ${found.encoding}, and Vitrine needs UTF8`, {
      fault: "encoding",
    });
  if (found.isUsed)
    throw new StoreUnavailable(
      `the schema ${SCHEMA} of the database holds tables of another program, not of Vitrine`,
      { fault: "foreign" },
    );
  // One that an administrator has made for Vitrine is taken as it is: making it may not be allowed.
  if (!found.isThere) await sql.unsafe(`CREATE SCHEMA ${SCHEMA}`);
  await sql.unsafe(`CREATE TABLE ${SCHEMA}.schema_version (version int NOT NULL)`);
  await sql.unsafe(`INSERT INTO ${SCHEMA}.schema_version VALUES (0)`);
}
