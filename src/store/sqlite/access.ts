import type { Database } from "bun:sqlite";
import type { Access } from "../access.ts";
import { SqliteIdentities } from "./access/identities.ts";
import { SqlitePasskeys } from "./access/passkeys.ts";
import { SqliteSessions } from "./access/sessions.ts";
import { SqliteTickets } from "./access/tickets.ts";

export class SqliteAccess implements Access {
  readonly tickets: SqliteTickets;
  readonly sessions: SqliteSessions;
  readonly passkeys: SqlitePasskeys;
  readonly identities: SqliteIdentities;

  constructor(database: Database, now: () => number) {
    this.tickets = new SqliteTickets(database, now);
    this.sessions = new SqliteSessions(database, now);
    this.passkeys = new SqlitePasskeys(database, now);
    this.identities = new SqliteIdentities(database);
  }
}
