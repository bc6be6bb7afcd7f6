import type { Database } from "bun:sqlite";
import type { View } from "../../contract/access.ts";
import { newId } from "../../records/ids.ts";
import { foldEmail } from "../../records/record.ts";
import { NoSuchUser } from "../access.ts";
import { type KeyInfoRow, keyInfoOf, pathsText } from "../key-paths.ts";
import type { StoredUser } from "../save/plan.ts";
import type { KeyInfo, Keys, NewKey, RotatedKey } from "../store.ts";
import { writing } from "./transaction.ts";

const KEY_INFO = `
  SELECT keys.id, users.email, keys.name, keys.view, keys.paths, keys.created_at AS createdAt,
    keys.expires_at AS expiresAt, keys.revoked_at AS revokedAt, keys.last_used_at AS lastUsedAt
  FROM keys JOIN users ON users.number = keys.user_number`;

type KeyColumns = [
  hash: Uint8Array,
  id: string,
  userNumber: number,
  userId: string,
  name: string | null,
  createdAt: number,
  expiresAt: number | null,
  view: View,
  paths: string | null,
];

function prepareStatements(database: Database) {
  return {
    userByEmail: database.prepare<StoredUser, [string]>(
      "SELECT number, id, email FROM users WHERE folded_email = ?",
    ),
    insert: database.prepare<unknown, KeyColumns>(`
      INSERT INTO keys (hash, id, user_number, user_id, name, created_at, expires_at, view, paths)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    of: database.prepare<KeyInfoRow, [string]>(
      `${KEY_INFO} WHERE users.folded_email = ? ORDER BY keys.created_at, keys.id`,
    ),
    byId: database.prepare<KeyInfoRow, [string]>(`${KEY_INFO} WHERE keys.id = ?`),
    expiring: database.prepare<KeyInfoRow, [after: number, until: number]>(`
      ${KEY_INFO} WHERE keys.expires_at > ? AND keys.expires_at <= ? AND keys.revoked_at IS NULL
      ORDER BY keys.expires_at, keys.id`),
    revoke: database.prepare<unknown, [number, string]>(
      "UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
    ),
    expire: database.prepare<unknown, [number, string]>(
      "UPDATE keys SET expires_at = min(?1, ifnull(expires_at, ?1)) WHERE id = ?2",
    ),
    restoreExpiry: database.prepare<unknown, [number | null, id: string, present: number]>(
      "UPDATE keys SET expires_at = ? WHERE id = ? AND expires_at = ?",
    ),
  };
}

export class SqliteKeys implements Keys {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepareStatements(database);
  }

  async create(keys: readonly NewKey[]): Promise<KeyInfo[]> {
    return writing(this.#database, () => keys.map((key) => this.#insert(key)));
  }

  #insert({ email, hash, name, expiresAt, view = "full", paths = null }: NewKey): KeyInfo {
    const user = this.#statements.userByEmail.get(foldEmail(email));
    if (!user) throw new NoSuchUser();
    const id = newId();
    const createdAt = this.#now();
    const { insert } = this.#statements;
    insert.run(hash, id, user.number, user.id, name, createdAt, expiresAt, view, pathsText(paths));
    const times = { createdAt, expiresAt, revokedAt: null, lastUsedAt: null };
    return { id, email: user.email, name, view, paths, ...times };
  }

  async of(email: string): Promise<KeyInfo[]> {
    return this.#statements.of.all(foldEmail(email)).map(keyInfoOf);
  }

  async find(id: string): Promise<KeyInfo | null> {
    return this.#find(id);
  }

  #find(id: string): KeyInfo | null {
    const row = this.#statements.byId.get(id);
    return row && keyInfoOf(row);
  }

  async expiringUntil(time: number): Promise<KeyInfo[]> {
    return this.#statements.expiring.all(this.#now(), time).map(keyInfoOf);
  }

  async revoke(id: string): Promise<KeyInfo | null> {
    return writing(this.#database, () => {
      this.#statements.revoke.run(this.#now(), id);
      return this.#find(id);
    });
  }

  async rotate(id: string, { hash, expiresAt, oldExpiresAt }: RotatedKey): Promise<KeyInfo> {
    return writing(this.#database, () => {
      const old = this.#find(id);
      if (!old) throw new Error(`no key ${id}`);
      this.#statements.expire.run(oldExpiresAt, id);
      const { email, name, view, paths } = old;
      return this.#insert({ email, name, view, paths, hash, expiresAt });
    });
  }

  async undoRotation(newId: string, old: KeyInfo, oldExpiresAt: number): Promise<void> {
    await writing(this.#database, () => {
      this.#statements.revoke.run(this.#now(), newId);
      this.#statements.restoreExpiry.run(old.expiresAt, old.id, oldExpiresAt);
    });
  }
}
