import { VIEWS, type View } from "../../contract/access.ts";
import { DOCUMENT_KINDS, type DocumentKind, type PageKind } from "../../contract/routes.ts";
import type { Log } from "../../logging/log.ts";
import { DOCUMENT_TABLES, documentColumns, TREE_STARTS } from "../document-columns.ts";
import type { PostgresLocation } from "../location.ts";
import type {
  DocumentReader,
  KeyedDocument,
  PageTag,
  ProfileFile,
  StoredFile,
  StoredLink,
  StoredPage,
  StoredPicture,
  StoredPreview,
  StoredProfilePage,
} from "../reader.ts";
import { ReadPool } from "./read-pool.ts";
import { findable } from "./statement.ts";

/** As double precision, which is exact for all numbers and instants here, and which arrives as a number. */
const KEY_COLUMNS = `
  keys.id AS "keyId", keys.user_id AS "userId", keys.user_number::float8 AS "userNumber",
  keys.expires_at::float8 AS "expiresAt", keys.revoked_at::float8 AS "revokedAt",
  keys.last_used_at::float8 AS "lastUsedAt", keys.paths`;

/** What keys of one view read, from the documents of that view alone. */
function statementsOf(view: View) {
  const documents = `vitrine.${DOCUMENT_TABLES[view]} AS documents`;
  const start = `trees.${TREE_STARTS[view]}`;
  return {
    documents: Object.fromEntries(
      DOCUMENT_KINDS.map((kind) => [
        kind,
        `SELECT ${KEY_COLUMNS}, ${documentColumns(kind)}
        FROM vitrine.keys LEFT JOIN ${documents} ON documents.user_number = keys.user_number
        WHERE keys.hash = $1 AND keys.view = '${view}'`,
      ]),
    ) as Record<DocumentKind, string>,
    linkTree: `
      SELECT ${KEY_COLUMNS}, trees.etag AS etag, substring(documents.body, ${start} + 1, trees.length) AS body
      FROM vitrine.keys
      LEFT JOIN vitrine.link_trees AS trees
        ON trees.slug = $2 AND trees.user_number = keys.user_number AND ${start} IS NOT NULL
      LEFT JOIN ${documents} ON documents.user_number = trees.user_number
      WHERE keys.hash = $1 AND keys.view = '${view}'`,
  };
}

const BY_VIEW = Object.fromEntries(VIEWS.map((view) => [view, statementsOf(view)])) as Record<
  View,
  ReturnType<typeof statementsOf>
>;

const PAGE = `
  SELECT user_number::float8 AS "userNumber", tree_id AS "treeId", etag, picture_origin AS "pictureOrigin", opening, scene, html
  FROM vitrine.pages WHERE slug = $1`;

const PAGE_TAG = `SELECT etag, picture_origin AS "pictureOrigin" FROM vitrine.pages WHERE slug = $1`;

/**
 * Of very many links, the chunk is found in which the id would be. The id is compared as a value, and so never read as
 * a path into the object.
 */
const LINK = `
  SELECT pages.user_number::float8 AS "userNumber", pages.tree_id AS "treeId", target.value AS url
  FROM vitrine.pages LEFT JOIN LATERAL (
    SELECT targets FROM vitrine.link_targets
    WHERE user_number = pages.user_number AND tree_id = pages.tree_id AND first_id <= $2
    ORDER BY first_id DESC LIMIT 1
  ) AS chunk ON true, json_each_text(coalesce(chunk.targets, pages.targets)::json) AS target
  WHERE slug = $1 AND target.key = $2`;

const OF_PROFILE = `
  FROM vitrine.users JOIN vitrine.profile_pages AS page ON page.user_number = users.number
  WHERE users.profile_slug = $1`;
const PROFILE_PAGE = `SELECT etag, picture_origin AS "pictureOrigin", opening, scene, html ${OF_PROFILE}`;
const PROFILE_PAGE_TAG = `SELECT etag, picture_origin AS "pictureOrigin" ${OF_PROFILE}`;
const PROFILE_FILES: Readonly<Record<ProfileFile, string>> = {
  card: `SELECT etag, card AS body ${OF_PROFILE}`,
  resume: `
    SELECT documents.resume_etag AS etag, documents.resume AS body
    FROM vitrine.users JOIN vitrine.profile_pages AS page ON page.user_number = users.number
    JOIN vitrine.public_documents AS documents ON documents.user_number = users.number
    WHERE users.profile_slug = $1`,
};

const MOVED_PAGES = {
  t: `
    SELECT pages.slug FROM vitrine.former_slugs AS former
    JOIN vitrine.pages ON pages.user_number = former.user_number AND pages.tree_id = former.tree_id
    WHERE former.path = 't/' || $1::text ORDER BY replaced_at DESC LIMIT 1`,
  p: `
    SELECT users.profile_slug AS slug FROM vitrine.former_slugs AS former
    JOIN vitrine.users ON users.number = former.user_number
    JOIN vitrine.profile_pages AS page ON page.user_number = users.number
    WHERE former.path = 'p/' || $1::text ORDER BY replaced_at DESC LIMIT 1`,
} as const;

