import { DOCUMENT_KINDS, type DocumentKind } from "../../contract/routes.ts";
import type { Log } from "../../logging/log.ts";
import type { PostgresLocation } from "../database-url.ts";
import { documentColumns } from "../document-columns.ts";
import type { DocumentReader, KeyedDocument, StoredLink, StoredPage } from "../reader.ts";
import { sought } from "./connection.ts";
import { ReadPool } from "./read-pool.ts";

/** As double precision, which is exact for all numbers and instants here, and which arrives as a number. */
const KEY_COLUMNS = `
  keys.id AS "keyId", keys.user_id AS "userId", keys.user_number::float8 AS "userNumber",
  keys.expires_at::float8 AS "expiresAt", keys.revoked_at::float8 AS "revokedAt",
  keys.last_used_at::float8 AS "lastUsedAt"`;

const DOCUMENTS = Object.fromEntries(
  DOCUMENT_KINDS.map((kind) => [
    kind,
    `SELECT ${KEY_COLUMNS}, ${documentColumns(kind)}
    FROM vitrine.keys LEFT JOIN vitrine.documents ON documents.user_number = keys.user_number
    WHERE keys.hash = $1`,
  ]),
) as Record<DocumentKind, string>;

const LINK_TREE = `
  SELECT ${KEY_COLUMNS}, trees.etag AS etag, substring(documents.body, trees.start + 1, trees.length) AS body
  FROM vitrine.keys
  LEFT JOIN vitrine.link_trees AS trees ON trees.slug = $2 AND trees.user_number = keys.user_number
  LEFT JOIN vitrine.documents ON documents.user_number = trees.user_number
  WHERE keys.hash = $1`;

const PAGE = `
  SELECT user_number::float8 AS "userNumber", tree_id AS "treeId", etag, picture_origin AS "pictureOrigin", html
  FROM vitrine.pages WHERE slug = $1`;

/** The id is compared as a value, and so never read as a path into the object. */
const LINK = `
  SELECT user_number::float8 AS "userNumber", tree_id AS "treeId", target.value AS url
  FROM vitrine.pages, json_each_text(pages.targets::json) AS target WHERE slug = $1 AND target.key = $2`;

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
  readDocument(keyHash: Uint8Array, kind: DocumentKind): Promise<KeyedDocument | null> {
    return this.#pool.read("a document", DOCUMENTS[kind], [keyHash.slice()]);
  }

  readLinkTree(keyHash: Uint8Array, slug: string): Promise<KeyedDocument | null> {
    return this.#pool.read("a link tree", LINK_TREE, [keyHash.slice(), sought(slug)]);
  }

  readPage(slug: string): Promise<StoredPage | null> {
    return this.#pool.read("a page", PAGE, [sought(slug)]);
  }

  readLink(slug: string, linkId: string): Promise<StoredLink | null> {
    return this.#pool.read("a link", LINK, [sought(slug), sought(linkId)]);
  }

  async ping(): Promise<void> {
    await this.#pool.read("the database", "SELECT 1 FROM vitrine.keys LIMIT 1", []);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
