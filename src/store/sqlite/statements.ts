import type { Database } from "bun:sqlite";
import { type Documents, type LinkTreeSlice, SLICED_KINDS } from "../../documents/compile.ts";
import type { Page } from "../../documents/page.ts";
import type { DocumentsRow } from "../documents-row.ts";
import type { StoredUser } from "../plan.ts";
import type { KeyInfo, LongText, UserSummary } from "../store.ts";
import type { Count } from "../tracking-writer.ts";
import type { Found } from "./lookup.ts";

const KEY_INFO = `
  SELECT keys.id, users.email, keys.name, keys.created_at AS createdAt, keys.expires_at AS expiresAt,
    keys.revoked_at AS revokedAt, keys.last_used_at AS lastUsedAt
  FROM keys JOIN users ON users.number = keys.user_number`;

const LINK_TREE_ROW =
  "INTO link_trees (slug, id, user_number, etag, start, length) VALUES (?, ?, ?, ?, ?, ?)";

type LinkTreeColumns = [
  slug: string,
  id: string,
  userNumber: number,
  etag: string,
  start: number,
  length: number,
];

const PAGE_ROW =
  "INTO pages (slug, user_number, tree_id, etag, picture_origin, targets, html) VALUES (?, ?, ?, ?, ?, ?, CAST(? AS BLOB))";

type PageColumns = [
  slug: string,
  userNumber: number,
  treeId: string,
  etag: string,
  pictureOrigin: string,
  targets: string,
  html: LongText,
];

/** Finds users by a JSON array of values: one call for a batch, and one text whatever its length. */
function ownersBy(join: string): string {
  return `SELECT wanted.value, users.number, users.id, users.email FROM json_each(?) AS wanted CROSS JOIN ${join}`;
}

type UserColumns = [id: string, email: string, foldedEmail: string, profileSlug: string, record: LongText];
type KeyColumns = [
  hash: Uint8Array,
  id: string,
  userNumber: number,
  userId: string,
  name: string | null,
  createdAt: number,
  expiresAt: number | null,
];

const DOCUMENT_COLUMNS = [
  "full_etag",
  "links_etag",
  "links",
  ...SLICED_KINDS.flatMap((kind) => [`${kind}_etag`, `${kind}_start`, `${kind}_length`]),
  "body",
];

/** SQLite tells a text from its bytes, so statements say which of the two a long text is to become. */
const BLOBS = new Set(["links", "body"]);

type DocumentsColumns = (string | number | Uint8Array)[];

/** The row of a user's documents, in the order of its columns. */
export function documentsRow(
  userNumber: number,
  { full, links, slices }: Documents<LongText>,
): DocumentsColumns {
  const sliced = SLICED_KINDS.flatMap((kind) => [slices[kind].etag, slices[kind].start, slices[kind].length]);
  return [userNumber, full.etag, links.etag, links.body, ...sliced, full.body];
}

export type Statements = ReturnType<typeof prepareStatements>;

