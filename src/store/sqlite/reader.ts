import type { Database, Statement } from "bun:sqlite";
import { DOCUMENT_KINDS, type DocumentKind } from "../../contract/routes.ts";
import { documentColumns } from "../document-columns.ts";
import {
  type DocumentReader,
  type KeyedDocument,
  type StoredLink,
  type StoredPage,
  StoreUnavailable,
} from "../reader.ts";
import { openReadOnly } from "./connection.ts";

const KEY_COLUMNS = `
  keys.id AS keyId, keys.user_id AS userId, keys.user_number AS userNumber, keys.expires_at AS expiresAt,
  keys.revoked_at AS revokedAt, keys.last_used_at AS lastUsedAt`;

/**
 * Reads documents and pages through connections that cannot write. Pages have their own: every view is followed
 * by a commit, which would slow down a connection that maps the file.
 */
export class SqliteDocumentReader implements DocumentReader {
  readonly #database: Database;
  readonly #snapshot: Snapshot;
  readonly #pageDatabase: Database;
  readonly #pageSnapshot: Snapshot;
  readonly #documents: Record<DocumentKind, Statement<KeyedDocument, [Uint8Array]>>;
  readonly #linkTree: Statement<KeyedDocument, [Uint8Array, string]>;
  readonly #page: Statement<StoredPage, [string]>;
  readonly #link: Statement<StoredLink, [string, string]>;
  readonly #ping: Statement<unknown, []>;

  constructor(file: string) {
    const database = openReadOnly(file);
    this.#database = database;
    this.#snapshot = new Snapshot(database);
    this.#pageDatabase = openReadOnly(file, { mapped: false });
    this.#pageSnapshot = new Snapshot(this.#pageDatabase);
    this.#documents = Object.fromEntries(
      DOCUMENT_KINDS.map((kind) => [
        kind,
        database.prepare(`
          SELECT ${KEY_COLUMNS}, ${documentColumns(kind)}
          FROM keys LEFT JOIN documents ON documents.user_number = keys.user_number
          WHERE keys.hash = ?1`),
      ]),
    ) as Record<DocumentKind, Statement<KeyedDocument, [Uint8Array]>>;
    this.#linkTree = database.prepare(`
      SELECT ${KEY_COLUMNS}, trees.etag AS etag, substr(documents.body, trees.start + 1, trees.length) AS body
      FROM keys
      LEFT JOIN link_trees AS trees ON trees.slug = ?2 AND trees.user_number = keys.user_number
      LEFT JOIN documents ON documents.user_number = trees.user_number
      WHERE keys.hash = ?1`);
    this.#page = this.#pageDatabase.prepare(`
      SELECT user_number AS userNumber, tree_id AS treeId, etag, picture_origin AS pictureOrigin, html
      FROM pages WHERE slug = ?`);
    // The id is compared as a value, and so never read as a path into the object.
    this.#link = this.#pageDatabase.prepare(`
      SELECT user_number AS userNumber, tree_id AS treeId, target.value AS url
      FROM pages, json_each(pages.targets) AS target WHERE slug = ? AND target.key = ?`);
    this.#ping = database.prepare("SELECT 1 FROM keys LIMIT 1");
  }

  readDocument(keyHash: Uint8Array, kind: DocumentKind): KeyedDocument | null {
    try {
      this.#snapshot.hold();
      return this.#documents[kind].get(keyHash);
    } catch (cause) {
      throw new StoreUnavailable("a document could not be read", { cause });
    }
  }

  readLinkTree(keyHash: Uint8Array, slug: string): KeyedDocument | null {
    try {
      this.#snapshot.hold();
      return this.#linkTree.get(keyHash, slug);
    } catch (cause) {
      throw new StoreUnavailable("a link tree could not be read", { cause });
    }
  }

  readPage(slug: string): StoredPage | null {
    try {
      this.#pageSnapshot.hold();
      return this.#page.get(slug);
    } catch (cause) {
      throw new StoreUnavailable("a page could not be read", { cause });
    }
  }

  readLink(slug: string, linkId: string): StoredLink | null {
    try {
      this.#pageSnapshot.hold();
      return this.#link.get(slug, linkId);
    } catch (cause) {
      throw new StoreUnavailable("a link could not be read", { cause });
    }
  }

  /** Reads a row and not a constant, which would never touch the file. */
  ping(): void {
    try {
      this.#ping.get();
    } catch (cause) {
      throw new StoreUnavailable("the database could not be read", { cause });
    }
  }

  close(): void {
    this.#snapshot.release();
    this.#database.close();
    this.#pageSnapshot.release();
    this.#pageDatabase.close();
  }
}

/**
 * Lets all reads of one turn of the event loop share a read transaction: taking and dropping SQLite's file
 * locks costs more than a read does. A turn handles the requests that had arrived when it began, so the next
 * request always sees what is stored by then.
 */
class Snapshot {
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #end: Statement;
  #held = false;
  readonly release = (): void => {
    if (!this.#held) return;
    this.#held = false;
    // After an error of the disk SQLite has ended the transaction by itself.
    if (this.#database.inTransaction) this.#end.run();
  };

  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.prepare("BEGIN");
    this.#end = database.prepare("COMMIT");
  }

  hold(): void {
    if (this.#held) return;
    this.#begin.run();
    this.#held = true;
    setImmediate(this.release);
  }
}
