import { VIEWS, type View } from "../../contract/access.ts";
import type { PageKind } from "../../contract/routes.ts";
import { RESUME_KINDS } from "../../documents/rendition-kinds.ts";
import { RENDITION_VERSION } from "../../documents/version.ts";
import type { Log } from "../../logging/log.ts";
import {
  bodyOf,
  type Dialect,
  documentColumns,
  documentTables,
  MAY_HAVE_PAGE,
  MAY_HAVE_PROFILE_PAGE,
  TREE_STARTS,
} from "../document-columns.ts";
import { PUT_AWAY } from "../kept-pictures.ts";
import type { PostgresLocation } from "../location.ts";
import type { KeyedDocument, StoredPicture } from "../reader.ts";
import {
  type FoundBody,
  type FoundLinkTree,
  type FoundPreview,
  type FoundRecord,
  type FoundRendition,
  type FoundTargets,
  type ProfileRendition,
  STORED_KINDS,
  type StoredKind,
  type StoredReader,
} from "../stored-reader.ts";
import { type RecordRow, recordTextOf } from "../stored-record.ts";
import { ReadPool } from "./read-pool.ts";
import { findable } from "./statement.ts";

/** As double precision, which is exact for all numbers and instants here, and which arrives as a number. */
const KEY_COLUMNS = `
  keys.id AS "keyId", keys.user_id AS "userId", keys.user_number::float8 AS "userNumber",
  keys.expires_at::float8 AS "expiresAt", keys.revoked_at::float8 AS "revokedAt",
  keys.last_used_at::float8 AS "lastUsedAt", keys.paths`;

const DIALECT: Dialect = { bytes: (joined) => `(${joined})`, number: (column) => `${column}::float8` };

/** What keys of one view read. */
function statementsOf(view: View) {
  const documents = documentTables(view, "vitrine.", "keys.user_number");
  const ofKey = `WHERE keys.hash = $1 AND keys.view = '${view}'`;
  const start = `trees.${TREE_STARTS[view]}`;
  return {
    documents: Object.fromEntries(
      STORED_KINDS.map((kind) => [
        kind,
        `SELECT ${KEY_COLUMNS}, ${documentColumns(kind, view, DIALECT)}
        FROM vitrine.keys ${documents} ${ofKey}`,
      ]),
    ) as Record<StoredKind, string>,
    resume: `
      SELECT ${KEY_COLUMNS}, renditions.etag, renditions.body, NULL AS length, NULL AS checksum
      FROM vitrine.keys ${rendition(RESUME_KINDS[view], "keys.user_number", "''")} ${ofKey}`,
    linkTree: `
      SELECT ${KEY_COLUMNS}, answers.full_etag IS NOT NULL AS "isCompiled", trees.etag AS etag,
        substr(${bodyOf(view, DIALECT)}, ${start} + 1, trees.size) AS body, trees.length,
        trees.checksum::float8 AS checksum
      FROM vitrine.keys ${documents}
      LEFT JOIN vitrine.trees
        ON trees.slug = $2 AND trees.user_number = keys.user_number AND ${start} IS NOT NULL
      ${ofKey}`,
  };
}

/** What joins a rendition, by what it is of. */
function rendition(kind: string, userNumber: string, treeId: string): string {
  return `LEFT JOIN vitrine.renditions
    ON renditions.user_number = ${userNumber} AND renditions.kind = '${kind}' AND renditions.tree_id = ${treeId}
    AND renditions.version = ${RENDITION_VERSION}`;
}

const BY_VIEW = Object.fromEntries(VIEWS.map((view) => [view, statementsOf(view)])) as Record<
  View,
  ReturnType<typeof statementsOf>
>;

const TAG = `renditions.etag, renditions.picture_origin AS "pictureOrigin"`;
const BODY = `${TAG}, renditions.opening, renditions.scene, renditions.body`;
const PAGE_OWNER = `trees.user_number::float8 AS "userNumber", trees.id AS "treeId"`;
const PROFILE_OWNER = `users.number::float8 AS "userNumber", '' AS "treeId"`;

const OF_PAGE = `FROM vitrine.trees ${rendition("page", "trees.user_number", "trees.id")}
  WHERE trees.slug = $1 AND ${MAY_HAVE_PAGE}`;

