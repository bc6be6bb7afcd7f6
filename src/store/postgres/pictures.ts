import type { SQL } from "bun";
import { NoSuchUser } from "../access.ts";
import type { NewPicture, Pictures } from "../pictures.ts";
import { statement } from "./statement.ts";

const putPicture = statement<
  unknown,
  [hash: string, type: string, now: number, bytes: Uint8Array, userId: string]
>(`
  INSERT INTO vitrine.pictures (hash, user_number, type, created_at, bytes)
  SELECT $1, number, $2, $3::float8, $4 FROM vitrine.users WHERE id = $5
  ON CONFLICT (hash, user_number) DO UPDATE SET created_at = excluded.created_at
  RETURNING hash`);

const removeUnused = statement<unknown, [userId: string, kept: readonly string[], putBefore: number]>(`
  DELETE FROM vitrine.pictures
  WHERE user_number = (SELECT number FROM vitrine.users WHERE id = $1) AND created_at < $3::float8
    AND hash <> ALL ($2::text[])`);

export class PostgresPictures implements Pictures {
  readonly #sql: SQL;
  readonly #now: () => number;

  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async put(userId: string, { hash, type, bytes }: NewPicture): Promise<void> {
    const put = await putPicture(this.#sql, hash, type, this.#now(), bytes, userId);
    if (put.length === 0) throw new NoSuchUser();
  }

  async removeUnused(userId: string, kept: readonly string[], putBefore: number): Promise<void> {
    await removeUnused(this.#sql, userId, kept, putBefore);
  }
}