const ONLY_PROFILE = `
  SELECT min(profile_slug) AS slug FROM (
    SELECT users.profile_slug FROM vitrine.profile_pages AS page
    JOIN vitrine.users ON users.number = page.user_number LIMIT 2
  ) AS found HAVING count(*) = 1`;

const PREVIEWS: Readonly<Record<PageKind, string>> = {
  t: `
    SELECT pages.user_number::float8 AS "userNumber", pages.tree_id AS "treeId", pages.scene, previews.bytes
    FROM vitrine.pages LEFT JOIN vitrine.previews ON previews.user_number = pages.user_number
      AND previews.tree_id = pages.tree_id AND previews.scene = pages.scene
    WHERE pages.slug = $1`,
  p: `
    SELECT users.number::float8 AS "userNumber", '' AS "treeId", page.scene, previews.bytes
    FROM vitrine.users JOIN vitrine.profile_pages AS page ON page.user_number = users.number
    LEFT JOIN vitrine.previews ON previews.user_number = users.number AND previews.tree_id = ''
      AND previews.scene = page.scene
    WHERE users.profile_slug = $1`,
};

const PICTURE = "SELECT type, bytes FROM vitrine.pictures WHERE hash = $1 LIMIT 1";

/** A row on each way that requests take. */
const PING = `
  SELECT (SELECT 1 FROM vitrine.keys LIMIT 1), (SELECT 1 FROM vitrine.documents LIMIT 1),
    (SELECT 1 FROM vitrine.public_documents LIMIT 1), (SELECT 1 FROM vitrine.link_trees LIMIT 1), (SELECT 1 FROM vitrine.pages LIMIT 1)`;

const POSITION = `
  SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END)::text AS position`;

/**
 * Reads documents and pages, each with one prepared statement: Bun prepares a text once on every connection, and
 * sends what is asked at the same time together.
 */
export class PostgresDocumentReader implements DocumentReader {
  readonly #pool: ReadPool;

  private constructor(pool: ReadPool) {
    this.#pool = pool;
  }

  static async open(
    location: PostgresLocation,
    connections: number,
    log?: Log,
  ): Promise<PostgresDocumentReader> {
    return new PostgresDocumentReader(await ReadPool.open(location, connections, log));
  }

  // The hash is copied at once: a query may wait for a connection, and the caller's buffer is soon another key's.
  readDocument(keyHash: Uint8Array, kind: DocumentKind, view: View): Promise<KeyedDocument | null> {
    return this.#pool.read("a document", BY_VIEW[view].documents[kind], [keyHash.slice()]);
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): Promise<KeyedDocument | null> {
    return this.#pool.read("a link tree", BY_VIEW[view].linkTree, [keyHash.slice(), findable(slug)]);
  }

  readPage(slug: string): Promise<StoredPage | null> {
    return this.#pool.read("a page", PAGE, [findable(slug)]);
  }

  readPageTag(slug: string): Promise<PageTag | null> {
    return this.#pool.read("a page", PAGE_TAG, [findable(slug)]);
  }

  readLink(slug: string, linkId: string): Promise<StoredLink | null> {
    return this.#pool.read("a link", LINK, [findable(slug), findable(linkId)]);
  }

  readProfilePage(slug: string): Promise<StoredProfilePage | null> {
    return this.#pool.read("a page", PROFILE_PAGE, [findable(slug)]);
  }

  readProfilePageTag(slug: string): Promise<PageTag | null> {
    return this.#pool.read("a page", PROFILE_PAGE_TAG, [findable(slug)]);
  }

  async readMovedPage(kind: PageKind, slug: string): Promise<string | null> {
    const found = await this.#pool.read<{ slug: string }>("a page", MOVED_PAGES[kind], [findable(slug)]);
    return found?.slug ?? null;
  }

  async readOnlyProfile(): Promise<string | null> {
    const found = await this.#pool.read<{ slug: string }>("a profile", ONLY_PROFILE, []);
    return found?.slug ?? null;
  }

  readProfileFile(slug: string, file: ProfileFile): Promise<StoredFile | null> {
    return this.#pool.read("a profile", PROFILE_FILES[file], [findable(slug)]);
  }

  readPreview(kind: PageKind, slug: string): Promise<StoredPreview | null> {
    return this.#pool.read("a preview", PREVIEWS[kind], [findable(slug)]);
  }

  readPicture(hash: string): Promise<StoredPicture | null> {
    return this.#pool.read("a picture", PICTURE, [findable(hash)]);
  }

  async ping(): Promise<void> {
    await this.#pool.read("the database", PING, []);
  }

  /** How far the database has come: where it writes, or what it has replayed of another one. */
  async position(): Promise<bigint> {
    const row = await this.#pool.read<{ position: string | null }>("the position", POSITION, []);
    const [high = "0", low = "0"] = (row?.position ?? "0/0").split("/");
    return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
