import { type CountBatch, INSTANCE_LIFE_MS } from "../count-writer.ts";
import type { CountWriterOptions } from "../engine.ts";
import type { ServingWriter } from "../hook-queue.ts";
import type { PostgresLocation } from "../location.ts";
import { openCountConnection } from "./connection.ts";
import { PostgresHookQueue } from "./hook-queue.ts";
import { PostgresPreviewWriter } from "./preview-writer.ts";
import { PostgresRenditionWriter } from "./rendition-writer.ts";
import { RenewedConnection } from "./renewed-connection.ts";

/**
 * One statement, and so one transaction and one round trip. Several servers count at the same time: each takes
 * its rows in the same order, so that none waits for another in a circle. A user may have been deleted since the
 * visit; that must not take the other counts along.
 */
const WRITE = `
  WITH used AS (
    SELECT id FROM vitrine.keys WHERE id IN (SELECT json_array_elements_text($2::text::json))
    ORDER BY id FOR NO KEY UPDATE
  ), touched AS (
    UPDATE vitrine.keys SET last_used_at = $3::float8::bigint FROM used WHERE keys.id = used.id
  ), counted AS (
    SELECT number, added.* FROM (
      SELECT "userNumber", "treeId", "linkId", day, sum(count) AS count FROM json_to_recordset($1::text::json)
        AS given ("userNumber" bigint, "treeId" text, "linkId" text, day text, count bigint)
      GROUP BY "userNumber", "treeId", "linkId", day
    ) AS added JOIN vitrine.users ON users.number = added."userNumber"
    ORDER BY number, "treeId" COLLATE "C", "linkId" COLLATE "C", day COLLATE "C"
    FOR KEY SHARE OF users
  )
  INSERT INTO vitrine.counts (user_number, tree_id, link_id, day, count)
  SELECT number, "treeId", "linkId", day, count FROM counted
  ON CONFLICT (user_number, tree_id, link_id, day) DO UPDATE SET count = counts.count + excluded.count`;

/** The server's own clock, in milliseconds: those of several machines differ. */
const NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const STATEMENT_NOW = "floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint";

/** Those that are forgotten by somebody else at this moment are left to them, so that none waits for another. */
const MEET = `
  WITH forgotten AS (
    DELETE FROM vitrine.instances WHERE id IN (
      SELECT id FROM vitrine.instances WHERE abs(seen - ${NOW}) > ${INSTANCE_LIFE_MS} AND id <> $1
      FOR UPDATE SKIP LOCKED)
  ), own AS (
    INSERT INTO vitrine.instances (id, started, seen) VALUES ($1, ${NOW}, ${NOW})
    ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, started = least(instances.started, excluded.started)
    RETURNING started
  )
  SELECT count(*)::int AS count FROM vitrine.instances AS other, own
  WHERE other.id <> $1 AND other.seen > own.started AND other.seen <= ${NOW} + ${INSTANCE_LIFE_MS}`;

/** By a time that stands still for the statement: by one that does not, an index cannot be asked. */
const EXPIRING_KEYS = `
  SELECT count(*)::int AS count FROM vitrine.keys
  WHERE expires_at > ${STATEMENT_NOW} AND expires_at <= ${STATEMENT_NOW} + $1::float8::bigint
    AND revoked_at IS NULL`;

const FORGET = "DELETE FROM vitrine.instances WHERE id = $1";

export class PostgresCountWriter implements ServingWriter {
  readonly hooks: PostgresHookQueue;
  readonly previews: PostgresPreviewWriter;
  readonly renditions: PostgresRenditionWriter;
  readonly #connection: RenewedConnection;
  /** For all that nobody who counts is to wait for. */
  readonly #beside: RenewedConnection;
  #instance: string | undefined;

  private constructor(connection: RenewedConnection, beside: RenewedConnection, now?: () => number) {
    this.#connection = connection;
    this.#beside = beside;
    this.hooks = new PostgresHookQueue(beside, now);
    this.previews = new PostgresPreviewWriter(beside);
    this.renditions = new PostgresRenditionWriter(beside);
  }

  static async open(
    location: PostgresLocation,
    { now }: CountWriterOptions = {},
  ): Promise<PostgresCountWriter> {
    const connection = new RenewedConnection(location, await openCountConnection(location));
    return new PostgresCountWriter(connection, new RenewedConnection(location), now);
  }

  async write({ counts, keyIds, usedAt }: CountBatch): Promise<void> {
    await this.#connection.run(WRITE, [JSON.stringify(counts), JSON.stringify(keyIds), usedAt]);
  }

  async meet(instance: string): Promise<number> {
    const [row] = await this.#connection.run<{ count: number }>(MEET, [instance]);
    this.#instance = instance;
    return (row as { count: number }).count;
  }

  async expiringKeys(withinMs: number): Promise<number> {
    const [row] = await this.#connection.run(EXPIRING_KEYS, [withinMs]);
    return (row as { count: number }).count;
  }

  async close(): Promise<void> {
    await this.#beside.close();
    // Where this fails, or nothing is connected, the note is forgotten by the others when it has become old.
    if (this.#instance !== undefined && this.#connection.isOpen)
      await this.#connection.run(FORGET, [this.#instance]).catch(() => {});
    await this.#connection.close();
  }
}
