import type { Database } from "bun:sqlite";
import { faultOf } from "../faults.ts";
import { StoreUnavailable } from "../unavailable.ts";

/** How long a write waits for another process's transaction before it gives up. */
export const BUSY_TIMEOUT_MS = 10_000;

/** Work that must not be asynchronous: SQLite would commit at its first pause. */
type Work<Result> = () => Result extends Promise<unknown> ? never : Result;

/** How long to wait before it is asked again whether another process still holds the lock. */
const RETRY_MS = 10;

/**
 * Every write takes the write lock when it begins: one that found out later could only fail. While another process has
 * it, others are served: SQLite itself would wait with all of them.
 */
export async function writing<Result>(database: Database, work: Work<Result>): Promise<Result> {
  for (const deadline = performance.now() + BUSY_TIMEOUT_MS; ; await Bun.sleep(RETRY_MS)) {
    let hasBegun = false;
    database.run("PRAGMA busy_timeout = 0");
    try {
      return writingAtOnce(database, () => {
        hasBegun = true;
        return work();
      });
    } catch (error) {
      if (hasBegun || faultOf(error) !== "locked" || performance.now() > deadline) throw error;
    } finally {
      database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }
}

/** The same where nobody else is served, or nothing may come in between. */
export function writingAtOnce<Result>(database: Database, work: Work<Result>): Result {
  try {
    return database.transaction(work).immediate() as Result;
  } catch (cause) {
    const fault = faultOf(cause);
    if (fault !== "no-room") throw cause;
    // SQLite does not say which disk it means.
    const file = database.filename;
    throw new StoreUnavailable(`the disk of the database ${file} is full`, { fault, file, cause });
  }
}

/**
 * Moves what the log holds to its place, so that nothing is left in it. Where others read meanwhile, or the disk is
 * full, whoever writes next does it: nothing is lost by that.
 */
export function emptyLog(database: Database): void {
  database.run("PRAGMA busy_timeout = 0");
  try {
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
  } finally {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}