function ofProfile(kind: ProfileRendition): string {
  return `FROM vitrine.users
    LEFT JOIN vitrine.public_answers AS shown ON shown.user_number = users.number
    ${rendition(kind, "shown.user_number", "''")} WHERE users.profile_slug = $1 AND ${MAY_HAVE_PROFILE_PAGE}`;
}

const PAGE = `SELECT ${PAGE_OWNER}, ${BODY} ${OF_PAGE}`;
const PAGE_TAG = `SELECT ${PAGE_OWNER}, ${TAG} ${OF_PAGE}`;

const PROFILES: Readonly<Record<ProfileRendition, string>> = {
  profile: `SELECT ${PROFILE_OWNER}, ${BODY} ${ofProfile("profile")}`,
  card: `SELECT ${PROFILE_OWNER}, ${BODY} ${ofProfile("card")}`,
  "public resume": `SELECT ${PROFILE_OWNER}, ${BODY} ${ofProfile("public resume")}`,
};
const PROFILE_TAG = `SELECT ${PROFILE_OWNER}, ${TAG} ${ofProfile("profile")}`;

/** Of very many links, the chunk is found in which the id would be. */
const TARGETS = `
  SELECT ${PAGE_OWNER}, chunk.targets,
    CASE WHEN chunk.targets IS NULL THEN substr(answers.body, trees.start + 1, trees.size) END AS body,
    trees.length, trees.checksum::float8
  FROM vitrine.trees LEFT JOIN vitrine.answers ON answers.user_number = trees.user_number
  LEFT JOIN LATERAL (
    SELECT targets FROM vitrine.link_targets
    WHERE user_number = trees.user_number AND tree_id = trees.id AND first_id <= $2
    ORDER BY first_id DESC LIMIT 1
  ) AS chunk ON true
  WHERE trees.slug = $1 AND ${MAY_HAVE_PAGE}`;

const MOVED_PAGES = {
  t: `
    SELECT trees.slug FROM vitrine.former_slugs AS former
    JOIN vitrine.trees ON trees.user_number = former.user_number AND trees.id = former.tree_id
      AND ${MAY_HAVE_PAGE}
    WHERE former.path = 't/' || $1::text ORDER BY replaced_at DESC LIMIT 1`,
  p: `
    SELECT users.profile_slug AS slug FROM vitrine.former_slugs AS former
    JOIN vitrine.users ON users.number = former.user_number
    LEFT JOIN vitrine.public_answers AS shown ON shown.user_number = users.number
    WHERE former.path = 'p/' || $1::text AND ${MAY_HAVE_PROFILE_PAGE} ORDER BY replaced_at DESC LIMIT 1`,
} as const;

const ONLY_PROFILE = `
  SELECT min(profile_slug) AS slug FROM (
    SELECT users.profile_slug FROM vitrine.public_answers AS shown
    JOIN vitrine.users ON users.number = shown.user_number WHERE shown.has_profile_page LIMIT 2
  ) AS found HAVING count(*) = 1`;

const PREVIEWS: Readonly<Record<PageKind, string>> = {
  t: `
    SELECT ${PAGE_OWNER}, renditions.scene, previews.scene AS "drawnScene", previews.bytes
    FROM vitrine.trees ${rendition("page", "trees.user_number", "trees.id")}
    LEFT JOIN vitrine.previews ON previews.user_number = trees.user_number AND previews.tree_id = trees.id
    WHERE trees.slug = $1 AND ${MAY_HAVE_PAGE}`,
  p: `
    SELECT ${PROFILE_OWNER}, renditions.scene, previews.scene AS "drawnScene", previews.bytes
    FROM vitrine.users LEFT JOIN vitrine.public_answers AS shown ON shown.user_number = users.number
    ${rendition("profile", "users.number", "''")}
    LEFT JOIN vitrine.previews ON previews.user_number = users.number AND previews.tree_id = ''
    WHERE users.profile_slug = $1 AND ${MAY_HAVE_PROFILE_PAGE}`,
};

const RECORD = `
  SELECT users.id, users.email, users.record, users.packed_record AS "packedRecord", answers.full_etag AS etag
  FROM vitrine.users LEFT JOIN vitrine.answers ON answers.user_number = users.number
  WHERE users.number = $1::float8::bigint`;

const PICTURE = `
  SELECT type, bytes FROM vitrine.pictures WHERE hash = $1 AND created_at <> ${PUT_AWAY} LIMIT 1`;

