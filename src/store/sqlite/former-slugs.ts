import type { Database, Statement } from "bun:sqlite";
import { type FormerSlug, KEPT_FORMER_SLUGS } from "../../records/former-slugs.ts";

/** The slugs that were given up. All that writes here happens within a transaction of the caller's. */
export class FormerSlugRows {
  readonly #put: Statement<unknown, [path: string, userNumber: number, treeId: string, replacedAt: number]>;
  readonly #trim: Statement<unknown, [userNumber: number]>;

  constructor(database: Database) {
    this.#put = database.prepare(
      "INSERT OR REPLACE INTO former_slugs (path, user_number, tree_id, replaced_at) VALUES (?, ?, ?, ?)",
    );
    this.#trim = database.prepare(`
      DELETE FROM former_slugs WHERE user_number = ?1 AND path IN (
        SELECT path FROM former_slugs WHERE user_number = ?1
        ORDER BY replaced_at DESC, path LIMIT -1 OFFSET ${KEPT_FORMER_SLUGS})`);
  }

  note(userNumber: number, slugs: readonly FormerSlug[], now: number): void {
    for (const { path, treeId } of slugs) this.#put.run(path, userNumber, treeId, now);
    if (slugs.length > 0) this.#trim.run(userNumber);
  }
}
