import type { DocumentReader } from "../../src/store/reader.ts";
import { SqliteDocumentReader } from "../../src/store/sqlite/reader.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SqliteTrackingWriter } from "../../src/store/sqlite/tracking-writer.ts";
import type { Store } from "../../src/store/store.ts";
import type { TrackingWriter } from "../../src/store/tracking-writer.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

/** A fresh database of one engine, and everything that opens it. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  openStore(now?: () => number): Promise<Store>;
  openReader(): Promise<DocumentReader>;
  openTrackingWriter(): Promise<TrackingWriter>;
}

export interface Engine {
  readonly name: string;
  create(): Promise<TestDatabase>;
}

const sqlite: Engine = {
  name: "sqlite",
  async create() {
    const folder = new TemporaryFolder();
    const file = folder.file("vitrine.db");
    return {
      url: `sqlite:${file}`,
      openStore: async (now) => new SqliteStore(file, now),
      openReader: async () => new SqliteDocumentReader(file),
      openTrackingWriter: async () => new SqliteTrackingWriter(file),
      [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
    };
  },
};

/** Every engine says the same sentences. */
export const ENGINES: readonly Engine[] = [sqlite];
