import { constants, Database, type SQLiteError } from "bun:sqlite";
import { constants as access, accessSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { faultOf } from "../faults.ts";
import { OtherSchema, refuseOtherSchema, type StoreFault, StoreUnavailable } from "../unavailable.ts";
import { refuseForeignDatabase, schemaVersionOf } from "./migrations.ts";
import { BUSY_TIMEOUT_MS } from "./transaction.ts";

/** How long reads wait for another process, which is a moment at most: a server answers nobody meanwhile. */
const READ_TIMEOUT_MS = 1000;

/** Most `/user/full` documents fit one page of this size, so a read follows few overflow pages. */
const PAGE_SIZE = 8192;

/** Room for the inner pages of a large database's indexes while records are loaded, in KiB. */
const WRITER_CACHE_KIB = 64 * 1024;

/** The same for reads. Every commit empties it, and each worker has one, so that a larger one gains little. */
const READER_CACHE_KIB = 32 * 1024;

/** How many pages gather in the log before they are moved to their places: enough to move hot ones once. */
const CHECKPOINT_PAGES = 4096;

/** A file that must be there. */
export function openWritable(file: string): Database {
  return open(file, { readwrite: true }, prepareWriting);
}

/** A file whose schema must be this Vitrine's: nothing is asked of any other, which may be damaged. */
export function openCurrent(file: string): Database {
  return open(file, { readwrite: true }, (database) => {
    refuseForeignDatabase(database);
    refuseOtherSchema(file, schemaVersionOf(database));
    prepareWriting(database);
  });
}

/** A file that is made where there is none. */
export function openOrCreate(file: string): Database {
  return open(file, { readwrite: true, create: true }, prepareWriting);
}

function prepareWriting(database: Database): void {
  refuseForeignDatabase(database);
  database.run(`PRAGMA page_size = ${PAGE_SIZE}`);
  switchToWal(database);
  // With WAL, FULL is what makes a commit survive a power cut; NORMAL may lose the last few.
  database.run("PRAGMA synchronous = FULL");
  // What is deleted is written over where that costs no further page. A user is, whatever it costs.
  database.run("PRAGMA secure_delete = FAST");
  database.run(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
  database.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}

/**
 * The file is not mapped into memory: a page of a mapped file that cannot be read (the file was cut off, a sector is
 * bad) kills the process, where a read that fails is an error. Said, because SQLite can be built to map by default.
 */
export function openReadOnly(file: string): Database {
  const prepare = (database: Database) => {
    database.run("PRAGMA mmap_size = 0");
    database.run("PRAGMA query_only = ON");
    database.run(`PRAGMA cache_size = -${READER_CACHE_KIB}`);
  };
  return open(file, { readonly: true }, prepare, READ_TIMEOUT_MS);
}

/** For looking at everything in a database that may be another program's, or an earlier Vitrine's. */
export function openSource(file: string): Database {
  const database = openUntouched(file);
  database.run("PRAGMA query_only = ON");
  return database;
}

/**
 * A connection that leaves the file as it is. One that could write comes first: when it closes, no log file stays
 * beside the database. Where it may not write, a file that nobody writes to can still be read.
 */
export function openUntouched(file: string): Database {
  const modes = [{ readwrite: true }, { readonly: true }, IMMUTABLE] as const;
  let failure: unknown;
  for (const mode of modes) {
    if (mode === IMMUTABLE && hasLog(file)) break;
    try {
      return open(file, mode, refuseForeignDatabase);
    } catch (error) {
      failure ??= error;
      if (!(error instanceof StoreUnavailable) || !MAY_BE_READ.has(error.fault)) throw error;
    }
  }
  throw failure;
}

/** A file on which no lock is taken, and beside which no file is made: for a folder that is read-only. */
const IMMUTABLE = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;

/** Faults of writing, with which reading may still go well. */
const MAY_BE_READ: ReadonlySet<StoreFault> = new Set(["read-only", "no-room", "unreachable"]);

function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** SQLite does not wait for a lock while it changes the mode of a file, in spite of the busy timeout. */
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
  waitMs = BUSY_TIMEOUT_MS,
): Database {
  let database: Database | undefined;
  try {
    refuseSpecialFile(file);
    database = new Database(mode === IMMUTABLE ? immutableUri(file) : file, mode);
    // First of all: every later statement may meet another process's lock.
    database.run(`PRAGMA busy_timeout = ${waitMs}`);
    database.run("PRAGMA foreign_keys = ON");
    // The first read, with which a file that cannot be read is found.
    database.query("PRAGMA user_version").get();
    prepare(database);
    return database;
  } catch (cause) {
    database?.close(true);
    throw cause instanceof OtherSchema ? cause : unavailable(file, cause as SQLiteError);
  }
}

/** SQLite would wait for somebody to write into a pipe. */
function refuseSpecialFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new StoreUnavailable("it is no regular file", { fault: "foreign" });
}

/** An absolute path has an empty host before it: else one that begins with two slashes, as others write it, would have one. */
function immutableUri(file: string): string {
  const path = encodeURI(file).replace(/[?#]/g, encodeURIComponent);
  return `file:${file.startsWith("/") ? "//" : ""}${path}?immutable=1`;
}

/** What a failure means to a person, where that can be found out. */
function unavailable(file: string, cause: SQLiteError): StoreUnavailable {
  const fault = cause instanceof StoreUnavailable ? cause.fault : (faultOf(cause) ?? faultAt(file));
  const words = WORDS[fault] ?? cause.message;
  return new StoreUnavailable(`cannot open the database ${file}: ${words}`, { fault, file, cause });
}

const WORDS: { readonly [fault in StoreFault]?: string } = {
  "no-folder": "its folder is not there",
  "no-permission": "permission denied",
  "read-only": "the file or its folder is read-only",
  damaged: "the file is damaged, or no database",
  locked: "another process holds it locked",
  "no-room": "the disk is full",
};

/** What stands in the way of a file that SQLite cannot open, and does not say why. */
function faultAt(file: string): StoreFault {
  if (!mayBeThere(dirname(file))) return "no-folder";
  if (!mayBeThere(file)) return may(dirname(file), access.W_OK) ? "unreachable" : "read-only";
  if (!may(file, access.R_OK)) return "no-permission";
  return isReadOnly(file) ? "read-only" : "unreachable";
}

/** Whether something is at a path, or could be: of what lies in a folder that may not be entered, nobody can tell. */
export function mayBeThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

/** SQLite writes to the file and to others beside it. */
export function isReadOnly(file: string): boolean {
  return !may(file, access.W_OK) || !may(dirname(file), access.W_OK);
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
