import type { SQL } from "bun";
import {
  HAS_ITS_USER,
  MOST_TICKET_MS,
  type NewTicket,
  NoSuchUser,
  type Ticket,
  type TicketKind,
  type Tickets,
} from "../../access.ts";
import { statement } from "../statement.ts";
import { lockUser } from "./user-lock.ts";

/** By a time that is the third parameter. */
const IS_GOOD = `expires_at > $3::float8 AND expires_at <= $3::float8 + ${MOST_TICKET_MS}`;

type TicketQuery = [hash: Uint8Array, kind: TicketKind, now: number];

const removeExpired = statement<unknown, [now: number]>(`
  DELETE FROM vitrine.tickets
  WHERE expires_at <= $1::float8 OR expires_at > $1::float8 + ${MOST_TICKET_MS}`);
const removeOthers = statement<unknown, [kind: TicketKind, userId: string]>(`
  DELETE FROM vitrine.tickets
  WHERE kind = $1 AND user_number = (SELECT number FROM vitrine.users WHERE id = $2)`);
const issueToNobody = statement<
  unknown,
  [hash: Uint8Array, kind: TicketKind, data: string, expiresAt: number]
>(`
  INSERT INTO vitrine.tickets (hash, kind, user_number, data, expires_at)
  VALUES ($1, $2, NULL, $3, $4::float8)`);
const issue = statement<
  unknown,
  [hash: Uint8Array, kind: TicketKind, data: string, expiresAt: number, userId: string]
>(`
  INSERT INTO vitrine.tickets (hash, kind, user_number, data, expires_at)
  SELECT $1, $2, number, $3, $4::float8 FROM vitrine.users WHERE id = $5
  RETURNING kind`);
const find = statement<Ticket, TicketQuery>(`
  SELECT users.id AS "userId", users.email, data, expires_at::float8 AS "expiresAt"
  FROM vitrine.tickets LEFT JOIN vitrine.users ON users.number = tickets.user_number
  WHERE hash = $1 AND kind = $2 AND ${IS_GOOD} AND ${HAS_ITS_USER}`);
const take = statement<Ticket, TicketQuery>(`
  WITH taken AS (
    DELETE FROM vitrine.tickets WHERE hash = $1 AND kind = $2 AND ${IS_GOOD} RETURNING *
  )
  SELECT users.id AS "userId", users.email, data, expires_at::float8 AS "expiresAt"
  FROM taken LEFT JOIN vitrine.users ON users.number = taken.user_number WHERE ${HAS_ITS_USER}`);

export class PostgresTickets implements Tickets {
  readonly #sql: SQL;
  readonly #now: () => number;

  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  async issue({ hash, kind, userId, data, expiresAt }: NewTicket): Promise<void> {
    await this.#sql.begin(async (sql) => {
      // Before all else, as a user who is deleted is locked before what goes along.
      if (userId !== null) await lockUser(sql, userId);
      await removeExpired(sql, this.#now());
      if (userId === null) {
        await issueToNobody(sql, hash, kind, data, expiresAt);
        return;
      }
      await removeOthers(sql, kind, userId);
      const issued = await issue(sql, hash, kind, data, expiresAt, userId);
      if (issued.length === 0) throw new NoSuchUser();
    });
  }

  async find(hash: Uint8Array, kind: TicketKind): Promise<Ticket | null> {
    const [ticket] = await find(this.#sql, hash, kind, this.#now());
    return ticket ?? null;
  }

  async take(hash: Uint8Array, kind: TicketKind): Promise<Ticket | null> {
    const [ticket] = await take(this.#sql, hash, kind, this.#now());
    return ticket ?? null;
  }
}
