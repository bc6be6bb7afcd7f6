import { Database, type SQLiteError } from "bun:sqlite";
import { StoreUnavailable } from "../reader.ts";
import { refuseForeignDatabase } from "./migrations.ts";

/** How long a statement waits for another process's transaction before it gives up. */
const BUSY_TIMEOUT_MS = 10_000;

/** Most `/user/full` documents fit one page of this size, so a read follows few overflow pages. */
const PAGE_SIZE = 8192;

/** Room for the inner pages of a large database's indexes while records are loaded, in KiB. */
const WRITER_CACHE_KIB = 64 * 1024;

/** The same for reads, which need it where a file is longer than what can be mapped. */
const READER_CACHE_KIB = 16 * 1024;

/** So many pages gather in the log before they are moved to their places: enough to move hot ones once. */
const CHECKPOINT_PAGES = 4096;

/** Reads come straight from the file's pages in memory. SQLite itself bounds this at 2 GiB. */
const MMAP_BYTES = 2 ** 40;

export function openWritable(file: string): Database {
  return open(file, { readwrite: true, create: true }, (database) => {
    refuseForeignDatabase(database);
    database.run(`PRAGMA page_size = ${PAGE_SIZE}`);
    switchToWal(database);
    // With WAL, FULL is what makes a commit survive a power cut; NORMAL may lose the last few.
    database.run("PRAGMA synchronous = FULL");
    database.run(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
    database.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  });
}

/** For a file that is thrown away if anything happens to it: nothing is made safe. */
export function openUnsafe(file: string): Database {
  return open(file, { readwrite: true, create: true }, (database) => {
    database.run(`PRAGMA page_size = ${PAGE_SIZE}`);
    database.run(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
    for (const pragma of ["journal_mode = OFF", "synchronous = OFF"]) database.run(`PRAGMA ${pragma}`);
  });
}

/**
 * With the file mapped into memory unless said otherwise: SQLite drops the mapping whenever somebody has
 * committed, so it does not suit reads that go hand in hand with commits.
 */
export function openReadOnly(file: string, { mapped = true }: { mapped?: boolean } = {}): Database {
  return open(file, { readonly: true }, (database) => {
    database.run("PRAGMA query_only = ON");
    database.run(`PRAGMA cache_size = -${READER_CACHE_KIB}`);
    database.run(`PRAGMA mmap_size = ${mapped ? MMAP_BYTES : 0}`);
  });
}

/** For looking at everything in a database that may be another program's, or an earlier Vitrine's. */
export function openSource(file: string): Database {
  return open(file, { readonly: true }, (database) => {
    refuseForeignDatabase(database);
    database.run("PRAGMA query_only = ON");
  });
}

/** SQLite does not wait for a lock while it changes the mode of a file, whatever the busy timeout says. */
function switchToWal(database: Database): void {
  for (const deadline = Date.now() + BUSY_TIMEOUT_MS; ; Bun.sleepSync(5)) {
    try {
      database.run("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if ((error as SQLiteError).code !== "SQLITE_BUSY" || Date.now() > deadline) throw error;
    }
  }
}

function open(
  file: string,
  mode: ConstructorParameters<typeof Database>[1],
  prepare: (database: Database) => void,
) {
  let database: Database | undefined;
  try {
    database = new Database(file, mode);
    // First of all: every later statement may meet another process's lock.
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.run("PRAGMA foreign_keys = ON");
    prepare(database);
    return database;
  } catch (cause) {
    database?.close();
    throw new StoreUnavailable(`cannot open the database ${file}: ${(cause as Error).message}`, { cause });
  }
}
