import type { Database, Statement } from "bun:sqlite";
import { type History, KEPT_VERSIONS, type ReplacedVersion, versionOf, type Way } from "../history.ts";

type VersionColumns = [userNumber: number, replacedAt: number, way: Way, record: Uint8Array];

/** The rows of replaced versions. All that writes here happens within a transaction of the caller's. */
export class HistoryRows {
  readonly #insert: Statement<{ version: number }, VersionColumns>;
  readonly #trim: Statement<unknown, [userNumber: number, version: number]>;

  constructor(database: Database) {
    this.#insert = database.prepare(`
      INSERT INTO history (user_number, version, replaced_at, way, record)
      SELECT ?1, ifnull(max(version), 0) + 1, ?2, ?3, ?4 FROM history WHERE user_number = ?1
      RETURNING version`);
    this.#trim = database.prepare("DELETE FROM history WHERE user_number = ? AND version <= ?");
  }

  add(userNumber: number, replacedAt: number, way: Way, record: Uint8Array): void {
    const version = this.#insert.get(userNumber, replacedAt, way, record)?.version ?? 0;
    if (version > KEPT_VERSIONS) this.#trim.run(userNumber, version - KEPT_VERSIONS);
  }
}

export class SqliteHistory implements History {
  readonly #of: Statement<Omit<ReplacedVersion, "record"> & { record: Uint8Array }, [userId: string]>;

  constructor(database: Database) {
    this.#of = database.prepare(`
      SELECT version, replaced_at AS replacedAt, way, history.record
      FROM history JOIN users ON users.number = history.user_number
      WHERE users.id = ? ORDER BY version`);
  }

  async of(userId: string): Promise<ReplacedVersion[]> {
    return this.#of.all(userId).map(versionOf);
  }
}