/** A row on each way that requests take. */
const PING = `
  SELECT (SELECT 1 FROM vitrine.keys LIMIT 1), (SELECT 1 FROM vitrine.answers LIMIT 1),
    (SELECT 1 FROM vitrine.public_answers LIMIT 1), (SELECT 1 FROM vitrine.trees LIMIT 1),
    (SELECT 1 FROM vitrine.renditions LIMIT 1)`;

/** A copy of a server has its number, and its databases have theirs. A server that was promoted is no standby. */
const STANDING = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid AS database,
    extract(epoch FROM pg_postmaster_start_time())::text AS started, pg_is_in_recovery() AS "isStandby",
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END::text AS position
  FROM pg_database WHERE datname = current_database()`;

const HAS_REPLAYED = "SELECT coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false) AS done";

/** Which database it is, of which run of its server, and how far it has come. */
interface Standing {
  readonly database: string;
  readonly started: string;
  readonly isStandby: boolean;
  readonly position: string;
}

/**
 * Reads what is stored, each with one prepared statement: Bun prepares a text once on every connection, and
 * sends what is asked at the same time together.
 */
export class PostgresReader implements StoredReader {
  readonly isRemote = true;
  readonly #pool: ReadPool;

  private constructor(pool: ReadPool) {
    this.#pool = pool;
  }

  static async open(location: PostgresLocation, connections: number, log?: Log): Promise<PostgresReader> {
    return new PostgresReader(await ReadPool.open(location, connections, log));
  }

  readDocument(keyHash: Uint8Array, kind: StoredKind, view: View): Promise<KeyedDocument | null> {
    return this.#pool.read("a document", BY_VIEW[view].documents[kind], [keyHash]);
  }

  readResume(keyHash: Uint8Array, view: View): Promise<KeyedDocument | null> {
    return this.#pool.read("a document", BY_VIEW[view].resume, [keyHash]);
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): Promise<FoundLinkTree | null> {
    return this.#pool.read("a link tree", BY_VIEW[view].linkTree, [keyHash, findable(slug)]);
  }

  readPage(slug: string): Promise<FoundBody | null> {
    return this.#pool.read("a page", PAGE, [findable(slug)]);
  }

  readPageTag(slug: string): Promise<FoundRendition | null> {
    return this.#pool.read("a page", PAGE_TAG, [findable(slug)]);
  }

  readTargets(slug: string, linkId: string): Promise<FoundTargets | null> {
    return this.#pool.read("a link", TARGETS, [findable(slug), findable(linkId)]);
  }

  readProfile(slug: string, kind: ProfileRendition): Promise<FoundBody | null> {
    return this.#pool.read("a profile", PROFILES[kind], [findable(slug)]);
  }

  readProfileTag(slug: string): Promise<FoundRendition | null> {
    return this.#pool.read("a profile", PROFILE_TAG, [findable(slug)]);
  }

  async readMovedPage(kind: PageKind, slug: string): Promise<string | null> {
    const found = await this.#pool.read<{ slug: string }>("a page", MOVED_PAGES[kind], [findable(slug)]);
    return found?.slug ?? null;
  }

  async readOnlyProfile(): Promise<string | null> {
    const found = await this.#pool.read<{ slug: string }>("a profile", ONLY_PROFILE, []);
    return found?.slug ?? null;
  }

  readPreview(kind: PageKind, slug: string): Promise<FoundPreview | null> {
    return this.#pool.read("a preview", PREVIEWS[kind], [findable(slug)]);
  }

  readPicture(hash: string): Promise<StoredPicture | null> {
    return this.#pool.read("a picture", PICTURE, [findable(hash)]);
  }

  async readRecord(userNumber: number): Promise<FoundRecord | null> {
    type Row = RecordRow & { readonly etag: string | null };
    const row = await this.#pool.read<Row>("a record", RECORD, [userNumber]);
    return row && recordTextOf(row);
  }

  async ping(): Promise<void> {
    await this.#pool.read("the database", PING, []);
  }

  standing(): Promise<Standing | null> {
    return this.#pool.read("the standing", STANDING, []);
  }

  /** Whether a standby has come so far. */
  async hasReplayed(position: string): Promise<boolean> {
    const row = await this.#pool.read<{ done: boolean }>("the position", HAS_REPLAYED, [position]);
    return row?.done === true;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
