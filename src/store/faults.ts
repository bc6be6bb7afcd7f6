import { type StoreFault, StoreUnavailable } from "./unavailable.ts";

/** What the engines' own codes mean: those of SQLite by name, those of PostgreSQL by number (its manual, appendix A). */
const FAULTS: readonly (readonly [code: RegExp, fault: StoreFault])[] = [
  [/^SQLITE_(?:NOTADB|CORRUPT)/, "damaged"],
  [/^(?:SQLITE_(?:BUSY|LOCKED)|55P03)/, "locked"],
  // The second is of the file -shm, which the first connection makes.
  [/^(?:SQLITE_FULL|SQLITE_IOERR_SHMSIZE|53100)/, "no-room"],
  [/^SQLITE_READONLY/, "read-only"],
  [/^25006/, "standby"],
  [/^42501/, "no-permission"],
  // Bun lost the connection or never got it, or the server is ending, starting or full.
  [/^(?:ERR_POSTGRES_(?:CONNECTION|IDLE|LIFETIME)_|08|53300|57P)/, "unreachable"],
];

/** The fault that an engine's error tells of, if it is one of these. */
export function faultOf(error: unknown): StoreFault | undefined {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  const codes = [code, errno].filter((it) => typeof it === "string");
  return FAULTS.find(([pattern]) => codes.some((it) => pattern.test(it)))?.[1];
}

/** An engine's error as a fact, where its code says what is wrong. */
export function asUnavailable(error: unknown, file?: string): StoreUnavailable | undefined {
  if (error instanceof StoreUnavailable) return error;
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  return new StoreUnavailable((error as Error).message, { fault, cause: error, ...(file && { file }) });
}
