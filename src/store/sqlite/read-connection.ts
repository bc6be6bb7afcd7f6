import type { Database, Statement } from "bun:sqlite";
import { VIEWS, type View } from "../../contract/access.ts";
import { RESUME_KINDS } from "../../documents/rendition-kinds.ts";
import { RENDITION_VERSION } from "../../documents/version.ts";
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
import type { KeyedDocument, StoredPicture } from "../reader.ts";
import {
  type FoundBody,
  type FoundLinkTree,
  type FoundPreview,
  type FoundRendition,
  type FoundTargets,
  type ProfileRendition,
  STORED_KINDS,
  type StoredKind,
} from "../stored-reader.ts";
import type { RecordRow } from "../stored-record.ts";
import { refuseOtherSchema } from "../unavailable.ts";
import { openReadOnly } from "./connection.ts";
import type { FileConnection } from "./followed-file.ts";
import { refuseForeignDatabase, schemaVersionOf } from "./migrations.ts";
import { OpenLog, openingFile } from "./open-log.ts";

const KEY_COLUMNS = `
  keys.id AS keyId, keys.user_id AS userId, keys.user_number AS userNumber, keys.expires_at AS expiresAt,
  keys.revoked_at AS revokedAt, keys.last_used_at AS lastUsedAt, keys.paths AS paths`;

/** SQLite takes joined bytes for a text until it is told otherwise. */
const DIALECT: Dialect = { bytes: (joined) => `CAST(${joined} AS BLOB)`, number: (column) => column };

/** What keys of one view read. */
function prepareView(database: Database, view: View) {
  const documents = documentTables(view, "", "keys.user_number");
  const ofKey = `WHERE keys.hash = ?1 AND keys.view = '${view}'`;
  const start = `trees.${TREE_STARTS[view]}`;
  return {
    documents: Object.fromEntries(
      STORED_KINDS.map((kind) => [
        kind,
        database.prepare(
          `SELECT ${KEY_COLUMNS}, ${documentColumns(kind, view, DIALECT)} FROM keys ${documents} ${ofKey}`,
        ),
      ]),
    ) as Record<StoredKind, Statement<KeyedDocument, [Uint8Array]>>,
    resume: database.prepare<KeyedDocument, [Uint8Array]>(`
      SELECT ${KEY_COLUMNS}, renditions.etag AS etag, renditions.body AS body, NULL AS length, NULL AS checksum
      FROM keys LEFT JOIN renditions ON ${renditionOf(`'${RESUME_KINDS[view]}'`, "keys.user_number", "''")} ${ofKey}`),
    linkTree: database.prepare<FoundLinkTree, [Uint8Array, string]>(`
      SELECT ${KEY_COLUMNS}, answers.full_etag IS NOT NULL AS isCompiled, trees.etag AS etag,
        substr(${bodyOf(view, DIALECT)}, ${start} + 1, trees.size) AS body, trees.length AS length,
        trees.checksum AS checksum
      FROM keys ${documents}
      LEFT JOIN trees ON trees.slug = ?2 AND trees.user_number = keys.user_number AND ${start} IS NOT NULL
      ${ofKey}`),
  };
}

/** What joins a rendition, by what it is of. */
function renditionOf(kind: string, userNumber: string, treeId: string): string {
  return `renditions.user_number = ${userNumber} AND renditions.kind = ${kind} AND renditions.tree_id = ${treeId}
    AND renditions.version = ${RENDITION_VERSION}`;
}

const PAGE = `
  FROM trees LEFT JOIN renditions ON ${renditionOf("'page'", "trees.user_number", "trees.id")}
  WHERE slug = ? AND ${MAY_HAVE_PAGE}`;
const PAGE_OWNER = "trees.user_number AS userNumber, trees.id AS treeId";
const PROFILE_OWNER = "number AS userNumber, '' AS treeId";
const TAG = "etag, picture_origin AS pictureOrigin";
const BODY = `renditions.${TAG}, opening, scene, renditions.body AS body`;

function ofProfile(kind: string): string {
  return `FROM users LEFT JOIN public_answers AS shown ON shown.user_number = number
    LEFT JOIN renditions ON ${renditionOf(`'${kind}'`, "shown.user_number", "''")}
    WHERE profile_slug = ? AND ${MAY_HAVE_PROFILE_PAGE}`;
}

function prepareProfile(database: Database, kind: ProfileRendition) {
  return database.prepare<FoundBody, [string]>(`SELECT ${PROFILE_OWNER}, ${BODY} ${ofProfile(kind)}`);
}

