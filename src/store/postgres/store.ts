import type { SQL } from "bun";
import type { Store } from "../store.ts";
import { PostgresAccess } from "./access.ts";
import { PostgresCounts } from "./counts.ts";
import { PostgresHistory } from "./history.ts";
import { PostgresHooks } from "./hooks.ts";
import { PostgresKeys } from "./keys.ts";
import { PostgresPictures } from "./pictures.ts";
import { PostgresRecords } from "./records.ts";
import { PostgresUpkeep } from "./upkeep.ts";

export class PostgresStore implements Store {
  readonly records: PostgresRecords;
  readonly keys: PostgresKeys;
  readonly hooks: PostgresHooks;
  readonly counts: PostgresCounts;
  readonly upkeep: PostgresUpkeep;
  readonly history: PostgresHistory;
  readonly pictures: PostgresPictures;
  readonly access: PostgresAccess;
  readonly #sql: SQL;

  /** The schema must be up to date. */
  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.records = new PostgresRecords(sql, now);
    this.keys = new PostgresKeys(sql, now);
    this.hooks = new PostgresHooks(sql, now);
    this.counts = new PostgresCounts(sql);
    this.upkeep = new PostgresUpkeep(sql);
    this.history = new PostgresHistory(sql);
    this.pictures = new PostgresPictures(sql, now);
    this.access = new PostgresAccess(sql, now);
  }

  isReplaced(): boolean {
    return false;
  }

  async close(): Promise<void> {
    // All that was asked has been answered by now, or the server stands still.
    await this.#sql.close({ timeout: 0 });
  }
}
