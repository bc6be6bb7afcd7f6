import type { Database, Statement } from "bun:sqlite";
import { NoSuchUser } from "../access.ts";
import { type KeptPicture, MOST_UPLOADS, settlePictures, surplusUploads } from "../kept-pictures.ts";
import type { NewPicture, Pictures } from "../pictures.ts";
import type { VersionRow } from "../stored-record.ts";
import { writing } from "./transaction.ts";

/** The rows of pictures. All that writes here happens within a transaction of the caller's. */
export class PictureRows {
  readonly #of: Statement<KeptPicture, [userNumber: number]>;
  readonly #versions: Statement<VersionRow, [userNumber: number]>;
  readonly #move: Statement<unknown, [putAt: number, userNumber: number, hash: string]>;
  readonly #remove: Statement<unknown, [userNumber: number, hash: string]>;

  constructor(database: Database) {
    this.#of = database.prepare("SELECT hash, created_at AS putAt FROM pictures WHERE user_number = ?");
    this.#versions = database.prepare(`
      SELECT record, packed_record AS packedRecord FROM users WHERE number = ?1
      UNION ALL SELECT '', record FROM history WHERE user_number = ?1`);
    this.#move = database.prepare("UPDATE pictures SET created_at = ? WHERE user_number = ? AND hash = ?");
    this.#remove = database.prepare("DELETE FROM pictures WHERE user_number = ? AND hash = ?");
  }

  /** Settles what is kept of a user who has been saved. */
  settle(userNumber: number, shown: string | undefined, now: number): void {
    const pictures = this.#of.all(userNumber);
    const hasOthers = pictures.some(({ hash }) => hash !== shown);
    const versions = hasOthers ? this.#versions.all(userNumber) : [];
    const { moved, removed } = settlePictures(pictures, shown, versions, now);
    for (const { hash, putAt } of moved) this.#move.run(putAt, userNumber, hash);
    for (const hash of removed) this.#remove.run(userNumber, hash);
  }

  /** Removes the uploads that are too many with the one that has just been put. */
  removeSurplus(userNumber: number, put: string): void {
    const pictures = this.#of.all(userNumber);
    if (pictures.length <= MOST_UPLOADS) return;
    const surplus = surplusUploads(pictures, put, this.#versions.all(userNumber));
    for (const hash of surplus) this.#remove.run(userNumber, hash);
  }
}

export class SqlitePictures implements Pictures {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #rows: PictureRows;
  readonly #put: Statement<
    { userNumber: number },
    [hash: string, type: string, now: number, bytes: Uint8Array, userId: string]
  >;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#rows = new PictureRows(database);
    this.#put = database.prepare(`
      INSERT INTO pictures (hash, user_number, type, created_at, bytes)
      SELECT ?1, number, ?2, ?3, ?4 FROM users WHERE id = ?5
      ON CONFLICT (hash, user_number) DO UPDATE SET created_at = excluded.created_at
      RETURNING user_number AS userNumber`);
  }

  async put(userId: string, { hash, type, bytes }: NewPicture): Promise<void> {
    await writing(this.#database, () => {
      const owner = this.#put.get(hash, type, this.#now(), bytes, userId);
      if (!owner) throw new NoSuchUser();
      this.#rows.removeSurplus(owner.userNumber, hash);
    });
  }
}
