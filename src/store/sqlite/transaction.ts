import type { Database } from "bun:sqlite";
import { faultOf } from "../faults.ts";
import { StoreUnavailable } from "../unavailable.ts";

/**
 * Every write takes the write lock when it begins: one that found out later could only fail. The work must not be
 * asynchronous: SQLite would commit at its first pause.
 */
export function writing<Result>(
  database: Database,
  work: () => Result extends Promise<unknown> ? never : Result,
): Result {
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
