import type { Database, Statement } from "bun:sqlite";
import type { FormerSlug } from "../../records/former-slugs.ts";

/** The slugs that were given up. All that writes here happens within a transaction of the caller's. */
export class FormerSlugRows {
  readonly #put: Statement<unknown, [path: string, userNumber: number, treeId: string, replacedAt: number]>;

  constructor(database: Database) {
    this.#put = database.prepare(
      "INSERT OR REPLACE INTO former_slugs (path, user_number, tree_id, replaced_at) VALUES (?, ?, ?, ?)",
    );
  }

  note(userNumber: number, slugs: readonly FormerSlug[], now: number): void {
    for (const { path, treeId } of slugs) this.#put.run(path, userNumber, treeId, now);
  }
}
