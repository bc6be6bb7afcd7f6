import type { Database } from "bun:sqlite";
import type { Access } from "../access.ts";
import type { Store } from "../store.ts";
import { SqliteIdentities } from "./access/identities.ts";
import { SqlitePasskeys } from "./access/passkeys.ts";
import { SqliteSessions } from "./access/sessions.ts";
import { SqliteTickets } from "./access/tickets.ts";
import { SqliteCounts } from "./counts.ts";
import { type FileIdentity, identityOf, isSameFile } from "./file-identity.ts";
import { SqliteHistory } from "./history.ts";
import { SqliteHooks } from "./hooks.ts";
import { SqliteKeys } from "./keys.ts";
import { SqlitePictures } from "./pictures.ts";
import { SqliteRecords } from "./records.ts";
import { SqliteUpkeep } from "./upkeep.ts";

export class SqliteStore implements Store {
  readonly records: SqliteRecords;
  readonly keys: SqliteKeys;
  readonly hooks: SqliteHooks;
  readonly counts: SqliteCounts;
  readonly upkeep: SqliteUpkeep;
  readonly history: SqliteHistory;
  readonly pictures: SqlitePictures;
  readonly access: Access;
  readonly #database: Database;
  readonly #file: string;
  readonly #identity: FileIdentity | undefined;

  /** The schema must be up to date. */
  constructor(database: Database, file: string, now: () => number) {
    this.#database = database;
    this.#file = file;
    this.#identity = identityOf(file);
    this.records = new SqliteRecords(database, now);
    this.keys = new SqliteKeys(database, now);
    this.hooks = new SqliteHooks(database, now);
    this.counts = new SqliteCounts(database);
    this.upkeep = new SqliteUpkeep(database);
    this.history = new SqliteHistory(database);
    this.pictures = new SqlitePictures(database, now);
    this.access = {
      tickets: new SqliteTickets(database, now),
      sessions: new SqliteSessions(database, now),
      passkeys: new SqlitePasskeys(database, now),
      identities: new SqliteIdentities(database),
    };
  }

  isReplaced(): boolean {
    return !isSameFile(this.#identity, identityOf(this.#file));
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}
