import type { Database } from "bun:sqlite";
import { DAY_MS } from "../../records/days.ts";
import {
  CANDIDATES,
  CHANGE_STEP,
  deliveryOf,
  EXPIRY_NOTICE_DAYS,
  type HookNumbers,
  type HookQueue,
  LEASE_MS,
  LOG_LIFE_MS,
  MOST_AHEAD_MS,
  MOST_PAUSE_MS,
  type Settlement,
  type TakenDelivery,
  type TakenRow,
  type Wanted,
} from "../hook-queue.ts";
import { writingAtOnce } from "./transaction.ts";

const NEW_ID = "lower(hex(randomblob(16)))";

/** Which changes have waited long enough, by the time and the time before which these were noted. */
const HAS_WAITED = `(noted_at <= ?2 OR noted_at > ?1 + ${MOST_AHEAD_MS})`;

/** The shortest notice that the present time falls into. */
const NOTICE = `CASE ${EXPIRY_NOTICE_DAYS.map((days) => `WHEN expires_at <= ?1 + ${days * DAY_MS} THEN ${days}`).join(" ")} END`;

type LeaseColumns = [now: number, until: number, most: number, mostOfUser: number, exceptOf: string];

type SettleColumns = [
  id: string,
  attempt: number,
  state: string,
  dueAt: number,
  endedAt: number | null,
  status: number | null,
  fault: string | null,
];

function prepareStatements(database: Database) {
  return {
    isDue: database.prepare<{ found: number }, [now: number, notedBefore: number]>(`
      SELECT EXISTS (SELECT 1 FROM deliveries WHERE state = 'waiting' AND due_at <= ?1)
        OR EXISTS (SELECT 1 FROM changes WHERE ${HAS_WAITED}) AS found`),
    spread: database.prepare<unknown, [now: number, notedBefore: number]>(`
      INSERT INTO deliveries (id, hook_id, event, details, created_at, state, attempts, due_at)
      SELECT ${NEW_ID}, hooks.id, 'record.changed', json_object('changed', json(changed)), noted_at, 'waiting', 0, ?1
      FROM (SELECT * FROM changes WHERE ${HAS_WAITED} ORDER BY user_number LIMIT ${CHANGE_STEP}) AS taken
        JOIN hooks ON hooks.user_number = taken.user_number
      WHERE disabled_at IS NULL AND events LIKE '%record.changed%'`),
    clear: database.prepare<unknown, [now: number, notedBefore: number]>(`
      DELETE FROM changes WHERE user_number IN (
        SELECT user_number FROM changes WHERE ${HAS_WAITED} ORDER BY user_number LIMIT ${CHANGE_STEP})`),
    lease: database.prepare<{ id: string }, LeaseColumns>(`
      UPDATE deliveries SET attempts = attempts + 1, due_at = ?2 WHERE id IN (
        SELECT id FROM (
          SELECT id, due_at, row_number() OVER (PARTITION BY user_number ORDER BY due_at) AS place FROM (
            SELECT deliveries.id AS id, due_at, user_number FROM deliveries CROSS JOIN hooks ON hooks.id = hook_id
            WHERE state = 'waiting' AND due_at <= ?1 AND user_number NOT IN (
              SELECT number FROM users WHERE id IN (SELECT value FROM json_each(?5)))
            ORDER BY due_at LIMIT ${CANDIDATES}))
        WHERE place <= ?4 ORDER BY place, due_at LIMIT ?3)
      RETURNING id`),
    leased: database.prepare<TakenRow, [ids: string]>(`
      SELECT deliveries.id, hook_id AS hookId, users.id AS userId, event, details,
        deliveries.created_at AS createdAt, attempts AS attempt, url, headers, body, secret
      FROM deliveries JOIN hooks ON hooks.id = hook_id JOIN users ON users.number = hooks.user_number
      WHERE deliveries.id IN (SELECT value FROM json_each(?))`),
    settle: database.prepare<{ hookId: string }, SettleColumns>(`
      UPDATE deliveries SET state = ?3, due_at = ?4, ended_at = ?5, status = ?6, fault = ?7
      WHERE id = ?1 AND attempts = ?2 AND state = 'waiting' RETURNING hook_id AS hookId`),
    wentWell: database.prepare<unknown, [hookId: string]>(
      "UPDATE hooks SET failing_since = NULL WHERE id = ? AND failing_since IS NOT NULL",
    ),
    fails: database.prepare<unknown, [hookId: string, now: number]>(
      "UPDATE hooks SET failing_since = ifnull(failing_since, ?2) WHERE id = ?1",
    ),
    disable: database.prepare<unknown, [hookId: string, now: number]>(
      "UPDATE hooks SET disabled_at = ?2, failing_since = NULL WHERE id = ?1",
    ),
    drop: database.prepare<unknown, [hookId: string, now: number]>(
      "UPDATE deliveries SET state = 'dropped', ended_at = ?2 WHERE hook_id = ?1 AND state = 'waiting'",
    ),
    announceExpiry: database.prepare<unknown, [now: number]>(`
      INSERT INTO deliveries (id, hook_id, event, subject, details, created_at, state, attempts, due_at)
      SELECT ${NEW_ID}, hooks.id, 'key.expiring', keys.id || ' ' || ${NOTICE},
        json_object('keyId', keys.id, 'expiresAt', expires_at), ?1, 'waiting', 0, ?1
      FROM hooks JOIN keys ON keys.user_number = hooks.user_number
      WHERE disabled_at IS NULL AND events LIKE '%key.expiring%' AND revoked_at IS NULL AND expires_at > ?1
        AND keys.created_at <= expires_at - ${NOTICE} * ${DAY_MS}
      ON CONFLICT (hook_id, subject) DO NOTHING`),
    forget: database.prepare<unknown, [endedBefore: number]>(
      "DELETE FROM deliveries WHERE state <> 'waiting' AND ended_at < ?",
    ),
    callBack: database.prepare<unknown, [now: number]>(`
      UPDATE deliveries SET due_at = ?1
      WHERE state = 'waiting' AND due_at > ?1 + ${MOST_AHEAD_MS} AND due_at > ?1 + ${MOST_PAUSE_MS}`),
    numbers: database.prepare<HookNumbers, []>(`
      SELECT count(*) FILTER (WHERE disabled_at IS NULL AND failing_since IS NULL) AS active,
        count(*) FILTER (WHERE disabled_at IS NULL AND failing_since IS NOT NULL) AS failing,
        count(*) FILTER (WHERE disabled_at IS NOT NULL) AS disabled,
        (SELECT count(*) FROM deliveries WHERE state = 'waiting') AS waiting
      FROM hooks`),
  };
}

