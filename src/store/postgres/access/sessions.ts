import type { SQL } from "bun";
import { newId } from "../../../records/ids.ts";
import { HAS_ITS_USER, type NewSession, NoSuchUser, type SessionInfo, type Sessions } from "../../access.ts";
import { statement } from "../statement.ts";

const SESSION = `
  SELECT sessions.id, users.id AS "userId", way, device, created_at::float8 AS "createdAt",
    seen_at::float8 AS "seenAt"
  FROM vitrine.sessions LEFT JOIN vitrine.users ON users.number = sessions.user_number WHERE ${HAS_ITS_USER}`;

/** Those of a user or, where the parameter is NULL, of operators. A user who is not there has none. */
const OF_USER = `(
  $1::text IS NULL AND sessions.user_number IS NULL
  OR sessions.user_number = (SELECT number FROM vitrine.users WHERE users.id = $1))`;

const insert = statement<
  unknown,
  [hash: Uint8Array, id: string, userId: string | null, way: string, device: string, now: number]
>(`
  INSERT INTO vitrine.sessions (hash, id, user_number, way, device, created_at, seen_at)
  SELECT $1, $2, number, $4, $5, $6::float8, $6::float8
  FROM (VALUES ($3::text)) AS given (user_id) LEFT JOIN vitrine.users ON users.id = given.user_id
  WHERE given.user_id IS NULL OR number IS NOT NULL
  RETURNING id`);
const find = statement<SessionInfo, [hash: Uint8Array]>(`${SESSION} AND hash = $1`);
const see = statement<unknown, [now: number, hash: Uint8Array]>(
  "UPDATE vitrine.sessions SET seen_at = $1::float8 WHERE hash = $2",
);
const sessionsOf = statement<SessionInfo, [userId: string | null]>(
  `${SESSION} AND ${OF_USER} ORDER BY created_at DESC, sessions.id DESC`,
);
const end = statement<unknown, [userId: string | null, id: string]>(
  `DELETE FROM vitrine.sessions WHERE ${OF_USER} AND id = $2 RETURNING id`,
);
const endAll = statement<unknown, [userId: string | null]>(`DELETE FROM vitrine.sessions WHERE ${OF_USER}`);
const removeOld = statement<unknown, [now: number, ageMs: number, idleMs: number]>(`
  DELETE FROM vitrine.sessions
  WHERE abs($1::float8 - created_at) >= $2::float8 OR abs($1::float8 - seen_at) >= $3::float8`);

export class PostgresSessions implements Sessions {
  readonly #sql: SQL;
  readonly #now: () => number;

  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async open({ hash, userId, way, device }: NewSession): Promise<SessionInfo> {
    const id = newId();
    const now = this.#now();
    const opened = await insert(this.#sql, hash, id, userId, way, device, now);
    if (opened.length === 0) throw new NoSuchUser();
    return { id, userId, way, device, createdAt: now, seenAt: now };
  }

  async find(hash: Uint8Array): Promise<SessionInfo | null> {
    const [session] = await find(this.#sql, hash);
    return session ?? null;
  }

  async see(hash: Uint8Array): Promise<void> {
    await see(this.#sql, this.#now(), hash);
  }

  of(userId: string | null): Promise<SessionInfo[]> {
    return sessionsOf(this.#sql, userId);
  }

  async end(userId: string | null, id: string): Promise<boolean> {
    return (await end(this.#sql, userId, id)).length > 0;
  }

  async endAll(userId: string | null): Promise<void> {
    await endAll(this.#sql, userId);
  }

  async removeOld(now: number, ageMs: number, idleMs: number): Promise<void> {
    await removeOld(this.#sql, now, ageMs, idleMs);
  }
}
