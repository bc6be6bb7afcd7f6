import type { SQL } from "bun";
import { ADVISORY_LOCKS, BOUND_LOCK_WAIT } from "./connection.ts";
import { statement } from "./statement.ts";

const lockWriters = statement(`SELECT ${BOUND_LOCK_WAIT}, pg_advisory_xact_lock(${ADVISORY_LOCKS.writers})`);

/**
 * What changes records and documents takes the writers' lock when it begins. Writers come one after the other, so
 * none of them can wait in a circle.
 */
export function writing<Result>(sql: SQL, work: (sql: SQL) => Promise<Result>): Promise<Result> {
  return sql.begin(async (inside) => {
    await lockWriters(inside);
    return work(inside);
  }) as Promise<Result>;
}