function prepareStatements(database: Database) {
  return {
    begin: database.prepare("BEGIN"),
    end: database.prepare("COMMIT"),
    views: Object.fromEntries(VIEWS.map((view) => [view, prepareView(database, view)])) as Record<
      View,
      ReturnType<typeof prepareView>
    >,
    page: database.prepare<FoundBody, [string]>(`SELECT ${PAGE_OWNER}, ${BODY} ${PAGE}`),
    pageTag: database.prepare<FoundRendition, [string]>(`SELECT ${PAGE_OWNER}, renditions.${TAG} ${PAGE}`),
    profiles: {
      profile: prepareProfile(database, "profile"),
      card: prepareProfile(database, "card"),
      "public resume": prepareProfile(database, "public resume"),
    } satisfies Record<ProfileRendition, unknown>,
    profileTag: database.prepare<FoundRendition, [string]>(
      `SELECT ${PROFILE_OWNER}, ${TAG} ${ofProfile("profile")}`,
    ),
    // Of very many links, the chunk is found in which the id would be.
    targets: database.prepare<FoundTargets, [slug: string, linkId: string]>(`
      SELECT ${PAGE_OWNER}, chunk.targets AS targets,
        CASE WHEN chunk.targets IS NULL THEN substr(answers.body, trees.start + 1, trees.size) END AS body,
        trees.length AS length, trees.checksum AS checksum
      FROM trees LEFT JOIN answers ON answers.user_number = trees.user_number
      LEFT JOIN link_targets AS chunk
        ON chunk.user_number = trees.user_number AND chunk.tree_id = trees.id AND chunk.first_id = (
          SELECT max(first_id) FROM link_targets
          WHERE user_number = trees.user_number AND tree_id = trees.id AND first_id <= ?2)
      WHERE slug = ?1 AND ${MAY_HAVE_PAGE}`),
    movedPages: {
      t: database.prepare<{ slug: string }, [string]>(`
        SELECT trees.slug AS slug FROM former_slugs AS former
        JOIN trees ON trees.user_number = former.user_number AND trees.id = former.tree_id
          AND ${MAY_HAVE_PAGE}
        WHERE former.path = 't/' || ? ORDER BY replaced_at DESC LIMIT 1`),
      p: database.prepare<{ slug: string }, [string]>(`
        SELECT profile_slug AS slug FROM former_slugs AS former JOIN users ON number = former.user_number
        LEFT JOIN public_answers AS shown ON shown.user_number = number
        WHERE former.path = 'p/' || ? AND ${MAY_HAVE_PROFILE_PAGE} ORDER BY replaced_at DESC LIMIT 1`),
    },
    twoProfiles: database.prepare<{ slug: string }, []>(`
      SELECT profile_slug AS slug FROM public_answers JOIN users ON number = user_number
      WHERE has_profile_page = 1 LIMIT 2`),
    previews: {
      t: database.prepare<FoundPreview, [string]>(`
        SELECT ${PAGE_OWNER}, renditions.scene AS scene, previews.scene AS drawnScene, bytes
        FROM trees LEFT JOIN renditions ON ${renditionOf("'page'", "trees.user_number", "trees.id")}
        LEFT JOIN previews ON previews.user_number = trees.user_number AND previews.tree_id = trees.id
        WHERE slug = ? AND ${MAY_HAVE_PAGE}`),
      p: database.prepare<FoundPreview, [string]>(`
        SELECT ${PROFILE_OWNER}, renditions.scene AS scene, previews.scene AS drawnScene, bytes
        FROM users LEFT JOIN public_answers AS shown ON shown.user_number = number
        LEFT JOIN renditions ON ${renditionOf("'profile'", "number", "''")}
        LEFT JOIN previews ON previews.user_number = number AND previews.tree_id = ''
        WHERE profile_slug = ? AND ${MAY_HAVE_PROFILE_PAGE}`),
    },
    record: database.prepare<RecordRow & { readonly etag: string | null }, [number]>(`
      SELECT id, email, record, packed_record AS packedRecord, full_etag AS etag
      FROM users LEFT JOIN answers ON user_number = number WHERE number = ?`),
    picture: database.prepare<StoredPicture, [string]>(
      `SELECT type, bytes FROM pictures WHERE hash = ? AND created_at <> ${PUT_AWAY} LIMIT 1`,
    ),
    // Rows and not constants, which would never touch the file: one on each way that requests take.
    ping: database.prepare(`
      SELECT (SELECT revoked_at FROM keys LIMIT 1),
        (SELECT full_etag FROM answers LIMIT 1),
        (SELECT full_etag FROM public_answers LIMIT 1),
        (SELECT etag FROM trees LIMIT 1),
        (SELECT etag FROM renditions LIMIT 1)`),
  };
}

/** A connection that reads documents and pages of one file, and cannot write. */
export class ReadConnection implements FileConnection {
  readonly #database: Database;
  readonly #log: OpenLog;
  readonly statements: ReturnType<typeof prepareStatements>;
  /** Since the last pause. */
  #reads = 0;

  constructor(file: string) {
    const opening = openingFile(file);
    this.#database = openReadOnly(file);
    try {
      refuseForeignDatabase(this.#database);
      refuseOtherSchema(file, schemaVersionOf(this.#database));
      this.statements = prepareStatements(this.#database);
      this.#log = new OpenLog(opening);
    } catch (error) {
      this.#database.close(true);
      throw error;
    }
  }

  /**
   * The statements. From the second read on, all that are done without a pause share a transaction: taking and dropping
   * SQLite's file locks costs more than a read does.
   */
  together(): ReturnType<typeof prepareStatements> {
    this.#reads++;
    if (this.#reads === 1) queueMicrotask(this.#end);
    if (this.#reads === 2) this.statements.begin.run();
    return this.statements;
  }

  readonly #end = (): void => {
    this.#reads = 0;
    try {
      if (this.#database.inTransaction) this.statements.end.run();
    } catch {
      // A read that has failed is told of once more here. The transaction is over all the same.
    }
  };

  /** SQLite would take the log beside a file for that file's own; the connection that writes puts it away. */
  leave(): boolean {
    return !this.#log.isInTheWay;
  }

  close(): void {
    this.#end();
    this.#database.close(true);
  }
}
