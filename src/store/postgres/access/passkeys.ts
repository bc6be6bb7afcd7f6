import type { SQL } from "bun";
import {
  type NewPasskey,
  NoSuchUser,
  type PasskeyColumns,
  type PasskeyInfo,
  type PasskeyRow,
  type Passkeys,
  passkeyOf,
} from "../../access.ts";
import { statement } from "../statement.ts";
import { lockUser } from "./user-lock.ts";

const PASSKEY = `
  SELECT passkeys.id, users.id AS "userId", name, public_key AS "publicKey", counter::float8, transports,
    created_at::float8 AS "createdAt", last_used_at::float8 AS "lastUsedAt"
  FROM vitrine.passkeys JOIN vitrine.users ON users.number = passkeys.user_number`;

const NUMBER = "(SELECT number FROM vitrine.users WHERE users.id = $1)";

const insert = statement<unknown, PasskeyColumns>(`
  INSERT INTO vitrine.passkeys (user_number, id, name, public_key, counter, transports, created_at)
  SELECT number, $2, $3, $4, $5::float8, $6, $7::float8 FROM vitrine.users WHERE users.id = $1
  RETURNING passkeys.id`);
const passkeysOf = statement<PasskeyRow, [userId: string]>(
  `${PASSKEY} WHERE users.id = $1 ORDER BY created_at, passkeys.id`,
);
const find = statement<PasskeyRow, [id: string]>(`${PASSKEY} WHERE passkeys.id = $1`);
const noteUse = statement<unknown, [counter: number, now: number, id: string]>(
  "UPDATE vitrine.passkeys SET counter = $1::float8, last_used_at = $2::float8 WHERE id = $3",
);
const remove = statement<unknown, [userId: string, id: string]>(
  `DELETE FROM vitrine.passkeys WHERE user_number = ${NUMBER} AND id = $2 RETURNING id`,
);
const endSessionsWithoutPasskey = statement<unknown, [userId: string]>(`
  DELETE FROM vitrine.sessions
  WHERE user_number = ${NUMBER} AND NOT EXISTS (SELECT FROM vitrine.passkeys WHERE user_number = ${NUMBER})`);

export class PostgresPasskeys implements Passkeys {
  readonly #sql: SQL;
  readonly #now: () => number;

  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async add(userId: string, passkey: NewPasskey): Promise<PasskeyInfo> {
    const { id, name, publicKey, counter, transports } = passkey;
    const createdAt = this.#now();
    const put = await insert(this.#sql, userId, id, name, publicKey, counter, transports.join(), createdAt);
    if (put.length === 0) throw new NoSuchUser();
    return { ...passkey, userId, createdAt, lastUsedAt: null };
  }

  async of(userId: string): Promise<PasskeyInfo[]> {
    return (await passkeysOf(this.#sql, userId)).map(passkeyOf);
  }

  async find(id: string): Promise<PasskeyInfo | null> {
    const [row] = await find(this.#sql, id);
    return row ? passkeyOf(row) : null;
  }

  async noteUse(id: string, counter: number): Promise<void> {
    await noteUse(this.#sql, counter, this.#now(), id);
  }

  remove(userId: string, id: string): Promise<boolean> {
    return this.#sql.begin(async (sql) => {
      await lockUser(sql, userId);
      if ((await remove(sql, userId, id)).length === 0) return false;
      await endSessionsWithoutPasskey(sql, userId);
      return true;
    });
  }
}
