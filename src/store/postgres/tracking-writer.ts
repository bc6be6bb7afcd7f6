import { withDeadline } from "../../maybe-promise.ts";
import type { PostgresLocation } from "../database-url.ts";
import type { TrackingBatch, TrackingWriter } from "../tracking-writer.ts";
import { type Counting, openCounting, RECONNECT_MS } from "./connection.ts";

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

/** Longer than the server lets the statement take: what is late by then is not late by the database's own doing. */
const MOST_WAIT_MS = 3000;

export class PostgresTrackingWriter implements TrackingWriter {
  readonly #location: PostgresLocation;
  #connection: Counting | undefined;

  private constructor(location: PostgresLocation, connection: Counting) {
    this.#location = location;
    this.#connection = connection;
  }

  static async open(location: PostgresLocation): Promise<PostgresTrackingWriter> {
    return new PostgresTrackingWriter(location, await openCounting(location));
  }

  /** A connection on which a write failed is not used again: the next write takes a new one. */
  async write({ counts, keyIds, usedAt }: TrackingBatch): Promise<void> {
    this.#connection ??= await openCounting(this.#location, RECONNECT_MS);
    const connection = this.#connection;
    const values = [JSON.stringify(counts), JSON.stringify(keyIds), usedAt];
    try {
      await withDeadline(connection.run(WRITE, values), MOST_WAIT_MS);
    } catch (error) {
      this.#connection = undefined;
      await connection.sql.close({ timeout: 0 });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection?.sql.close({ timeout: 0 });
  }
}
