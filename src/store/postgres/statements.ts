import type { SQL } from "bun";
import { type LinkTreeSlice, SLICED_KINDS } from "../../documents/compile.ts";
import type { Page } from "../../documents/page.ts";
import type { DocumentsRow } from "../documents-row.ts";
import type { StoredUser } from "../plan.ts";
import type { KeyInfo, TreeCount, UserSummary } from "../store.ts";
import { ADVISORY_LOCKS, BOUND_LOCK_WAIT, sought } from "./connection.ts";
import type { Found } from "./lookup.ts";
import { type PackedColumns, type PackedRows, unpacking } from "./packed-rows.ts";

type Value = string | number | null | Uint8Array | readonly string[] | readonly number[];

/** A statement by its text, which Bun prepares once on every connection. Arrays are for `= ANY`. */
export function statement<Row, Parameters extends Value[] = []>(text: string) {
  return async (sql: SQL, ...parameters: Parameters): Promise<Row[]> =>
    sql.unsafe<Row[]>(
      text,
      parameters.map((value) => {
        if (Array.isArray(value)) return sql.array(value, typeof value[0] === "number" ? "BIGINT" : "TEXT");
        return typeof value === "string" ? sought(value) : value;
      }),
    );
}

/** The same, for a statement that takes packed rows. */
export function packedStatement<Row = unknown>(text: string) {
  const run = statement<Row, [string, Uint8Array]>(text);
  return (sql: SQL, rows: PackedRows): Promise<Row[]> => run(sql, ...rows.parameters);
}

/** Numbers and instants come as double precision: exact up to 2^53, where a bigint would come as a text. */
const KEY_INFO = `
  SELECT keys.id, users.email, keys.name, keys.created_at::float8 AS "createdAt",
    keys.expires_at::float8 AS "expiresAt", keys.revoked_at::float8 AS "revokedAt",
    keys.last_used_at::float8 AS "lastUsedAt"
  FROM vitrine.keys JOIN vitrine.users ON users.number = keys.user_number`;

export const USER = {
  id: "text",
  email: "text",
  folded_email: "text",
  profile_slug: "text",
  record: "long text",
} as const satisfies PackedColumns;
const DOCUMENTS: PackedColumns = {
  user_number: "bigint",
  full_etag: "text",
  links_etag: "text",
  links: "long bytes",
  ...Object.fromEntries(
    SLICED_KINDS.flatMap((kind) => [
      [`${kind}_etag`, "text"],
      [`${kind}_start`, "int"],
      [`${kind}_length`, "int"],
    ]),
  ),
  body: "long bytes",
};
const LINK_TREE: PackedColumns = {
  slug: "text",
  id: "text",
  user_number: "bigint",
  etag: "text",
  start: "int",
  length: "int",
};
const PAGE: PackedColumns = {
  slug: "text",
  user_number: "bigint",
  tree_id: "text",
  etag: "text",
  picture_origin: "text",
  targets: "long text",
  html: "long bytes",
};

function insertInto(table: string, columns: PackedColumns): string {
  const { values, source } = unpacking(columns);
  return `INSERT INTO vitrine.${table} (${Object.keys(columns).join(", ")}) SELECT ${values} FROM ${source}`;
}

function updateOfUsers(): string {
  const { values, source } = unpacking({ ...USER, number: "bigint" });
  const columns = [...Object.keys(USER), "number"];
  return `
    UPDATE vitrine.users SET ${Object.keys(USER).map((column) => `${column} = given.${column}`)}
    FROM (SELECT ${values} FROM ${source}) AS given (${columns}) WHERE users.number = given.number`;
}

export interface StoredRecord {
  readonly number: number;
  readonly email: string;
  readonly record: string;
}

type Owned<Item> = Item & { readonly userNumber: number };

