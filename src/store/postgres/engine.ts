import type { ContentsWriter, Source } from "../contents.ts";
import type { CountWriterOptions, Engine, OpenOptions, ReaderOptions } from "../engine.ts";
import type { ServingWriter } from "../hook-queue.ts";
import { describeDatabase, isBehindPgBouncer, type PostgresLocation, urlForTools } from "../location.ts";
import { isOutdated } from "../save/compilation.ts";
import type { Store } from "../store.ts";
import type { StoredReader } from "../stored-reader.ts";
import { OtherSchema, refuseOtherSchema, type SchemaVersion, StoreUnavailable } from "../unavailable.ts";
import { closing, openReadOnly, openSource, openWritable } from "./connection.ts";
import { openLasting } from "./lasting-connections.ts";
import { compilationOf, migrate, schemaVersionOf } from "./migrations.ts";

/** A database of a server. What it opens is loaded when it is asked for. Copies are made with the server's tools. */
export class PostgresEngine implements Engine {
  readonly name: string;
  readonly hasReplicas = true;
  readonly countsHoldUp = false;
  readonly probeCommand: string;
  readonly #location: PostgresLocation;

  constructor(location: PostgresLocation) {
    this.name = describeDatabase(location);
    this.probeCommand = `psql ${urlForTools("DATABASE_URL", location)} -c "SELECT 1"`;
    this.#location = location;
  }

  async exists(): Promise<boolean> {
    return (await this.schemaVersion()).found > 0;
  }

  refuseMissingFolder(): void {}

  /** Not through PgBouncer, which these tools cannot use as they want to. */
  dumpCommand(file: string): string {
    const url = isBehindPgBouncer(this.#location)
      ? "URL, which is that of PostgreSQL itself"
      : '"$DATABASE_URL"';
    return `pg_dump --format=custom --schema=vitrine --file=${file} ${url}`;
  }

  /** A standby is read-only, and so is a database that its provider made so, as where the disk is full. */
  async writeFault(): Promise<StoreUnavailable | undefined> {
    const sql = await openWritable(this.#location);
    return closing(sql, async () => {
      const [row] = await sql.unsafe<{ isStandby: boolean; isReadOnly: boolean }[]>(
        `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
      );
      if (!row?.isReadOnly) return undefined;
      const what = row.isStandby ? "a standby" : "read-only";
      return new StoreUnavailable(`the database is ${what}: it can be read, but not written`, {
        fault: "standby",
      });
    });
  }

  async replicaFault(replica: PostgresLocation): Promise<string | undefined> {
    const [{ followingFault }, { PostgresReader }] = await Promise.all([
      import("./following.ts"),
      import("./reader.ts"),
    ]);
    await using stack = new AsyncDisposableStack();
    const open = async (location: PostgresLocation) =>
      stack.adopt(await PostgresReader.open(location, 1), (reader) => reader.close());
    return await followingFault(await open(this.#location), await open(replica));
  }

  async schemaVersion(): Promise<SchemaVersion> {
    const { sql } = await openReadOnly(this.#location, 1);
    return closing(sql, () => schemaVersionOf(sql));
  }

  async hasOutdatedDocuments(): Promise<boolean> {
    const { sql } = await openReadOnly(this.#location, 1);
    return closing(sql, async () => isOutdated(await compilationOf(sql)));
  }

  async upgrade(): Promise<number> {
    const sql = await openWritable(this.#location);
    return closing(sql, () => migrate(sql, this.name));
  }

  async open({ now = Date.now, readOnly = false, isLasting = false }: OpenOptions = {}): Promise<Store> {
    const { PostgresStore } = await import("./store.ts");
    const sql = await (isLasting ? openLasting : readOnly ? openSource : openWritable)(this.#location);
    try {
      refuseOtherSchema(this.name, await schemaVersionOf(sql));
      return new PostgresStore(sql, now);
    } catch (error) {
      await sql.close();
      throw error;
    }
  }

  /** One connection does for finding it and for using it: to make another takes many round trips. */
  async openExisting(options?: OpenOptions): Promise<Store | undefined> {
    try {
      return await this.open(options);
    } catch (error) {
      if (error instanceof OtherSchema && error.version.found === 0) return undefined;
      throw error;
    }
  }

  async openReader({ connections = 1, log, replica }: ReaderOptions = {}): Promise<StoredReader> {
    if (replica) {
      const { ReplicaReader } = await import("./replica-reader.ts");
      return ReplicaReader.open({ primary: this.#location, replica, connections }, log);
    }
    const { PostgresReader } = await import("./reader.ts");
    return PostgresReader.open(this.#location, connections, log);
  }

  async openCountWriter(options?: CountWriterOptions): Promise<ServingWriter> {
    const { PostgresCountWriter } = await import("./count-writer.ts");
    return PostgresCountWriter.open(this.#location, options);
  }

  async openSource(): Promise<Source> {
    const { PostgresSource } = await import("./contents.ts");
    return PostgresSource.open(this.#location);
  }

  async openContentsWriter(): Promise<ContentsWriter> {
    const { PostgresContentsWriter } = await import("./contents.ts");
    return PostgresContentsWriter.open(this.#location);
  }
}
