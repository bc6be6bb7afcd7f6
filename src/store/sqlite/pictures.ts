import type { Database } from "bun:sqlite";
import { NoSuchUser } from "../access.ts";
import type { NewPicture, Pictures } from "../pictures.ts";
import { writing } from "./transaction.ts";

function prepareStatements(database: Database) {
  return {
    put: database.prepare<
      unknown,
      [hash: string, type: string, now: number, bytes: Uint8Array, userId: string]
    >(`
      INSERT INTO pictures (hash, user_number, type, created_at, bytes)
      SELECT ?1, number, ?2, ?3, ?4 FROM users WHERE id = ?5
      ON CONFLICT (hash, user_number) DO UPDATE SET created_at = excluded.created_at`),
    /** The hashes to keep are a JSON array, so that the text is the same for any number of them. */
    removeUnused: database.prepare<unknown, [userId: string, kept: string, putBefore: number]>(`
      DELETE FROM pictures
      WHERE user_number = (SELECT number FROM users WHERE id = ?1) AND created_at < ?3
        AND hash NOT IN (SELECT value FROM json_each(?2))`),
  };
}

export class SqlitePictures implements Pictures {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepareStatements(database);
  }

  async put(userId: string, { hash, type, bytes }: NewPicture): Promise<void> {
    writing(this.#database, () => {
      const { changes } = this.#statements.put.run(hash, type, this.#now(), bytes, userId);
      if (changes === 0) throw new NoSuchUser();
    });
  }

  async removeUnused(userId: string, kept: readonly string[], putBefore: number): Promise<void> {
    writing(this.#database, () => {
      this.#statements.removeUnused.run(userId, JSON.stringify(kept), putBefore);
    });
  }
}
