import { dirname } from "node:path";
import type { ContentsWriter, Source } from "../contents.ts";
import {
  type CountWriterOptions,
  type Engine,
  NoFolder,
  type OpenOptions,
  type ReaderOptions,
} from "../engine.ts";
import type { ServingWriter } from "../hook-queue.ts";
import type { SqliteLocation } from "../location.ts";
import { isOutdated } from "../save/compilation.ts";
import type { Store } from "../store.ts";
import type { StoredReader } from "../stored-reader.ts";
import { refuseOtherSchema, type SchemaVersion, type StoreUnavailable } from "../unavailable.ts";
import { SqliteBackup } from "./backup.ts";
import { mayBeThere, openOrCreate, openSource, openUntouched, openWritable } from "./connection.ts";
import { compilationOf, migrate, SCHEMA_VERSION, schemaVersionOf } from "./migrations.ts";
import { writeFaultAt } from "./write-fault.ts";

/** A database in a file. What it opens is loaded when it is asked for, so that a server loads nothing that saves. */
export class SqliteEngine implements Engine {
  readonly name: string;
  readonly hasReplicas = false;
  readonly countsHoldUp = true;
  readonly backup: SqliteBackup;
  readonly #file: string;

  constructor({ file }: SqliteLocation) {
    this.name = file;
    this.#file = file;
    this.backup = new SqliteBackup(file);
  }

  /** A file without a schema is none: another process is about to make one, or was killed when it was. */
  async exists(): Promise<boolean> {
    return (await this.schemaVersion()).found > 0;
  }

  refuseMissingFolder(): void {
    const folder = dirname(this.#file);
    if (!mayBeThere(folder)) throw new NoFolder(folder);
  }

  writeFault(): StoreUnavailable | undefined {
    return writeFaultAt(this.#file);
  }

  async schemaVersion(): Promise<SchemaVersion> {
    if (!mayBeThere(this.#file)) return { found: 0, expected: SCHEMA_VERSION };
    using database = openUntouched(this.#file);
    return schemaVersionOf(database);
  }

  async hasOutdatedDocuments(): Promise<boolean> {
    using database = openUntouched(this.#file);
    return isOutdated(compilationOf(database));
  }

  async upgrade(): Promise<number> {
    this.refuseMissingFolder();
    using database = openOrCreate(this.#file);
    return migrate(database, this.name);
  }

  async open({ now = Date.now, readOnly = false }: OpenOptions = {}): Promise<Store> {
    const { SqliteStore } = await import("./store.ts");
    const database = (readOnly ? openSource : openWritable)(this.#file);
    try {
      refuseOtherSchema(this.name, schemaVersionOf(database));
      return new SqliteStore(database, this.#file, now);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async openExisting(options?: OpenOptions): Promise<Store | undefined> {
    return (await this.exists()) ? this.open(options) : undefined;
  }

  async openReader({ log }: ReaderOptions = {}): Promise<StoredReader> {
    const { SqliteReader } = await import("./reader.ts");
    return new SqliteReader(this.#file, log);
  }

  async openCountWriter(options?: CountWriterOptions): Promise<ServingWriter> {
    const { SqliteCountWriter } = await import("./count-writer.ts");
    return new SqliteCountWriter(this.#file, options);
  }

  async openSource(): Promise<Source> {
    const { SqliteSource } = await import("./contents.ts");
    return new SqliteSource(this.#file);
  }

  async openContentsWriter(): Promise<ContentsWriter> {
    const { SqliteContentsWriter } = await import("./contents.ts");
    return new SqliteContentsWriter(this.#file);
  }
}
