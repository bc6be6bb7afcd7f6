import type { SQL } from "bun";
import type { PostgresLocation } from "../database-url.ts";
import type { TrackingBatch, TrackingWriter } from "../tracking-writer.ts";
import { openCounting } from "./connection.ts";

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

export class PostgresTrackingWriter implements TrackingWriter {
  readonly #sql: SQL;

  private constructor(sql: SQL) {
    this.#sql = sql;
  }

  static async open(location: PostgresLocation): Promise<PostgresTrackingWriter> {
    return new PostgresTrackingWriter(await openCounting(location));
  }

  async write({ counts, keyIds, usedAt }: TrackingBatch): Promise<void> {
    await this.#sql.unsafe(WRITE, [JSON.stringify(counts), JSON.stringify(keyIds), usedAt]);
  }

  async close(): Promise<void> {
    await this.#sql.close();
  }
}
