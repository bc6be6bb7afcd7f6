import type { SQL } from "bun";
import { newId } from "../../records/ids.ts";
import { foldEmail } from "../../records/record.ts";
import { NoSuchUser } from "../access.ts";
import { type KeyInfoRow, keyInfoOf, pathsText } from "../key-paths.ts";
import type { StoredUser } from "../save/plan.ts";
import type { KeyInfo, Keys, NewKey, RotatedKey } from "../store.ts";
import { statement } from "./statement.ts";

/** Numbers and instants come as double precision: exact up to 2^53, where a bigint would come as a text. */
const KEY_INFO = `
  SELECT keys.id, users.email, keys.name, keys.view, keys.paths, keys.created_at::float8 AS "createdAt",
    keys.expires_at::float8 AS "expiresAt", keys.revoked_at::float8 AS "revokedAt",
    keys.last_used_at::float8 AS "lastUsedAt"
  FROM vitrine.keys JOIN vitrine.users ON users.number = keys.user_number`;

/** Held, so that nobody is deleted meanwhile, and in the order in which everybody holds users. */
const usersByEmails = statement<StoredUser & { foldedEmail: string }, [emails: readonly string[]]>(`
  SELECT number::float8, id, email, folded_email AS "foldedEmail"
  FROM vitrine.users WHERE folded_email = ANY ($1::text[]) ORDER BY users.number FOR KEY SHARE`);

const insertKeys = statement<unknown, [rows: string]>(`
  INSERT INTO vitrine.keys (hash, id, user_number, user_id, name, view, paths, created_at, expires_at)
  SELECT decode(hash, 'hex'), id, "userNumber", "userId", name, view, paths, "createdAt", "expiresAt"
  FROM json_to_recordset($1::text::json) AS given (hash text, id text, "userNumber" bigint, "userId" text,
    name text, view text, paths text, "createdAt" bigint, "expiresAt" bigint)`);

const keysOf = statement<KeyInfoRow, [email: string]>(
  `${KEY_INFO} WHERE users.folded_email = $1 ORDER BY keys.created_at, keys.id`,
);
const keyById = statement<KeyInfoRow, [id: string]>(`${KEY_INFO} WHERE keys.id = $1`);
/** With its owner held before the key is, as a user who is deleted is locked before what goes along. */
const keyToRotate = statement<KeyInfoRow, [id: string]>(
  `${KEY_INFO} WHERE keys.id = $1 FOR KEY SHARE OF users`,
);
const keysExpiring = statement<KeyInfoRow, [after: number, until: number]>(`
  ${KEY_INFO} WHERE keys.expires_at > $1::float8::bigint AND keys.expires_at <= $2::float8::bigint
    AND keys.revoked_at IS NULL
  ORDER BY keys.expires_at, keys.id`);
const revokeKey = statement<unknown, [now: number, id: string]>(
  "UPDATE vitrine.keys SET revoked_at = $1::float8 WHERE id = $2 AND revoked_at IS NULL",
);
/** `least` passes over NULL: a key without an end gets one. */
const expireKey = statement<unknown, [at: number, id: string]>(
  "UPDATE vitrine.keys SET expires_at = least($1::float8::bigint, expires_at) WHERE id = $2",
);
const restoreExpiry = statement<unknown, [at: number | null, id: string, present: number]>(
  "UPDATE vitrine.keys SET expires_at = $1::float8::bigint WHERE id = $2 AND expires_at = $3::float8::bigint",
);

export class PostgresKeys implements Keys {
  readonly #sql: SQL;
  readonly #now: () => number;

  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  create(keys: readonly NewKey[]): Promise<KeyInfo[]> {
    return this.#sql.begin((sql) => this.#insert(keys, sql));
  }

  async #insert(keys: readonly NewKey[], sql: SQL): Promise<KeyInfo[]> {
    const emails = keys.map(({ email }) => foldEmail(email));
    const found = await usersByEmails(sql, emails);
    const users = new Map(found.map((user) => [user.foldedEmail, user]));
    const createdAt = this.#now();
    const made = keys.map(({ email, hash, name, expiresAt, view = "full", paths = null }) => {
      const user = users.get(foldEmail(email));
      if (!user) throw new NoSuchUser();
      const info = { id: newId(), email: user.email, name, view, paths, createdAt, expiresAt };
      const owner = { userNumber: user.number, userId: user.id };
      return {
        info,
        row: { ...info, ...owner, hash: Buffer.from(hash).toString("hex"), paths: pathsText(paths) },
      };
    });
    await insertKeys(sql, JSON.stringify(made.map(({ row }) => row)));
    return made.map(({ info }) => ({ ...info, revokedAt: null, lastUsedAt: null }));
  }

  async of(email: string): Promise<KeyInfo[]> {
    return (await keysOf(this.#sql, foldEmail(email))).map(keyInfoOf);
  }

  async find(id: string): Promise<KeyInfo | null> {
    const [row] = await keyById(this.#sql, id);
    return row ? keyInfoOf(row) : null;
  }

  async expiringUntil(time: number): Promise<KeyInfo[]> {
    return (await keysExpiring(this.#sql, this.#now(), time)).map(keyInfoOf);
  }

  async revoke(id: string): Promise<KeyInfo | null> {
    await revokeKey(this.#sql, this.#now(), id);
    return this.find(id);
  }

  async rotate(id: string, { hash, expiresAt, oldExpiresAt }: RotatedKey): Promise<KeyInfo> {
    return this.#sql.begin(async (sql) => {
      const [old] = (await keyToRotate(sql, id)).map(keyInfoOf);
      if (!old) throw new Error(`no key ${id}`);
      await expireKey(sql, oldExpiresAt, id);
      const { email, name, view, paths } = old;
      const [key] = await this.#insert([{ email, name, view, paths, hash, expiresAt }], sql);
      return key as KeyInfo;
    });
  }

  async undoRotation(newId: string, old: KeyInfo, oldExpiresAt: number): Promise<void> {
    await this.#sql.begin(async (sql) => {
      await revokeKey(sql, this.#now(), newId);
      await restoreExpiry(sql, old.expiresAt, old.id, oldExpiresAt);
    });
  }
}
