import type { Database, Statement } from "bun:sqlite";
import { DOCUMENT_KINDS, type DocumentKind } from "../../contract/routes.ts";
import type { Document, LinkTreeDocument } from "../../documents/compile.ts";
import type { StoredUser } from "../plan.ts";
import type { KeyInfo, UserSummary } from "../store.ts";
import { documentTable } from "./migrations.ts";

const KEY_INFO = `
  SELECT keys.id, users.email, keys.name, keys.created_at AS createdAt, keys.expires_at AS expiresAt,
    keys.revoked_at AS revokedAt, keys.last_used_at AS lastUsedAt
  FROM keys JOIN users ON users.number = keys.user_number`;

type UserColumns = [id: string, email: string, foldedEmail: string, profileSlug: string, record: string];
type KeyColumns = [
  hash: Uint8Array,
  id: string,
  userNumber: number,
  userId: string,
  name: string | null,
  createdAt: number,
  expiresAt: number | null,
];

export type Statements = ReturnType<typeof prepareStatements>;

/** Every statement of the write side, as SQL, prepared once. */
export function prepareStatements(database: Database) {
  const prepare = <Row, Parameters extends (string | number | null | Uint8Array)[]>(sql: string) =>
    database.prepare<Row, Parameters>(sql);
  const perKind = <Row, Parameters extends (string | number | Uint8Array)[]>(
    sql: (table: string) => string,
  ) =>
    Object.fromEntries(
      DOCUMENT_KINDS.map((kind) => [kind, prepare<Row, Parameters>(sql(documentTable(kind)))]),
    ) as Record<DocumentKind, Statement<Row, Parameters>>;

  return {
    userById: prepare<StoredUser & { id: string }, [string]>(
      "SELECT number, id, email FROM users WHERE id = ?",
    ),
    userByEmail: prepare<StoredUser & { id: string }, [string]>(
      "SELECT number, id, email FROM users WHERE folded_email = ?",
    ),
    ownerOfProfileSlug: prepare<StoredUser, [string]>(
      "SELECT number, email FROM users WHERE profile_slug = ?",
    ),
    ownerOfTreeSlug: prepare<StoredUser, [string]>(`
      SELECT users.number, users.email
      FROM documents_linktree AS trees JOIN users ON users.number = trees.user_number WHERE trees.slug = ?`),
    ownerOfTreeId: prepare<StoredUser, [string]>(`
      SELECT users.number, users.email
      FROM documents_linktree AS trees JOIN users ON users.number = trees.user_number WHERE trees.id = ?`),
    recordByNumber: prepare<{ email: string; record: string }, [number]>(
      "SELECT email, record FROM users WHERE number = ?",
    ),
    recordsAfter: prepare<{ number: number; email: string; record: string }, [number, number]>(
      "SELECT number, email, record FROM users WHERE number > ? ORDER BY number LIMIT ?",
    ),
    countUsers: prepare<{ count: number }, []>("SELECT count(*) AS count FROM users"),
    summariesAfter: prepare<UserSummary & { number: number }, [after: number, now: number, limit: number]>(`
      SELECT number, id, email, profile_slug AS profileSlug, record ->> '$.updatedAt' AS updatedAt,
        (SELECT count(*) FROM documents_linktree WHERE user_number = number) AS linkTrees,
        (SELECT count(*) FROM keys WHERE user_number = number AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > ?2)) AS activeKeys
      FROM users WHERE number > ?1 ORDER BY number LIMIT ?3`),

    insertUser: prepare<unknown, UserColumns>(
      "INSERT INTO users (id, email, folded_email, profile_slug, record) VALUES (?, ?, ?, ?, ?)",
    ),
    updateUser: prepare<unknown, [...UserColumns, number: number]>(
      "UPDATE users SET id = ?, email = ?, folded_email = ?, profile_slug = ?, record = ? WHERE number = ?",
    ),
    deleteUser: prepare<unknown, [string]>("DELETE FROM users WHERE folded_email = ?"),

    document: perKind<Document, [number]>((table) => `SELECT etag, body FROM ${table} WHERE user_number = ?`),
    putDocument: perKind<unknown, [number, string, Uint8Array]>(
      (table) => `
      INSERT INTO ${table} (user_number, etag, body) VALUES (?, ?, ?)
      ON CONFLICT (user_number) DO UPDATE SET etag = excluded.etag, body = excluded.body`,
    ),
    linkTreesOf: prepare<LinkTreeDocument, [number]>(
      "SELECT slug, id, etag, body FROM documents_linktree WHERE user_number = ?",
    ),
    insertLinkTree: prepare<unknown, [string, string, number, string, Uint8Array]>(
      "INSERT INTO documents_linktree (slug, id, user_number, etag, body) VALUES (?, ?, ?, ?, ?)",
    ),
    deleteLinkTrees: prepare<unknown, [number]>("DELETE FROM documents_linktree WHERE user_number = ?"),

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
