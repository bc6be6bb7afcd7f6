import { existsSync } from "node:fs";
import type { Log } from "../logging/log.ts";
import type { ContentsReader, ContentsWriter } from "./contents.ts";
import type { DatabaseLocation, SqliteLocation } from "./database-url.ts";
import type { DocumentReader } from "./reader.ts";
import type { SchemaVersion, Store, StoreBuild } from "./store.ts";
import type { TrackingWriter } from "./tracking-writer.ts";

/** The store at a location, brought up to the current schema. A database that is not there yet is made. */
export async function openStore(location: DatabaseLocation, now?: () => number): Promise<Store> {
  if (location.engine === "postgres") {
    const { PostgresStore } = await import("./postgres/store.ts");
    return PostgresStore.open(location, now);
  }
  const { SqliteStore } = await import("./sqlite/store.ts");
  return new SqliteStore(location.file, now);
}

/** A new store at a location where there is none; nothing if by now there is one. */
export async function buildStore(location: DatabaseLocation): Promise<StoreBuild | undefined> {
  if (location.engine === "postgres") {
    const { PostgresBuild } = await import("./postgres/build.ts");
    return PostgresBuild.begin(location);
  }
  const { SqliteBuild } = await import("./sqlite/build.ts");
  return new SqliteBuild(location.file);
}

/** The read side. An engine behind a network has so many connections, and logs when it goes away and returns. */
export async function openReader(
  location: DatabaseLocation,
  connections = 1,
  log?: Log,
): Promise<DocumentReader> {
  if (location.engine === "postgres") {
    const { PostgresDocumentReader } = await import("./postgres/reader.ts");
    return PostgresDocumentReader.open(location, connections, log);
  }
  const { SqliteDocumentReader } = await import("./sqlite/reader.ts");
  return new SqliteDocumentReader(location.file);
}

export async function openTrackingWriter(location: DatabaseLocation): Promise<TrackingWriter> {
  if (location.engine === "postgres") {
    const { PostgresTrackingWriter } = await import("./postgres/tracking-writer.ts");
    return PostgresTrackingWriter.open(location);
  }
  const { SqliteTrackingWriter } = await import("./sqlite/tracking-writer.ts");
  return new SqliteTrackingWriter(location.file);
}

/** A database to copy from, as it is. */
export async function openContentsReader(location: DatabaseLocation): Promise<ContentsReader> {
  if (location.engine === "postgres") {
    const { PostgresContentsReader } = await import("./postgres/contents.ts");
    return PostgresContentsReader.open(location);
  }
  const { SqliteContentsReader } = await import("./sqlite/contents.ts");
  return new SqliteContentsReader(location.file);
}

/** A database to copy to, which must be there and up to date. */
export async function openContentsWriter(location: DatabaseLocation): Promise<ContentsWriter> {
  if (location.engine === "postgres") {
    const { PostgresContentsWriter } = await import("./postgres/contents.ts");
    return PostgresContentsWriter.open(location);
  }
  const { SqliteContentsWriter } = await import("./sqlite/contents.ts");
  return new SqliteContentsWriter(location.file);
}

/** Whether there is a database of Vitrine's. */
export async function databaseExists(location: DatabaseLocation): Promise<boolean> {
  if (location.engine === "sqlite") return existsSync(location.file);
  return (await schemaVersionAt(location)).found > 0;
}

/** The version of a database's schema as it is, and the one that this Vitrine needs. 0 where there is none yet. */
export async function schemaVersionAt(location: DatabaseLocation): Promise<SchemaVersion> {
  if (location.engine === "postgres") {
    const { schemaVersionAt, SCHEMA_VERSION } = await import("./postgres/migrations.ts");
    return { found: await schemaVersionAt(location), expected: SCHEMA_VERSION };
  }
  const { schemaVersionAt } = await import("./sqlite/schema-version.ts");
  const { SCHEMA_VERSION } = await import("./sqlite/migrations.ts");
  return { found: schemaVersionAt(location.file), expected: SCHEMA_VERSION };
}

/** Writes a consistent copy to a file that does not exist yet, while others read and write. */
export async function copyDatabase(location: SqliteLocation, file: string): Promise<void> {
  const { SqliteStore } = await import("./sqlite/store.ts");
  const store = new SqliteStore(location.file);
  try {
    await store.backup(file);
  } finally {
    await store.close();
  }
}
