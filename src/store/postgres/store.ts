import type { SQL } from "bun";
import type { Access } from "../access.ts";
import type { Store } from "../store.ts";
import { PostgresIdentities } from "./access/identities.ts";
import { PostgresPasskeys } from "./access/passkeys.ts";
import { PostgresSessions } from "./access/sessions.ts";
import { PostgresTickets } from "./access/tickets.ts";
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
  readonly access: Access;
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
    this.access = {
      tickets: new PostgresTickets(sql, now),
      sessions: new PostgresSessions(sql, now),
      passkeys: new PostgresPasskeys(sql, now),
      identities: new PostgresIdentities(sql),
    };
  }

  isReplaced(): boolean {
    return false;
  }

  async close(): Promise<void> {
    // All that was asked has been answered by now, or the server stands still.
    await this.#sql.close({ timeout: 0 });
  }
}