/** Writers of records come one after the other, whatever they write: so none of them can wait in a circle. */
export const lockWriters = statement(
  `SELECT ${BOUND_LOCK_WAIT}, pg_advisory_xact_lock(${ADVISORY_LOCKS.writers})`,
);

/** Everything that is stored about a batch: whom it concerns, with record and tag, and who owns what it claims. */
export const lookUp = statement<
  Found,
  [
    ids: readonly string[],
    emails: readonly string[],
    profileSlugs: readonly string[],
    treeSlugs: readonly string[],
    treeIds: readonly string[],
  ]
>(`
  SELECT 'user' AS kind, folded_email AS value, number::float8, id, email, record, full_etag AS etag
  FROM vitrine.users LEFT JOIN vitrine.documents ON documents.user_number = users.number
  WHERE number IN (
    SELECT number FROM vitrine.users WHERE id = ANY ($1::text[])
    UNION SELECT number FROM vitrine.users WHERE folded_email = ANY ($2::text[])
  )
  UNION ALL
  SELECT 'profileSlug', profile_slug, number::float8, id, email, NULL, NULL
  FROM vitrine.users WHERE profile_slug = ANY ($3::text[])
  UNION ALL
  SELECT 'treeSlug', link_trees.slug, number::float8, users.id, email, NULL, NULL
  FROM vitrine.link_trees JOIN vitrine.users ON users.number = link_trees.user_number
  WHERE link_trees.slug = ANY ($4::text[])
  UNION ALL
  SELECT 'treeId', link_trees.id, number::float8, users.id, email, NULL, NULL
  FROM vitrine.link_trees JOIN vitrine.users ON users.number = link_trees.user_number
  WHERE link_trees.id = ANY ($5::text[])`);

/**
 * The tags of users as they are now, and until the transaction ends. Users are locked in the order in which those
 * who count lock them, so that neither waits for the other in a circle.
 */
export const lockUsers = statement<{ number: number; etag: string | null }, [numbers: readonly number[]]>(`
  SELECT number::float8, full_etag AS etag
  FROM vitrine.users LEFT JOIN vitrine.documents ON documents.user_number = users.number
  WHERE number = ANY ($1::bigint[]) ORDER BY users.number FOR UPDATE OF users`);

export const usersByEmails = statement<StoredUser & { foldedEmail: string }, [emails: readonly string[]]>(`
  SELECT number::float8, id, email, folded_email AS "foldedEmail"
  FROM vitrine.users WHERE folded_email = ANY ($1::text[])`);

export const recordByEmail = statement<{ record: string }, [email: string]>(
  "SELECT record FROM vitrine.users WHERE folded_email = $1",
);

export const recordsAfter = statement<StoredRecord, [after: number, limit: number]>(`
  SELECT number::float8, email, record FROM vitrine.users WHERE number > $1::bigint ORDER BY users.number LIMIT $2::int`);

export const recordsOf = statement<StoredRecord, [numbers: readonly number[]]>(`
  SELECT number::float8, email, record FROM vitrine.users WHERE number = ANY ($1::bigint[]) ORDER BY users.number`);

export const countUsers = statement<{ count: number }>("SELECT count(*)::float8 AS count FROM vitrine.users");

export const summariesAfter = statement<
  UserSummary & { number: number },
  [after: number, now: number, limit: number]
>(`
  SELECT number::float8, id, email, profile_slug AS "profileSlug", record::json ->> 'updatedAt' AS "updatedAt",
    (SELECT count(*)::int FROM vitrine.link_trees WHERE user_number = users.number) AS "linkTrees",
    (SELECT count(*)::int FROM vitrine.keys WHERE user_number = users.number AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > $2::float8)) AS "activeKeys"
  FROM vitrine.users WHERE number > $1::bigint ORDER BY users.number LIMIT $3::int`);

export const insertUsers = packedStatement<{ id: string; number: number }>(
  `${insertInto("users", USER)} RETURNING id, number::float8`,
);
export const updateUsers = packedStatement(updateOfUsers());
export const deleteUser = statement<unknown, [email: string]>(
  "DELETE FROM vitrine.users WHERE folded_email = $1 RETURNING number",
);

