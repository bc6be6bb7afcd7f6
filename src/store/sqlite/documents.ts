import type { Database, Statement } from "bun:sqlite";
import type { StoredDocuments } from "../../documents/compare.ts";
import type { Documents, LinkTreeSlice, ViewDocuments } from "../../documents/compile.ts";
import type { TargetChunk } from "../../documents/link-targets.ts";
import type { Rendition } from "../../documents/rendition.ts";
import { RENDITION_VERSION } from "../../documents/version.ts";
import {
  type DocumentsRow,
  documentsOf,
  ownLinks,
  publicDocumentsOf,
  SLICE_COLUMNS,
  sliceColumns,
} from "../documents-row.ts";
import { packRecord } from "../packed-record.ts";
import { compileEach, type DamagedUser, type RecordText } from "../stored-record.ts";

type Columns = (string | number | Uint8Array | null)[];

type TreeColumns = [
  slug: string,
  id: string,
  userNumber: number,
  etag: string,
  start: number,
  publicStart: number | null,
  size: number,
  length: number,
  checksum: number,
];

const ANSWER_COLUMNS = ["full_etag", "links_etag", "links", ...SLICE_COLUMNS, "body"];

const PUBLIC_COLUMNS = [
  "has_profile_page",
  "full_etag",
  "links_etag",
  "links",
  "shared_start",
  "shared_size",
  ...SLICE_COLUMNS,
  "body",
];

const TREE_ROW = `
  INTO trees (slug, id, user_number, etag, start, public_start, size, length, checksum)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function preparePut(database: Database, table: string, columns: readonly string[]) {
  return database.prepare<unknown, Columns>(`
    INSERT INTO ${table} (user_number, ${columns.join(", ")}) VALUES (?${", ?".repeat(columns.length)})
    ON CONFLICT (user_number) DO UPDATE SET
      ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}`);
}

function prepareStatements(database: Database) {
  return {
    putAnswers: preparePut(database, "answers", ANSWER_COLUMNS),
    putPublicAnswers: preparePut(database, "public_answers", PUBLIC_COLUMNS),
    answersOf: database.prepare<DocumentsRow, [number]>("SELECT * FROM answers WHERE user_number = ?"),
    publicAnswersOf: database.prepare<DocumentsRow, [number]>(
      "SELECT * FROM public_answers WHERE user_number = ?",
    ),
    insertTree: database.prepare<unknown, TreeColumns>(`INSERT ${TREE_ROW}`),
    /** For documents made anew, which follow the records even where a row says that a tree is somebody else's. */
    reclaimTree: database.prepare<unknown, TreeColumns>(`INSERT OR REPLACE ${TREE_ROW}`),
    deleteTrees: database.prepare<unknown, [number]>("DELETE FROM trees WHERE user_number = ?"),
    treesOf: database.prepare<LinkTreeSlice, [number]>(`
      SELECT slug, id, etag, start, public_start AS publicStart, size, length, checksum
      FROM trees WHERE user_number = ? AND etag IS NOT NULL`),
    insertTargets: database.prepare<
      unknown,
      [userNumber: number, treeId: string, firstId: string, targets: string]
    >("INSERT INTO link_targets (user_number, tree_id, first_id, targets) VALUES (?, ?, ?, ?)"),
    deleteTargets: database.prepare<unknown, [number]>("DELETE FROM link_targets WHERE user_number = ?"),
    targetsOf: database.prepare<TargetChunk, [number]>(`
      SELECT tree_id AS treeId, first_id AS firstId, targets FROM link_targets
      WHERE user_number = ? ORDER BY tree_id, first_id`),
    deleteRenditions: database.prepare<unknown, [number]>("DELETE FROM renditions WHERE user_number = ?"),
    renditionsOf: database.prepare<Rendition, [number]>(`
      SELECT kind, tree_id AS treeId, etag, picture_origin AS pictureOrigin, opening, scene, body
      FROM renditions WHERE user_number = ? AND version = ${RENDITION_VERSION} ORDER BY kind, tree_id`),
    packRecord: database.prepare<unknown, [record: Uint8Array, updatedAt: string, number: number]>(`
      UPDATE users SET record = '', packed_record = ?, updated_at = ? WHERE number = ? AND packed_record IS NULL`),
  };
}

/** The rows of compiled documents. All that writes here happens within a transaction of the caller's. */
export class DocumentRows {
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database) {
    this.#statements = prepareStatements(database);
  }

  /** For a user who has none yet. */
  insert(userNumber: number, documents: Documents): void {
    this.#write(userNumber, documents, this.#statements.insertTree);
  }

  replace(userNumber: number, documents: Documents): void {
    this.#clear(userNumber);
    this.insert(userNumber, documents);
  }

  /** Compiles the documents of these users from their records as they are now. Returns whose are damaged. */
  compileAnew(users: readonly (RecordText & { readonly number: number })[]): DamagedUser[] {
    const { compiled, damaged } = compileEach(users);
    for (const { user } of compiled) this.#clear(user.number);
    for (const { user, record, documents } of compiled) {
      this.#statements.packRecord.run(packRecord(user.record), record.updatedAt, user.number);
      this.#write(user.number, documents, this.#statements.reclaimTree);
    }
    return damaged;
  }

  /** What is stored for a user. */
  of(userNumber: number): StoredDocuments {
    const { answersOf, publicAnswersOf, treesOf, targetsOf, renditionsOf } = this.#statements;
    const answers = answersOf.get(userNumber);
    return {
      full: documentsOf(answers),
      public: publicDocumentsOf(publicAnswersOf.get(userNumber), answers),
      linkTrees: treesOf.all(userNumber),
      targetChunks: targetsOf.all(userNumber),
      renditions: renditionsOf.all(userNumber),
    };
  }

  #clear(userNumber: number): void {
    this.#statements.deleteTrees.run(userNumber);
    this.#statements.deleteTargets.run(userNumber);
    this.#statements.deleteRenditions.run(userNumber);
  }

  #write(userNumber: number, documents: Documents, putTree: Statement<unknown, TreeColumns>): void {
    const { putAnswers, putPublicAnswers, insertTargets } = this.#statements;
    const { full, links, public: shown } = documents;
    putAnswers.run(userNumber, full.etag, links.etag, links.body, ...sliceValues(documents), full.body);
    putPublicAnswers.run(
      userNumber,
      Number(shown.hasProfilePage),
      shown.full.etag,
      shown.links.etag,
      ownLinks(shown, documents),
      shown.shared.start,
      shown.shared.size,
      ...sliceValues(shown),
      shown.full.body,
    );
    for (const { slug, id, etag, start, publicStart, size, length, checksum } of documents.linkTrees)
      putTree.run(slug, id, userNumber, etag, start, publicStart, size, length, checksum);
    for (const { treeId, firstId, targets } of documents.targetChunks)
      insertTargets.run(userNumber, treeId, firstId, targets);
  }
}

function sliceValues({ slices }: ViewDocuments): (string | number)[] {
  return sliceColumns(slices).map(([, value]) => value);
}
