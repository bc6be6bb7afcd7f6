import type { SQL } from "bun";
import type { Access } from "../access.ts";
import { PostgresIdentities } from "./access/identities.ts";
import { PostgresPasskeys } from "./access/passkeys.ts";
import { PostgresSessions } from "./access/sessions.ts";
import { PostgresTickets } from "./access/tickets.ts";

export class PostgresAccess implements Access {
  readonly tickets: PostgresTickets;
  readonly sessions: PostgresSessions;
  readonly passkeys: PostgresPasskeys;
  readonly identities: PostgresIdentities;

  constructor(sql: SQL, now: () => number) {
    this.tickets = new PostgresTickets(sql, now);
    this.sessions = new PostgresSessions(sql, now);
    this.passkeys = new PostgresPasskeys(sql, now);
    this.identities = new PostgresIdentities(sql);
  }
}
