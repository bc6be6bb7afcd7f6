import type { Database, Statement } from "bun:sqlite";
import { VIEWS, type View } from "../../contract/access.ts";
import type { StoredDocuments } from "../../documents/compare.ts";
import {
  type Documents,
  type LinkTreeSlice,
  SLICED_KINDS,
  type ViewDocuments,
} from "../../documents/compile.ts";
import type { Page, TargetChunk } from "../../documents/page.ts";
import type { ProfilePage } from "../../documents/profile-page.ts";
import { DOCUMENT_TABLES } from "../document-columns.ts";
import { type DocumentsRow, documentsOf } from "../documents-row.ts";
import type { TextOrBytes } from "../store.ts";
import { compileEach, type DamagedUser, type RecordText } from "../stored-record.ts";

type LinkTreeColumns = [
  slug: string,
  id: string,
  userNumber: number,
  etag: string,
  start: number,
  length: number,
  publicStart: number | null,
];

type PageColumns = [
  slug: string,
  userNumber: number,
  treeId: string,
  etag: string,
  pictureOrigin: string,
  targets: string,
  html: TextOrBytes,
  opening: string,
  scene: string,
];

const DOCUMENT_COLUMNS = [
  "full_etag",
  "links_etag",
  "links",
  "resume_etag",
  "resume",
  ...SLICED_KINDS.flatMap((kind) => [`${kind}_etag`, `${kind}_start`, `${kind}_length`]),
  "body",
];

/** SQLite tells a text from its bytes, so statements say which of the two a long text is to become. */
const BLOBS = new Set(["links", "resume", "body"]);

type DocumentsColumns = (string | number | Uint8Array)[];

const LINK_TREE_ROW =
  "INTO link_trees (slug, id, user_number, etag, start, length, public_start) VALUES (?, ?, ?, ?, ?, ?, ?)";

const PAGE_ROW =
  "INTO pages (slug, user_number, tree_id, etag, picture_origin, targets, html, opening, scene) VALUES (?, ?, ?, ?, ?, ?, CAST(? AS BLOB), ?, ?)";

/** For the documents of one view. */
function prepareView(database: Database, view: View) {
  const table = DOCUMENT_TABLES[view];
  return {
    put: database.prepare<unknown, DocumentsColumns>(`
      INSERT INTO ${table} (user_number, ${DOCUMENT_COLUMNS.join(", ")})
      VALUES (?, ${DOCUMENT_COLUMNS.map((column) => (BLOBS.has(column) ? "CAST(? AS BLOB)" : "?")).join(", ")})
      ON CONFLICT (user_number) DO UPDATE SET
        ${DOCUMENT_COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ")}`),
    of: database.prepare<DocumentsRow, [number]>(`SELECT * FROM ${table} WHERE user_number = ?`),
  };
}

function prepareStatements(database: Database) {
  return {
    views: Object.fromEntries(VIEWS.map((view) => [view, prepareView(database, view)])) as Record<
      View,
      ReturnType<typeof prepareView>
    >,
    insertLinkTree: database.prepare<unknown, LinkTreeColumns>(`INSERT ${LINK_TREE_ROW}`),
    insertPage: database.prepare<unknown, PageColumns>(`INSERT ${PAGE_ROW}`),
    /** For documents made anew, which follow the records even where a row says that a tree is somebody else's. */
    reclaimLinkTree: database.prepare<unknown, LinkTreeColumns>(`INSERT OR REPLACE ${LINK_TREE_ROW}`),
    reclaimPage: database.prepare<unknown, PageColumns>(`INSERT OR REPLACE ${PAGE_ROW}`),
    deleteLinkTrees: database.prepare<unknown, [number]>("DELETE FROM link_trees WHERE user_number = ?"),
    insertTargets: database.prepare<
      unknown,
      [userNumber: number, treeId: string, firstId: string, targets: string]
    >("INSERT INTO link_targets (user_number, tree_id, first_id, targets) VALUES (?, ?, ?, ?)"),
    deleteTargets: database.prepare<unknown, [number]>("DELETE FROM link_targets WHERE user_number = ?"),
    targetsOf: database.prepare<TargetChunk, [number]>(`
      SELECT tree_id AS treeId, first_id AS firstId, targets FROM link_targets
      WHERE user_number = ? ORDER BY tree_id, first_id`),
    deletePages: database.prepare<unknown, [number]>("DELETE FROM pages WHERE user_number = ?"),
    putProfilePage: database.prepare<
      unknown,
      [
        userNumber: number,
        etag: string,
        pictureOrigin: string,
        opening: string,
        scene: string,
        card: TextOrBytes,
        html: TextOrBytes,
      ]
    >(`
      INSERT OR REPLACE INTO profile_pages (user_number, etag, picture_origin, opening, scene, card, html)
      VALUES (?, ?, ?, ?, ?, CAST(? AS BLOB), CAST(? AS BLOB))`),
    deleteProfilePage: database.prepare<unknown, [number]>("DELETE FROM profile_pages WHERE user_number = ?"),
    profilePageOf: database.prepare<ProfilePage<Uint8Array>, [number]>(`
      SELECT etag, picture_origin AS pictureOrigin, opening, scene, card, html FROM profile_pages WHERE user_number = ?`),
    /** Those of pages that are gone, or that show something else by now. */
    deleteOldPreviews: database.prepare<unknown, [number]>(`
      DELETE FROM previews WHERE user_number = ?1
        AND NOT EXISTS (
          SELECT 1 FROM pages WHERE user_number = ?1 AND tree_id = previews.tree_id AND scene = previews.scene)
        AND NOT EXISTS (
          SELECT 1 FROM profile_pages WHERE user_number = ?1 AND previews.tree_id = '' AND scene = previews.scene)`),
    linkTreesOf: database.prepare<LinkTreeSlice, [number]>(
      "SELECT slug, id, etag, start, length, public_start AS publicStart FROM link_trees WHERE user_number = ?",
    ),
    pagesOf: database.prepare<Omit<Page<Uint8Array>, "targetChunks">, [number]>(`
      SELECT slug, tree_id AS treeId, etag, picture_origin AS pictureOrigin, targets, html, opening, scene
      FROM pages WHERE user_number = ?`),
  };
}

