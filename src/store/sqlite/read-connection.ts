import type { Database, Statement } from "bun:sqlite";
import { VIEWS, type View } from "../../contract/access.ts";
import { DOCUMENT_KINDS, type DocumentKind, type PageKind } from "../../contract/routes.ts";
import { DOCUMENT_TABLES, documentColumns, TREE_STARTS } from "../document-columns.ts";
import type {
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
import { refuseOtherSchema } from "../unavailable.ts";
import { openReadOnly } from "./connection.ts";
import type { FileConnection } from "./followed-file.ts";
import { refuseForeignDatabase, schemaVersionOf } from "./migrations.ts";
import { OpenLog, openingFile } from "./open-log.ts";
import { Snapshot } from "./snapshot.ts";

const KEY_COLUMNS = `
  keys.id AS keyId, keys.user_id AS userId, keys.user_number AS userNumber, keys.expires_at AS expiresAt,
  keys.revoked_at AS revokedAt, keys.last_used_at AS lastUsedAt, keys.paths AS paths`;

/** What keys of one view read, from the documents of that view alone. */
function prepareView(database: Database, view: View) {
  const documents = `${DOCUMENT_TABLES[view]} AS documents`;
  const start = `trees.${TREE_STARTS[view]}`;
  return {
    documents: Object.fromEntries(
      DOCUMENT_KINDS.map((kind) => [
        kind,
        database.prepare(`
          SELECT ${KEY_COLUMNS}, ${documentColumns(kind)}
          FROM keys LEFT JOIN ${documents} ON documents.user_number = keys.user_number
          WHERE keys.hash = ?1 AND keys.view = '${view}'`),
      ]),
    ) as Record<DocumentKind, Statement<KeyedDocument, [Uint8Array]>>,
    linkTree: database.prepare<KeyedDocument, [Uint8Array, string]>(`
      SELECT ${KEY_COLUMNS}, trees.etag AS etag, substr(documents.body, ${start} + 1, trees.length) AS body
      FROM keys
      LEFT JOIN link_trees AS trees
        ON trees.slug = ?2 AND trees.user_number = keys.user_number AND ${start} IS NOT NULL
      LEFT JOIN ${documents} ON documents.user_number = trees.user_number
      WHERE keys.hash = ?1 AND keys.view = '${view}'`),
  };
}

const OF_PROFILE = "FROM users JOIN profile_pages ON user_number = number WHERE profile_slug = ?";

function prepareStatements(database: Database) {
  return {
    views: Object.fromEntries(VIEWS.map((view) => [view, prepareView(database, view)])) as Record<
      View,
      ReturnType<typeof prepareView>
    >,
    page: database.prepare<StoredPage, [string]>(`
      SELECT user_number AS userNumber, tree_id AS treeId, etag, picture_origin AS pictureOrigin, opening, scene, html
      FROM pages WHERE slug = ?`),
    pageTag: database.prepare<PageTag, [string]>(
      "SELECT etag, picture_origin AS pictureOrigin FROM pages WHERE slug = ?",
    ),
    // Of very many links, the chunk is found in which the id would be. The id is compared as a value, and so never
    // read as a path into the object.
    link: database.prepare<StoredLink, [string, string]>(`
      SELECT pages.user_number AS userNumber, pages.tree_id AS treeId, target.value AS url
      FROM pages LEFT JOIN link_targets AS chunk
        ON chunk.user_number = pages.user_number AND chunk.tree_id = pages.tree_id AND chunk.first_id = (
          SELECT max(first_id) FROM link_targets
          WHERE user_number = pages.user_number AND tree_id = pages.tree_id AND first_id <= ?2)
      JOIN json_each(ifnull(chunk.targets, pages.targets)) AS target
      WHERE pages.slug = ?1 AND target.key = ?2`),
    profilePage: database.prepare<StoredProfilePage, [string]>(`
      SELECT etag, picture_origin AS pictureOrigin, opening, scene, html ${OF_PROFILE}`),
    profilePageTag: database.prepare<PageTag, [string]>(
      `SELECT etag, picture_origin AS pictureOrigin ${OF_PROFILE}`,
    ),
    movedPages: {
      t: database.prepare<{ slug: string }, [string]>(`
        SELECT pages.slug AS slug FROM former_slugs AS former
        JOIN pages ON pages.user_number = former.user_number AND pages.tree_id = former.tree_id
        WHERE former.path = 't/' || ? ORDER BY replaced_at DESC LIMIT 1`),
      p: database.prepare<{ slug: string }, [string]>(`
        SELECT profile_slug AS slug FROM former_slugs AS former
        JOIN users ON number = former.user_number JOIN profile_pages ON profile_pages.user_number = number
        WHERE former.path = 'p/' || ? ORDER BY replaced_at DESC LIMIT 1`),
    },
    twoProfiles: database.prepare<{ slug: string }, []>(
      "SELECT profile_slug AS slug FROM profile_pages JOIN users ON number = user_number LIMIT 2",
    ),
    profileFiles: {
      card: database.prepare<StoredFile, [string]>(`SELECT etag, card AS body ${OF_PROFILE}`),
      resume: database.prepare<StoredFile, [string]>(`
        SELECT resume_etag AS etag, resume AS body
        FROM users JOIN profile_pages ON profile_pages.user_number = number
        JOIN public_documents AS documents ON documents.user_number = number
        WHERE profile_slug = ?`),
    },
    previews: {
      t: database.prepare<StoredPreview, [string]>(`
        SELECT pages.user_number AS userNumber, pages.tree_id AS treeId, pages.scene AS scene, bytes
        FROM pages LEFT JOIN previews ON previews.user_number = pages.user_number
          AND previews.tree_id = pages.tree_id AND previews.scene = pages.scene
        WHERE slug = ?`),
      p: database.prepare<StoredPreview, [string]>(`
        SELECT number AS userNumber, '' AS treeId, page.scene AS scene, bytes
        FROM users JOIN profile_pages AS page ON page.user_number = number
        LEFT JOIN previews ON previews.user_number = number AND tree_id = '' AND previews.scene = page.scene
        WHERE profile_slug = ?`),
    },
    picture: database.prepare<StoredPicture, [string]>(
      "SELECT type, bytes FROM pictures WHERE hash = ? LIMIT 1",
    ),
    // Rows and not constants, which would never touch the file: one on each way that requests take.
    ping: database.prepare(`
      SELECT (SELECT revoked_at FROM keys LIMIT 1),
        (SELECT full_etag FROM documents LIMIT 1),
        (SELECT full_etag FROM public_documents LIMIT 1),
        (SELECT etag FROM link_trees LIMIT 1),
        (SELECT etag FROM pages WHERE slug = (SELECT min(slug) FROM pages))`),
  };
}

/** A connection that reads documents and pages of one file, and cannot write. */
export class ReadConnection implements FileConnection {
  readonly #database: Database;
  readonly #log: OpenLog;
  readonly #snapshot: Snapshot;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(file: string) {
    const opening = openingFile(file);
    this.#database = openReadOnly(file);
    try {
      refuseForeignDatabase(this.#database);
      refuseOtherSchema(file, schemaVersionOf(this.#database));
      this.#statements = prepareStatements(this.#database);
      this.#snapshot = new Snapshot(this.#database);
      this.#log = new OpenLog(opening);
    } catch (error) {
      this.#database.close(true);
      throw error;
    }
  }

  document(keyHash: Uint8Array, kind: DocumentKind, view: View): KeyedDocument | null {
    this.#snapshot.hold();
    return this.#statements.views[view].documents[kind].get(keyHash);
  }

  linkTree(keyHash: Uint8Array, slug: string, view: View): KeyedDocument | null {
    this.#snapshot.hold();
    return this.#statements.views[view].linkTree.get(keyHash, slug);
  }

  page(slug: string): StoredPage | null {
    this.#snapshot.hold();
    return this.#statements.page.get(slug);
  }

  pageTag(slug: string): PageTag | null {
    this.#snapshot.hold();
    return this.#statements.pageTag.get(slug);
  }

  link(slug: string, linkId: string): StoredLink | null {
    this.#snapshot.hold();
    return this.#statements.link.get(slug, linkId);
  }

  profilePage(slug: string): StoredProfilePage | null {
    this.#snapshot.hold();
    return this.#statements.profilePage.get(slug);
  }

  profilePageTag(slug: string): PageTag | null {
    this.#snapshot.hold();
    return this.#statements.profilePageTag.get(slug);
  }

  movedPage(kind: PageKind, slug: string): string | null {
    this.#snapshot.hold();
    return this.#statements.movedPages[kind].get(slug)?.slug ?? null;
  }

  onlyProfile(): string | null {
    this.#snapshot.hold();
    const [profile, another] = this.#statements.twoProfiles.all();
    return profile && !another ? profile.slug : null;
  }

  profileFile(slug: string, file: ProfileFile): StoredFile | null {
    this.#snapshot.hold();
    return this.#statements.profileFiles[file].get(slug);
  }

  preview(kind: PageKind, slug: string): StoredPreview | null {
    this.#snapshot.hold();
    return this.#statements.previews[kind].get(slug);
  }

  picture(hash: string): StoredPicture | null {
    this.#snapshot.hold();
    return this.#statements.picture.get(hash);
  }

  ping(): void {
    this.#statements.ping.get();
  }

  /** SQLite would take the log beside a file for that file's own; the connection that writes puts it away. */
  leave(): boolean {
    return !this.#log.isInTheWay;
  }

  close(): void {
    this.#snapshot.release();
    this.#database.close(true);
  }
}
