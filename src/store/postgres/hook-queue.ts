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
import type { RenewedConnection } from "./renewed-connection.ts";

/** How many deliveries are forgotten, or called back, at a time. A sweep comes every minute. */
const SWEEP_STEP = 5000;

/** The server's own clock, in milliseconds, unless the first parameter is another one. */
const NOW = "coalesce($1::float8::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint)";

/**
 * What another server takes, a save still holds, or goes with a user who is being deleted, is left to them. The changes
 * go and the deliveries come in one statement, and so together.
 */
const SPREAD = `
  WITH due AS MATERIALIZED (
    SELECT user_number FROM vitrine.changes JOIN vitrine.users ON number = user_number
    WHERE noted_at <= ${NOW} - $2::float8::bigint OR noted_at > ${NOW} + ${MOST_AHEAD_MS}
    ORDER BY user_number LIMIT ${CHANGE_STEP}
    FOR UPDATE OF changes SKIP LOCKED FOR KEY SHARE OF users SKIP LOCKED
  ), taken AS (
    DELETE FROM vitrine.changes USING due WHERE changes.user_number = due.user_number RETURNING changes.*
  )
  INSERT INTO vitrine.deliveries (id, hook_id, event, details, created_at, state, attempts, due_at)
  SELECT gen_random_uuid()::text, hooks.id, 'record.changed', json_build_object('changed', changed::json)::text,
    noted_at, 'waiting', 0, ${NOW}
  FROM taken JOIN vitrine.hooks ON hooks.user_number = taken.user_number
  WHERE disabled_at IS NULL AND events LIKE '%record.changed%' FOR KEY SHARE OF hooks`;

const LEASE = `
  WITH candidates AS MATERIALIZED (
    SELECT deliveries.id, due_at, user_number FROM vitrine.deliveries JOIN vitrine.hooks ON hooks.id = hook_id
    WHERE state = 'waiting' AND due_at <= ${NOW} AND user_number NOT IN (
      SELECT number FROM vitrine.users WHERE id IN (SELECT json_array_elements_text($4::text::json)))
    ORDER BY due_at LIMIT ${CANDIDATES} FOR UPDATE OF deliveries SKIP LOCKED
  ), due AS (
    SELECT id FROM (
      SELECT id, due_at, row_number() OVER (PARTITION BY user_number ORDER BY due_at) AS place FROM candidates
    ) AS placed WHERE place <= $3::int ORDER BY place, due_at LIMIT $2::int
  ), leased AS (
    UPDATE vitrine.deliveries SET attempts = attempts + 1, due_at = ${NOW} + ${LEASE_MS}
    FROM due WHERE deliveries.id = due.id RETURNING deliveries.*
  )
  SELECT leased.id, hook_id AS "hookId", users.id AS "userId", event, details,
    leased.created_at::float8 AS "createdAt", attempts AS attempt, url, headers, body, secret
  FROM leased JOIN vitrine.hooks ON hooks.id = hook_id JOIN vitrine.users ON users.number = hooks.user_number`;

/** The hook is held before its deliveries are, as one that is removed is locked before what goes along. */
const SETTLE = `
  WITH hook AS MATERIALIZED (
    SELECT id FROM vitrine.hooks WHERE id = (SELECT hook_id FROM vitrine.deliveries WHERE id = $2)
    FOR NO KEY UPDATE
  ), settled AS (
    UPDATE vitrine.deliveries SET state = $4, due_at = ${NOW} + $5::float8::bigint,
      ended_at = CASE WHEN $4 <> 'waiting' THEN ${NOW} END, status = $6::int, fault = $7
    FROM hook
    WHERE deliveries.id = $2 AND hook_id = hook.id AND attempts = $3::int AND state = 'waiting' RETURNING hook_id
  ), marked AS (
    UPDATE vitrine.hooks SET
      failing_since = CASE WHEN $4 = 'failed' AND NOT $8::boolean THEN coalesce(failing_since, ${NOW}) END,
      disabled_at = CASE WHEN $8::boolean THEN ${NOW} ELSE disabled_at END
    FROM settled WHERE hooks.id = settled.hook_id
      AND ($4 = 'failed' OR $4 = 'delivered' AND failing_since IS NOT NULL)
  )
  UPDATE vitrine.deliveries SET state = 'dropped', ended_at = ${NOW} FROM settled
  WHERE deliveries.hook_id = settled.hook_id AND state = 'waiting' AND id <> $2 AND $8::boolean`;

