import type { Database } from "bun:sqlite";
import {
  HAS_ITS_USER,
  MOST_TICKET_MS,
  type NewTicket,
  NoSuchUser,
  type Ticket,
  type TicketKind,
  type Tickets,
} from "../../access.ts";
import { writing } from "../transaction.ts";

type TicketQuery = [hash: Uint8Array, kind: TicketKind, now: number];

function prepareStatements(database: Database) {
  return {
    removeExpired: database.prepare<unknown, [now: number]>(
      `DELETE FROM tickets WHERE expires_at <= ?1 OR expires_at > ?1 + ${MOST_TICKET_MS}`,
    ),
    removeOthers: database.prepare<unknown, [kind: TicketKind, userId: string]>(
      "DELETE FROM tickets WHERE kind = ? AND user_number = (SELECT number FROM users WHERE id = ?)",
    ),
    issueToNobody: database.prepare<
      unknown,
      [hash: Uint8Array, kind: TicketKind, data: string, expiresAt: number]
    >("INSERT INTO tickets (hash, kind, user_number, data, expires_at) VALUES (?, ?, NULL, ?, ?)"),
    issue: database.prepare<
      unknown,
      [hash: Uint8Array, kind: TicketKind, data: string, expiresAt: number, userId: string]
    >(`
      INSERT INTO tickets (hash, kind, user_number, data, expires_at)
      SELECT ?1, ?2, number, ?3, ?4 FROM users WHERE id = ?5`),
    find: database.prepare<Ticket, TicketQuery>(`
      SELECT users.id AS userId, users.email, data, expires_at AS expiresAt
      FROM tickets LEFT JOIN users ON users.number = tickets.user_number
      WHERE hash = ?1 AND kind = ?2 AND expires_at > ?3 AND expires_at <= ?3 + ${MOST_TICKET_MS}
        AND ${HAS_ITS_USER}`),
    remove: database.prepare<unknown, [hash: Uint8Array]>("DELETE FROM tickets WHERE hash = ?"),
  };
}

export class SqliteTickets implements Tickets {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepareStatements(database);
  }

  async issue({ hash, kind, userId, data, expiresAt }: NewTicket): Promise<void> {
    const { removeExpired, removeOthers, issue, issueToNobody } = this.#statements;
    await writing(this.#database, () => {
      removeExpired.run(this.#now());
      if (userId === null) {
        issueToNobody.run(hash, kind, data, expiresAt);
        return;
      }
      removeOthers.run(kind, userId);
      if (issue.run(hash, kind, data, expiresAt, userId).changes === 0) throw new NoSuchUser();
    });
  }

  async find(hash: Uint8Array, kind: TicketKind): Promise<Ticket | null> {
    return this.#statements.find.get(hash, kind, this.#now());
  }

  async take(hash: Uint8Array, kind: TicketKind): Promise<Ticket | null> {
    return writing(this.#database, () => {
      const ticket = this.#statements.find.get(hash, kind, this.#now());
      if (ticket) this.#statements.remove.run(hash);
      return ticket;
    });
  }
}
