import type { Database } from "bun:sqlite";
import {
  type NewPasskey,
  NoSuchUser,
  type PasskeyColumns,
  type PasskeyInfo,
  type PasskeyRow,
  type Passkeys,
  passkeyOf,
} from "../../access.ts";
import { writing } from "../transaction.ts";

const PASSKEY = `
  SELECT passkeys.id, users.id AS userId, name, public_key AS publicKey, counter, transports,
    created_at AS createdAt, last_used_at AS lastUsedAt
  FROM passkeys JOIN users ON users.number = passkeys.user_number`;

const NUMBER = "(SELECT number FROM users WHERE users.id = ?1)";

function prepareStatements(database: Database) {
  return {
    insert: database.prepare<unknown, PasskeyColumns>(`
      INSERT INTO passkeys (user_number, id, name, public_key, counter, transports, created_at)
      SELECT number, ?2, ?3, ?4, ?5, ?6, ?7 FROM users WHERE id = ?1`),
    of: database.prepare<PasskeyRow, [userId: string]>(
      `${PASSKEY} WHERE users.id = ? ORDER BY created_at, passkeys.id`,
    ),
    find: database.prepare<PasskeyRow, [id: string]>(`${PASSKEY} WHERE passkeys.id = ?`),
    noteUse: database.prepare<unknown, [counter: number, now: number, id: string]>(
      "UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ?",
    ),
    remove: database.prepare<unknown, [userId: string, id: string]>(
      `DELETE FROM passkeys WHERE user_number = ${NUMBER} AND id = ?2`,
    ),
    endSessionsWithoutPasskey: database.prepare<unknown, [userId: string]>(`
      DELETE FROM sessions
      WHERE user_number = ${NUMBER} AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_number = ${NUMBER})`),
  };
}

export class SqlitePasskeys implements Passkeys {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepareStatements(database);
  }

  async add(userId: string, passkey: NewPasskey): Promise<PasskeyInfo> {
    const { id, name, publicKey, counter, transports } = passkey;
    const createdAt = this.#now();
    return writing(this.#database, () => {
      const { insert } = this.#statements;
      const put = insert.run(userId, id, name, publicKey, counter, transports.join(), createdAt);
      if (put.changes === 0) throw new NoSuchUser();
      return { ...passkey, userId, createdAt, lastUsedAt: null };
    });
  }

  async of(userId: string): Promise<PasskeyInfo[]> {
    return this.#statements.of.all(userId).map(passkeyOf);
  }

  async find(id: string): Promise<PasskeyInfo | null> {
    const row = this.#statements.find.get(id);
    return row && passkeyOf(row);
  }

  async noteUse(id: string, counter: number): Promise<void> {
    await writing(this.#database, () => {
      this.#statements.noteUse.run(counter, this.#now(), id);
    });
  }

  async remove(userId: string, id: string): Promise<boolean> {
    return writing(this.#database, () => {
      if (this.#statements.remove.run(userId, id).changes === 0) return false;
      this.#statements.endSessionsWithoutPasskey.run(userId);
      return true;
    });
  }
}