/** The shortest notice that the present time falls into. */
const NOTICE = `CASE ${EXPIRY_NOTICE_DAYS.map((days) => `WHEN expires_at <= ${NOW} + ${days * DAY_MS} THEN ${days}`).join(" ")} END`;

const ANNOUNCE_EXPIRY = `
  INSERT INTO vitrine.deliveries (id, hook_id, event, subject, details, created_at, state, attempts, due_at)
  SELECT gen_random_uuid()::text, hooks.id, 'key.expiring', keys.id || ' ' || ${NOTICE},
    json_build_object('keyId', keys.id, 'expiresAt', expires_at)::text, ${NOW}, 'waiting', 0, ${NOW}
  FROM vitrine.hooks JOIN vitrine.keys ON keys.user_number = hooks.user_number
  WHERE disabled_at IS NULL AND events LIKE '%key.expiring%' AND revoked_at IS NULL AND expires_at > ${NOW}
    AND expires_at <= ${NOW} + ${Math.max(...EXPIRY_NOTICE_DAYS) * DAY_MS}::bigint
    AND keys.created_at <= expires_at - ${NOTICE} * ${DAY_MS}::bigint
  ON CONFLICT (hook_id, subject) DO NOTHING`;

const FORGOTTEN = `(SELECT ${NOW} - ${LOG_LIFE_MS}::bigint)`;

/**
 * By an index, with the time worked out once, and some at a time: a log of millions takes longer to be looked through,
 * or forgotten, than a statement may. What somebody else forgets at this moment is left to them.
 */
const FORGET = `
  DELETE FROM vitrine.deliveries WHERE id IN (
    SELECT id FROM vitrine.deliveries
    WHERE created_at < ${FORGOTTEN} AND ended_at < ${FORGOTTEN} AND state <> 'waiting'
    LIMIT ${SWEEP_STEP} FOR UPDATE SKIP LOCKED)`;

/** What somebody else takes, or calls back, at this moment is left to them. */
const CALL_BACK = `
  UPDATE vitrine.deliveries SET due_at = ${NOW} WHERE id IN (
    SELECT id FROM vitrine.deliveries
    WHERE state = 'waiting' AND due_at > ${NOW} + ${MOST_AHEAD_MS} AND due_at > ${NOW} + ${MOST_PAUSE_MS}
    LIMIT ${SWEEP_STEP} FOR UPDATE SKIP LOCKED)`;

const NUMBERS = `
  SELECT count(*) FILTER (WHERE disabled_at IS NULL AND failing_since IS NULL)::int AS active,
    count(*) FILTER (WHERE disabled_at IS NULL AND failing_since IS NOT NULL)::int AS failing,
    count(*) FILTER (WHERE disabled_at IS NOT NULL)::int AS disabled,
    (SELECT count(*)::int FROM vitrine.deliveries WHERE state = 'waiting') AS waiting
  FROM vitrine.hooks`;

/** On a connection on which nobody counts, so that nobody who does waits for it. */
export class PostgresHookQueue implements HookQueue {
  readonly #connection: RenewedConnection;
  readonly #now: () => number | null;

  constructor(connection: RenewedConnection, now: () => number | null = () => null) {
    this.#connection = connection;
    this.#now = now;
  }

  async take({ most, mostOfUser, exceptOf, delayMs }: Wanted): Promise<TakenDelivery[]> {
    await this.#connection.run(SPREAD, [this.#now(), delayMs]);
    const values = [this.#now(), most, mostOfUser, JSON.stringify(exceptOf)];
    return (await this.#connection.run<TakenRow>(LEASE, values)).map(deliveryOf);
  }

  async settle({ id, attempt, state, retryMs, status, fault, disables }: Settlement): Promise<void> {
    const values = [this.#now(), id, attempt, state, retryMs, status, fault, disables];
    await this.#connection.run(SETTLE, values);
  }

  async sweep(): Promise<void> {
    await this.#connection.run(ANNOUNCE_EXPIRY, [this.#now()]);
    await this.#connection.run(FORGET, [this.#now()]);
    await this.#connection.run(CALL_BACK, [this.#now()]);
  }

  async numbers(): Promise<HookNumbers> {
    const [row] = await this.#connection.run<HookNumbers>(NUMBERS, []);
    return row ?? { active: 0, failing: 0, disabled: 0, waiting: 0 };
  }
}
