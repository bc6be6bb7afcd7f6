import type { Database } from "bun:sqlite";
import { realpathSync, rmSync } from "node:fs";
import { faultOf } from "../faults.ts";
import { type FileIdentity, identityOf, isSameFile } from "./file-identity.ts";

/** A database file that is about to be opened. */
interface OpeningFile {
  /** Where the file itself is, if a link leads to it: there SQLite has the log. */
  readonly path: string;
  readonly identity: FileIdentity | undefined;
}

/** To be asked before the file is opened: if it is replaced in between, that is noticed. */
export function openingFile(path: string): OpeningFile {
  try {
    const real = realpathSync(path);
    return { path: real, identity: identityOf(real) };
  } catch {
    return { path, identity: undefined };
  }
}

/**
 * The log of an open database file, in which commits wait until they are moved to their places. When another file is
 * put in the place of that one, the log stays, and SQLite would take it for the new file's own.
 */
export class OpenLog {
  readonly #file: OpeningFile;
  readonly #log: FileIdentity | undefined;

  /** To be made once the file was read: with that, SQLite has opened the log. */
  constructor(file: OpeningFile) {
    this.#file = file;
    this.#log = identityOf(`${file.path}-wal`);
  }

  /** Whether it lies beside another file than its own. */
  get isInTheWay(): boolean {
    const { path, identity } = this.#file;
    const found = identityOf(path);
    return (
      found !== undefined && !isSameFile(found, identity) && isSameFile(identityOf(`${path}-wal`), this.#log)
    );
  }

  /** Moves all that is in the log to its own file, wherever that is now, and takes the log away from another one. */
  putAway(database: Database): void {
    try {
      database.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
      // Those who have the same log open take turns by its lock, so none takes away one that was made since.
      database.run("BEGIN IMMEDIATE");
    } catch (error) {
      // A file that was damaged before it was replaced has no lock to take turns by, and nothing to be completed.
      if (faultOf(error) === "locked") throw error;
    }
    if (this.isInTheWay) {
      for (const suffix of ["-wal", "-shm"]) rmSync(this.#file.path + suffix, { force: true });
    }
    if (database.inTransaction) database.run("ROLLBACK");
  }
}
