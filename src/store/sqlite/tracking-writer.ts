import type { Database, Statement } from "bun:sqlite";
import type { TrackingBatch, TrackingWriter } from "../tracking-writer.ts";
import { openWritable } from "./connection.ts";

/** Whoever is counted is answered long before; this long a commit waits for another writer. */
const BUSY_TIMEOUT_MS = 2000;

/** It goes through its pages in order and needs few at a time, in KiB. */
const CACHE_KIB = 8 * 1024;

/** How often what was committed, by whomever, is moved from the log to its place. */
const SETTLE_MS = 5000;

/** What this connection must leave alone: the tables, and the columns of keys. */
const OTHER_TABLES = ["users", "documents", "link_trees", "pages"];
const OTHER_KEY_COLUMNS = "hash, id, user_number, user_id, name, created_at, expires_at, revoked_at";

type CountColumns = [userNumber: number, treeId: string, linkId: string, day: string, count: number];

export class SqliteTrackingWriter implements TrackingWriter {
  readonly #database: Database;
  readonly #add: Statement<unknown, CountColumns>;
  readonly #touch: Statement<unknown, [usedAt: number, ids: string]>;
  readonly #settle: Statement;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(file: string, settleMs = SETTLE_MS) {
    this.#database = openWritable(file);
    this.#database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.#database.run(`PRAGMA cache_size = -${CACHE_KIB}`);
    forbidTheRest(this.#database);
    // A user may have been deleted since the visit; that must not take the other counts along.
    this.#add = this.#database.prepare(`
      INSERT INTO counts (user_number, tree_id, link_id, day, count)
      SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM users WHERE number = ?1)
      ON CONFLICT DO UPDATE SET count = count + excluded.count`);
    // All keys at once, which SQLite then takes in the order of their hashes, and so each page of them once.
    this.#touch = this.#database.prepare(`
      UPDATE keys SET last_used_at = ?1
      WHERE hash IN (SELECT hash FROM keys WHERE id IN (SELECT value FROM json_each(?2)))`);
    this.#settle = this.#database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
    this.#timer = setInterval(() => this.#settleLog(), settleMs);
  }

  write({ counts, keyIds, usedAt }: TrackingBatch): void {
    this.#database
      .transaction(() => {
        for (const { userNumber, treeId, linkId, day, count } of counts)
          this.#add.run(userNumber, treeId, linkId, day, count);
        if (keyIds.length > 0) this.#touch.run(usedAt, JSON.stringify(keyIds));
      })
      .immediate();
  }

  /** While anything waits in the log, every read has to look there first. This waits for nobody. */
  #settleLog(): void {
    try {
      this.#settle.get();
    } catch {
      // A disk that fails is told of by whoever writes next, and until then nothing is lost.
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#database.close();
  }
}

/** Triggers of this connection alone: whatever is asked of it, only counters and the last use of keys change. */
export function forbidTheRest(database: Database): void {
  const forbid = (name: string, event: string) =>
    database.run(`
      CREATE TEMP TRIGGER ${name} BEFORE ${event} BEGIN
        SELECT RAISE(ABORT, 'this connection only counts');
      END`);
  for (const table of OTHER_TABLES) {
    for (const action of ["INSERT", "UPDATE", "DELETE"])
      forbid(`no_${action}_of_${table}`, `${action} ON main.${table}`);
  }
  for (const action of ["INSERT", "DELETE", `UPDATE OF ${OTHER_KEY_COLUMNS}`])
    forbid(`no_${action.slice(0, 6)}_of_keys`, `${action} ON main.keys`);
  forbid("no_DELETE_of_counts", "DELETE ON main.counts");
}
