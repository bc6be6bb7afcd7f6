import type { Database } from "bun:sqlite";
import { newId } from "../../../records/ids.ts";
import { HAS_ITS_USER, type NewSession, NoSuchUser, type SessionInfo, type Sessions } from "../../access.ts";
import { writing } from "../transaction.ts";

const SESSION = `
  SELECT sessions.id, users.id AS userId, way, device, created_at AS createdAt, seen_at AS seenAt
  FROM sessions LEFT JOIN users ON users.number = sessions.user_number WHERE ${HAS_ITS_USER}`;

/** Those of a user or, where the parameter is NULL, of operators. A user who is not there has none. */
const OF_USER = `(
  ?1 IS NULL AND sessions.user_number IS NULL
  OR sessions.user_number = (SELECT number FROM users WHERE users.id = ?1))`;

function prepareStatements(database: Database) {
  return {
    numberOf: database.prepare<{ number: number }, [userId: string]>("SELECT number FROM users WHERE id = ?"),
    insert: database.prepare<
      unknown,
      [hash: Uint8Array, id: string, userNumber: number | null, way: string, device: string, now: number]
    >(`
      INSERT INTO sessions (hash, id, user_number, way, device, created_at, seen_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)`),
    find: database.prepare<SessionInfo, [hash: Uint8Array]>(`${SESSION} AND hash = ?`),
    see: database.prepare<unknown, [now: number, hash: Uint8Array]>(
      "UPDATE sessions SET seen_at = ? WHERE hash = ?",
    ),
    of: database.prepare<SessionInfo, [userId: string | null]>(
      `${SESSION} AND ${OF_USER} ORDER BY created_at DESC, sessions.id DESC`,
    ),
    end: database.prepare<unknown, [userId: string | null, id: string]>(
      `DELETE FROM sessions WHERE ${OF_USER} AND id = ?2`,
    ),
    endAll: database.prepare<unknown, [userId: string | null]>(`DELETE FROM sessions WHERE ${OF_USER}`),
    removeOld: database.prepare<unknown, [now: number, ageMs: number, idleMs: number]>(
      "DELETE FROM sessions WHERE abs(?1 - created_at) >= ?2 OR abs(?1 - seen_at) >= ?3",
    ),
  };
}

export class SqliteSessions implements Sessions {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepareStatements(database);
  }

  async open({ hash, userId, way, device }: NewSession): Promise<SessionInfo> {
    return writing(this.#database, () => {
      const user = userId === null ? null : this.#statements.numberOf.get(userId);
      if (userId !== null && !user) throw new NoSuchUser();
      const id = newId();
      const now = this.#now();
      this.#statements.insert.run(hash, id, user?.number ?? null, way, device, now);
      return { id, userId, way, device, createdAt: now, seenAt: now };
    });
  }

  async find(hash: Uint8Array): Promise<SessionInfo | null> {
    return this.#statements.find.get(hash);
  }

  async see(hash: Uint8Array): Promise<void> {
    await writing(this.#database, () => {
      this.#statements.see.run(this.#now(), hash);
    });
  }

  async of(userId: string | null): Promise<SessionInfo[]> {
    return this.#statements.of.all(userId);
  }

  async end(userId: string | null, id: string): Promise<boolean> {
    return writing(this.#database, () => this.#statements.end.run(userId, id).changes > 0);
  }

  async endAll(userId: string | null): Promise<void> {
    await writing(this.#database, () => {
      this.#statements.endAll.run(userId);
    });
  }

  async removeOld(now: number, ageMs: number, idleMs: number): Promise<void> {
    await writing(this.#database, () => {
      this.#statements.removeOld.run(now, ageMs, idleMs);
    });
  }
}
