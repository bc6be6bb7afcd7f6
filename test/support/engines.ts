import { describe, test } from "bun:test";
import type { ContentsWriter, Source } from "../../src/store/contents.ts";
import type { CountWriterOptions } from "../../src/store/engine.ts";
import { engineAt } from "../../src/store/engines.ts";
import type { ServingWriter } from "../../src/store/hook-queue.ts";
import { type DatabaseLocation, parseDatabaseUrl } from "../../src/store/location.ts";
import type { DocumentReader } from "../../src/store/reader.ts";
import type { Store } from "../../src/store/store.ts";
import type { StoredReader } from "../../src/store/stored-reader.ts";
import { openCountWriter, openReader, openStore } from "./databases.ts";
import { type KeptParts, keptPartsOf } from "./kept-parts.ts";
import { postgresPrograms } from "./postgres-cluster.ts";
import { postgresServer, runningPostgresServer, type TakenDatabase } from "./postgres-server.ts";
import { lendFile } from "./sqlite-files.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

/** A fresh database of one engine, and everything that opens it. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly location: DatabaseLocation;
  openStore(now?: () => number): Promise<Store>;
  openReader(): Promise<DocumentReader>;
  openStoredReader(): Promise<StoredReader>;
  openCountWriter(options?: CountWriterOptions): Promise<ServingWriter>;
  openSource(): Promise<Source>;
  openContentsWriter(): Promise<ContentsWriter>;
  /** The same as those that are opened, for tests that do not care whether somebody has used them before. */
  lendStore(now: () => number): Promise<Store>;
  lendStoredReader(): Promise<StoredReader>;
  lendCountWriter(): Promise<ServingWriter>;
}

export interface CreateOptions {
  /** Whether it may have the schema already, and leaves that as it is. */
  readonly mayHaveSchema?: boolean;
}

export interface Engine {
  readonly name: string;
  create(options?: CreateOptions): Promise<TestDatabase>;
  /** An empty database of a server that has started; absent where a database is a file. */
  take?(): TakenDatabase;
}

/** Without parts that are kept, those that are lent are opened for each. */
export function databaseAt(url: string, remove: () => Promise<void>, kept?: KeptParts): TestDatabase {
  const location = parseDatabaseUrl(url);
  if (!location) throw new Error(`not a URL of a database: ${url}`);
  const openStoreAt = (now?: () => number) => openStore(location, now);
  const openStoredReader = async () => (await engineAt(location)).openReader({ connections: 2 });
  const openWriter = (options?: CountWriterOptions) => openCountWriter(location, options);
  return {
    url,
    location,
    openStore: openStoreAt,
    openReader: () => openReader(location, 2),
    openStoredReader,
    openCountWriter: openWriter,
    lendStore: (now) => kept?.store(now, openStoreAt) ?? openStoreAt(now),
    lendStoredReader: () => kept?.reader(openStoredReader) ?? openStoredReader(),
    lendCountWriter: () => kept?.writer(openWriter) ?? openWriter(),
    openSource: async () => (await engineAt(location)).openSource(),
    openContentsWriter: async () => (await engineAt(location)).openContentsWriter(),
    [Symbol.asyncDispose]: remove,
  };
}

/** One that goes back to where it is from. Where its schema stays, what was opened in it does so, too. */
export function databaseOf(
  { url, release }: Pick<TakenDatabase, "url" | "release">,
  options?: CreateOptions,
): TestDatabase {
  return databaseAt(url, release, options?.mayHaveSchema ? keptPartsOf(url) : undefined);
}

export const sqlite: Engine = {
  name: "sqlite",
  async create(options) {
    if (options?.mayHaveSchema) return databaseOf(await lendFile(), options);
    const folder = new TemporaryFolder();
    return databaseAt(`sqlite:${folder.file("vitrine.db")}`, async () => folder[Symbol.dispose]());
  },
};

export const postgres: Engine = {
  name: "postgres",
  async create(options) {
    return databaseOf((await postgresServer()).takeDatabase(options), options);
  },
  take: () => runningPostgresServer().takeDatabase(),
};

/** Every engine says the same sentences. */
export const ENGINES: readonly Engine[] = isThere() ? [sqlite, postgres] : [sqlite];

let inUse = sqlite;

/** The engine of tests that do not name one, while they run and while they are read. */
export function engineInUse(): Engine {
  return inUse;
}

export function useEngine(engine: Engine): void {
  inUse = engine;
}

/** Where there is no PostgreSQL, what it would say is skipped by name or, with VITRINE_NO_SKIPS, fails. */
function isThere(): boolean {
  if (postgresPrograms !== undefined) return true;
  const reason = "no PostgreSQL on the PATH, in /usr/lib/postgresql or from npm";
  const fail = () => {
    throw new Error(reason);
  };
  if (process.env.VITRINE_NO_SKIPS) test("postgres", fail);
  else describe.skip(`postgres (SKIPPED, ${reason})`, () => test("every sentence", fail));
  return false;
}