/** Every statement of the write side, as SQL, prepared once. */
export function prepareStatements(database: Database) {
  const prepare = <Row, Parameters extends (string | number | null | Uint8Array)[]>(sql: string) =>
    database.prepare<Row, Parameters>(sql);
  return {
    userByEmail: prepare<StoredUser, [string]>("SELECT number, id, email FROM users WHERE folded_email = ?"),
    usersByIds: prepare<Found, [string]>(ownersBy("users ON users.id = wanted.value")),
    usersByEmails: prepare<Found, [string]>(ownersBy("users ON users.folded_email = wanted.value")),
    ownersOfProfileSlugs: prepare<Found, [string]>(ownersBy("users ON users.profile_slug = wanted.value")),
    ownersOfTreeSlugs: prepare<Found, [string]>(
      ownersBy(
        "link_trees ON link_trees.slug = wanted.value JOIN users ON users.number = link_trees.user_number",
      ),
    ),
    ownersOfTreeIds: prepare<Found, [string]>(
      ownersBy(
        "link_trees ON link_trees.id = wanted.value JOIN users ON users.number = link_trees.user_number",
      ),
    ),
    recordByEmail: prepare<{ record: string }, [string]>("SELECT record FROM users WHERE folded_email = ?"),
    etagOf: prepare<{ etag: string }, [number]>(
      "SELECT full_etag AS etag FROM documents WHERE user_number = ?",
    ),
    recordByNumber: prepare<{ email: string; record: string }, [number]>(
      "SELECT email, record FROM users WHERE number = ?",
    ),
    recordsAfter: prepare<{ number: number; email: string; record: string }, [number, number]>(
      "SELECT number, email, record FROM users WHERE number > ? ORDER BY number LIMIT ?",
    ),
    countUsers: prepare<{ count: number }, []>("SELECT count(*) AS count FROM users"),
    summariesAfter: prepare<UserSummary & { number: number }, [after: number, now: number, limit: number]>(`
      SELECT number, id, email, profile_slug AS profileSlug, record ->> '$.updatedAt' AS updatedAt,
        (SELECT count(*) FROM link_trees WHERE user_number = number) AS linkTrees,
        (SELECT count(*) FROM keys WHERE user_number = number AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > ?2)) AS activeKeys
      FROM users WHERE number > ?1 ORDER BY number LIMIT ?3`),

    insertUser: prepare<unknown, UserColumns>(
      "INSERT INTO users (id, email, folded_email, profile_slug, record) VALUES (?, ?, ?, ?, CAST(? AS TEXT))",
    ),
    updateUser: prepare<unknown, [...UserColumns, number: number]>(
      "UPDATE users SET id = ?, email = ?, folded_email = ?, profile_slug = ?, record = CAST(? AS TEXT) WHERE number = ?",
    ),
    deleteUser: prepare<unknown, [string]>("DELETE FROM users WHERE folded_email = ?"),

    documents: prepare<DocumentsRow, [number]>("SELECT * FROM documents WHERE user_number = ?"),
    putDocuments: prepare<unknown, DocumentsColumns>(`
      INSERT INTO documents (user_number, ${DOCUMENT_COLUMNS.join(", ")})
      VALUES (?, ${DOCUMENT_COLUMNS.map((column) => (BLOBS.has(column) ? "CAST(? AS BLOB)" : "?")).join(", ")})
      ON CONFLICT (user_number) DO UPDATE SET
        ${DOCUMENT_COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ")}`),
    linkTreesOf: prepare<LinkTreeSlice, [number]>(
      "SELECT slug, id, etag, start, length FROM link_trees WHERE user_number = ?",
    ),
    insertLinkTree: prepare<unknown, LinkTreeColumns>(`INSERT ${LINK_TREE_ROW}`),
    /** For a rebuild, which follows the records even where a row says that a tree is somebody else's. */
    reclaimLinkTree: prepare<unknown, LinkTreeColumns>(`INSERT OR REPLACE ${LINK_TREE_ROW}`),
    deleteLinkTrees: prepare<unknown, [number]>("DELETE FROM link_trees WHERE user_number = ?"),
    pagesOf: prepare<Page<Uint8Array>, [number]>(`
      SELECT slug, tree_id AS treeId, etag, picture_origin AS pictureOrigin, targets, html
      FROM pages WHERE user_number = ?`),
    insertPage: prepare<unknown, PageColumns>(`INSERT ${PAGE_ROW}`),
    reclaimPage: prepare<unknown, PageColumns>(`INSERT OR REPLACE ${PAGE_ROW}`),
    deletePages: prepare<unknown, [number]>("DELETE FROM pages WHERE user_number = ?"),

    countsSince: prepare<Omit<Count, "userNumber">, [email: string, day: string]>(`
      SELECT tree_id AS treeId, link_id AS linkId, day, count
      FROM counts JOIN users ON users.number = counts.user_number
      WHERE users.folded_email = ? AND day >= ? ORDER BY day`),

    insertKey: prepare<unknown, KeyColumns>(`
      INSERT INTO keys (hash, id, user_number, user_id, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`),
    keysOf: prepare<KeyInfo, [string]>(
      `${KEY_INFO} WHERE users.folded_email = ? ORDER BY keys.created_at, keys.id`,
    ),
    keyById: prepare<KeyInfo, [string]>(`${KEY_INFO} WHERE keys.id = ?`),
    revokeKey: prepare<unknown, [number, string]>(
      "UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
    ),
    expireKey: prepare<unknown, [number, string]>(
      "UPDATE keys SET expires_at = min(?1, ifnull(expires_at, ?1)) WHERE id = ?2",
    ),
  };
}
