import { existsSync } from "node:fs";
import type { DatabaseLocation } from "./database-url.ts";
import type { DocumentReader } from "./reader.ts";
import type { Store, StoreBuild } from "./store.ts";
import type { TrackingWriter } from "./tracking-writer.ts";

/** The store at a location, brought up to the current schema. A database that is not there yet is made. */
export async function openStore(location: DatabaseLocation): Promise<Store> {
  const { SqliteStore } = await import("./sqlite/store.ts");
  return new SqliteStore(location.file);
}

/** A new store at a location where there is none. */
export async function buildStore(location: DatabaseLocation): Promise<StoreBuild> {
  const { SqliteBuild } = await import("./sqlite/build.ts");
  return new SqliteBuild(location.file);
}

export async function openReader(location: DatabaseLocation): Promise<DocumentReader> {
  const { SqliteDocumentReader } = await import("./sqlite/reader.ts");
  return new SqliteDocumentReader(location.file);
}

export async function openTrackingWriter(location: DatabaseLocation): Promise<TrackingWriter> {
  const { SqliteTrackingWriter } = await import("./sqlite/tracking-writer.ts");
  return new SqliteTrackingWriter(location.file);
}

export async function databaseExists(location: DatabaseLocation): Promise<boolean> {
  return existsSync(location.file);
}