/** The rows of compiled documents. All that writes here happens within a transaction of the caller's. */
export class DocumentRows {
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database) {
    this.#statements = prepareStatements(database);
  }

  /** For a user who has none yet. */
  insert(userNumber: number, documents: Documents<TextOrBytes>): void {
    this.#write(userNumber, documents, this.#statements.insertLinkTree, this.#statements.insertPage);
  }

  replace(userNumber: number, documents: Documents<TextOrBytes>): void {
    this.#clear(userNumber);
    this.insert(userNumber, documents);
    this.#statements.deleteOldPreviews.run(userNumber);
  }

  /** Compiles the documents of these users from their records as they are now. Returns whose are damaged. */
  compileAnew(users: readonly (RecordText & { readonly number: number })[]): DamagedUser[] {
    const { compiled, damaged } = compileEach(users);
    for (const { user } of compiled) this.#clear(user.number);
    const { reclaimLinkTree, reclaimPage, deleteOldPreviews } = this.#statements;
    for (const { user, documents } of compiled) {
      this.#write(user.number, documents, reclaimLinkTree, reclaimPage);
      deleteOldPreviews.run(user.number);
    }
    return damaged;
  }

  /** What is stored for a user. */
  of(userNumber: number): StoredDocuments {
    const { views, linkTreesOf, pagesOf, profilePageOf, targetsOf } = this.#statements;
    const chunks = Map.groupBy(targetsOf.all(userNumber), ({ treeId }) => treeId);
    return {
      full: documentsOf(views.full.of.get(userNumber)),
      public: documentsOf(views.public.of.get(userNumber)),
      linkTrees: linkTreesOf.all(userNumber),
      pages: pagesOf
        .all(userNumber)
        .map((page) => ({ ...page, targetChunks: chunks.get(page.treeId) ?? [] })),
      profilePage: profilePageOf.get(userNumber) ?? undefined,
    };
  }

  #clear(userNumber: number): void {
    this.#statements.deleteLinkTrees.run(userNumber);
    this.#statements.deletePages.run(userNumber);
    this.#statements.deleteTargets.run(userNumber);
    this.#statements.deleteProfilePage.run(userNumber);
  }

  #write(
    userNumber: number,
    documents: Documents<TextOrBytes>,
    putLinkTree: Statement<unknown, LinkTreeColumns>,
    putPage: Statement<unknown, PageColumns>,
  ): void {
    this.#putView(userNumber, "full", documents);
    this.#putView(userNumber, "public", documents.public);
    for (const { slug, id, etag, start, length, publicStart } of documents.linkTrees)
      putLinkTree.run(slug, id, userNumber, etag, start, length, publicStart);
    if (documents.profilePage) {
      const { etag, pictureOrigin, opening, scene, card, html } = documents.profilePage;
      this.#statements.putProfilePage.run(userNumber, etag, pictureOrigin, opening, scene, card, html);
    }
    for (const page of documents.pages) {
      const { slug, treeId, etag, pictureOrigin, targets, html, opening, scene } = page;
      putPage.run(slug, userNumber, treeId, etag, pictureOrigin, targets, html, opening, scene);
      for (const { firstId, targets } of page.targetChunks)
        this.#statements.insertTargets.run(userNumber, treeId, firstId, targets);
    }
  }

  #putView(userNumber: number, view: View, documents: ViewDocuments<TextOrBytes>): void {
    const { full, links, resume, slices } = documents;
    const sliced = SLICED_KINDS.flatMap((kind) => [
      slices[kind].etag,
      slices[kind].start,
      slices[kind].length,
    ]);
    const { put } = this.#statements.views[view];
    const whole = [links.etag, links.body, resume.etag, resume.body];
    put.run(userNumber, full.etag, ...whole, ...sliced, full.body);
  }
}
