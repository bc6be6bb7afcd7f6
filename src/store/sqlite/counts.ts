import type { Database, Statement } from "bun:sqlite";
import { foldEmail } from "../../records/record.ts";
import type { Counts, TreeCount } from "../store.ts";

export class SqliteCounts implements Counts {
  readonly #since: Statement<TreeCount, [email: string, day: string]>;

  constructor(database: Database) {
    this.#since = database.prepare(`
      SELECT tree_id AS treeId, link_id AS linkId, day, count
      FROM counts JOIN users ON users.number = counts.user_number
      WHERE users.folded_email = ? AND day >= ? ORDER BY day`);
  }

  async since(email: string, day: string): Promise<TreeCount[]> {
    return this.#since.all(foldEmail(email), day);
  }
}