export const putDocuments = packedStatement(`
  ${insertInto("documents", DOCUMENTS)}
  ON CONFLICT (user_number) DO UPDATE SET
    ${Object.keys(DOCUMENTS).map((column) => `${column} = excluded.${column}`)}`);
export const documentsAmong = statement<Owned<DocumentsRow>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", documents.* FROM vitrine.documents
  WHERE user_number = ANY ($1::bigint[])`);

export const insertLinkTrees = packedStatement(insertInto("link_trees", LINK_TREE));
export const linkTreesAmong = statement<Owned<LinkTreeSlice>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", slug, id, etag, start, length FROM vitrine.link_trees
  WHERE user_number = ANY ($1::bigint[])`);
export const deleteLinkTrees = statement<
  unknown,
  [owners: readonly number[], slugs: readonly string[], ids: readonly string[]]
>(`
  DELETE FROM vitrine.link_trees
  WHERE user_number = ANY ($1::bigint[]) OR slug = ANY ($2::text[]) OR id = ANY ($3::text[])`);

export const insertPages = packedStatement(insertInto("pages", PAGE));
export const pagesAmong = statement<Owned<Page<Uint8Array>>, [numbers: readonly number[]]>(`
  SELECT user_number::float8 AS "userNumber", slug, tree_id AS "treeId", etag, picture_origin AS "pictureOrigin",
    targets, html
  FROM vitrine.pages WHERE user_number = ANY ($1::bigint[])`);
export const deletePages = statement<unknown, [owners: readonly number[], slugs: readonly string[]]>(
  "DELETE FROM vitrine.pages WHERE user_number = ANY ($1::bigint[]) OR slug = ANY ($2::text[])",
);

export const countsSince = statement<TreeCount, [email: string, day: string]>(`
  SELECT tree_id AS "treeId", link_id AS "linkId", day, count::float8
  FROM vitrine.counts JOIN vitrine.users ON users.number = counts.user_number
  WHERE users.folded_email = $1 AND day >= $2 ORDER BY day`);

export const insertKeys = statement<unknown, [rows: string]>(`
  INSERT INTO vitrine.keys (hash, id, user_number, user_id, name, created_at, expires_at)
  SELECT decode(hash, 'hex'), id, "userNumber", "userId", name, "createdAt", "expiresAt"
  FROM json_to_recordset($1::text::json) AS given (hash text, id text, "userNumber" bigint, "userId" text,
    name text, "createdAt" bigint, "expiresAt" bigint)`);
export const keysOf = statement<KeyInfo, [email: string]>(
  `${KEY_INFO} WHERE users.folded_email = $1 ORDER BY keys.created_at, keys.id`,
);
export const keyById = statement<KeyInfo, [id: string]>(`${KEY_INFO} WHERE keys.id = $1`);
export const revokeKey = statement<unknown, [now: number, id: string]>(
  "UPDATE vitrine.keys SET revoked_at = $1::float8 WHERE id = $2 AND revoked_at IS NULL",
);
/** `least` passes over NULL: a key without an end gets one. */
export const expireKey = statement<unknown, [at: number, id: string]>(
  "UPDATE vitrine.keys SET expires_at = least($1::float8::bigint, expires_at) WHERE id = $2",
);

/** Tables whose rows belong to a user. The database itself holds that; a fault of it would show here. */
export const orphanedTables = statement<{ table: string }>(
  ["keys", "documents", "link_trees", "pages", "counts"]
    .map(
      (table) => `
      SELECT '${table}' AS table WHERE EXISTS (
        SELECT FROM vitrine.${table} LEFT JOIN vitrine.users ON users.number = user_number WHERE number IS NULL)`,
    )
    .join(" UNION ALL "),
);
