import type { Database } from "bun:sqlite";

/**
 * Every write takes the write lock when it begins: one that found out later could only fail. The work must not be
 * asynchronous: SQLite would commit at its first pause.
 */
export function writing<Result>(
  database: Database,
  work: () => Result extends Promise<unknown> ? never : Result,
): Result {
  return database.transaction(work).immediate() as Result;
}