/** The queue in one file. All servers on it share the machine's clock. */
export class HookRows implements HookQueue {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepareStatements(database);
  }

  take({ most, mostOfUser, exceptOf, delayMs }: Wanted): TakenDelivery[] {
    const { isDue, spread, clear, lease, leased } = this.#statements;
    const now = this.#now();
    // Asked first, because nothing is due most of the time, and a look takes no lock.
    if (!isDue.get(now, now - delayMs)?.found) return [];
    return writingAtOnce(this.#database, () => {
      spread.run(now, now - delayMs);
      clear.run(now, now - delayMs);
      const ids = lease.all(now, now + LEASE_MS, most, mostOfUser, JSON.stringify(exceptOf));
      return leased.all(JSON.stringify(ids.map(({ id }) => id))).map(deliveryOf);
    });
  }

  settle({ id, attempt, state, retryMs, disables, status, fault }: Settlement): void {
    const now = this.#now();
    const statements = this.#statements;
    writingAtOnce(this.#database, () => {
      const endedAt = state === "waiting" ? null : now;
      const settled = statements.settle.get(id, attempt, state, now + retryMs, endedAt, status, fault);
      if (!settled) return;
      if (state === "delivered") statements.wentWell.run(settled.hookId);
      if (disables) {
        statements.disable.run(settled.hookId, now);
        statements.drop.run(settled.hookId, now);
      } else if (state === "failed") statements.fails.run(settled.hookId, now);
    });
  }

  sweep(): void {
    const now = this.#now();
    writingAtOnce(this.#database, () => {
      this.#statements.announceExpiry.run(now);
      this.#statements.forget.run(now - LOG_LIFE_MS);
      this.#statements.callBack.run(now);
    });
  }

  numbers(): HookNumbers {
    return this.#statements.numbers.get() ?? { active: 0, failing: 0, disabled: 0, waiting: 0 };
  }
}
