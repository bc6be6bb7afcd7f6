import type { SQL } from "bun";
import { foldEmail } from "../../records/record.ts";
import type { Counts, TreeCount } from "../store.ts";
import { statement } from "./statement.ts";

const countsSince = statement<TreeCount, [email: string, day: string]>(`
  SELECT tree_id AS "treeId", link_id AS "linkId", day, count::float8
  FROM vitrine.counts JOIN vitrine.users ON users.number = counts.user_number
  WHERE users.folded_email = $1 AND day >= $2 ORDER BY day`);

export class PostgresCounts implements Counts {
  readonly #sql: SQL;

  constructor(sql: SQL) {
    this.#sql = sql;
  }

  since(email: string, day: string): Promise<TreeCount[]> {
    return countsSince(this.#sql, foldEmail(email), day);
  }
}
