import type { MaybePromise } from "../async/maybe-promise.ts";
import type { Log } from "../logging/log.ts";
import type { ContentsWriter, Source } from "./contents.ts";
import type { ServingWriter } from "./hook-queue.ts";
import type { PostgresLocation } from "./location.ts";
import type { Store } from "./store.ts";
import type { StoredReader } from "./stored-reader.ts";
import type { SchemaVersion, StoreUnavailable } from "./unavailable.ts";

/**
 * All that an engine does with one database. Opening changes nothing: only `upgrade` makes a schema or changes one,
 * and everything that is opened refuses a schema that is not this Vitrine's, but for a source.
 */
export interface Engine {
  /** The database in words for people, without a password. */
  readonly name: string;
  /** Whether others can be copies of it that follow it, to be read from. */
  readonly hasReplicas: boolean;
  /** Whether a write of counts holds up its thread until it is on the disk. */
  readonly countsHoldUp: boolean;
  /** A command with which a person can see whether the database can be reached. Absent where it is a file. */
  readonly probeCommand?: string;
  /** A command of the server's own tools that makes a backup. Absent where Vitrine makes them itself. */
  dumpCommand?(file: string): string;
  /** Whether there is a database of Vitrine's. */
  exists(): Promise<boolean>;
  /** Throws `NoFolder` where there is no place for a database. */
  refuseMissingFolder(): void;
  /** Why nothing can be written, where that can be told without writing to the database. */
  writeFault(): MaybePromise<StoreUnavailable | undefined>;
  /** Why what is at another place does not follow this database, in words. Absent where there are no replicas. */
  replicaFault?(replica: PostgresLocation): Promise<string | undefined>;
  /** The version of the schema as it is, and the one that this Vitrine needs. */
  schemaVersion(): Promise<SchemaVersion>;
  /** Whether documents are of an older compiler. The schema must be up to date. */
  hasOutdatedDocuments(): Promise<boolean>;
  /** Makes the schema where there is none, or brings it up to date. Returns the version that was found. */
  upgrade(): Promise<number>;
  open(options?: OpenOptions): Promise<Store>;
  /** The same, or nothing where there is no database of Vitrine's. */
  openExisting(options?: OpenOptions): Promise<Store | undefined>;
  openReader(options?: ReaderOptions): Promise<StoredReader>;
  openCountWriter(options?: CountWriterOptions): Promise<ServingWriter>;
  /** Everything that the database holds, of any version, only to be read. */
  openSource(): Promise<Source>;
  /** A database to copy to. */
  openContentsWriter(): Promise<ContentsWriter>;
  /** Absent where the engine's own tools make copies. */
  readonly backup?: Backup;
}

export interface OpenOptions {
  readonly now?: () => number;
  /** Nothing can be written through a store that is opened only to be read. */
  readonly readOnly?: boolean;
  /** For a program that stays, and in which many ask at once. */
  readonly isLasting?: boolean;
}

export interface CountWriterOptions {
  /** In place of the database's own clock. */
  readonly now?: () => number;
}

/** How many connections, for an engine behind a network, and where a reader says what becomes of its database. */
export interface ReaderOptions {
  readonly connections?: number;
  readonly log?: Log;
  /** A copy that follows the database, to be read from while it answers. Only for an engine that has replicas. */
  readonly replica?: PostgresLocation | null;
}

/** Makes consistent copies while others read and write. */
export interface Backup {
  /** Writes a copy to a file that is not there yet, and returns how many bytes it has. */
  write(file: string, options?: BackupOptions): Promise<number>;
  /**
   * Writes a copy beside the database, as it is before its schema is changed, and returns the file: nothing where
   * another process has changed the schema meanwhile.
   */
  writeBeforeUpgrade(version: SchemaVersion, options?: BackupOptions): Promise<string | undefined>;
}

export interface BackupOptions {
  readonly onProgress?: (written: number, total: number) => void;
  /** Stops at once, and leaves nothing behind. */
  readonly signal?: AbortSignal;
}

/** Thrown where a copy would take the place of a file, or of a folder. */
export class FileExists extends Error {
  override readonly name = "FileExists";
  readonly file: string;
  readonly isFolder: boolean;

  constructor(file: string, isFolder = false) {
    super(isFolder ? `${file} is a folder` : `${file} exists already`);
    this.file = file;
    this.isFolder = isFolder;
  }
}

/** Thrown where a folder is missing in which a file is to be made. */
export class NoFolder extends Error {
  override readonly name = "NoFolder";
  readonly folder: string;

  constructor(folder: string) {
    super(`there is no folder ${folder}`);
    this.folder = folder;
  }
}

/** Thrown where a disk has no room for a copy. */
export class NoRoom extends Error {
  override readonly name = "NoRoom";
  readonly file: string;
  readonly bytes: number;

  constructor(file: string, bytes: number) {
    super(`there is no room for ${file}`);
    this.file = file;
    this.bytes = bytes;
  }
}
