import type { SQL } from "bun";
import type { Identities } from "../../access.ts";
import { statement } from "../statement.ts";

const find = statement<{ userId: string }, [issuer: string, subject: string]>(`
  SELECT users.id AS "userId" FROM vitrine.identities
  JOIN vitrine.users ON users.number = identities.user_number
  WHERE issuer = $1 AND subject = $2`);
const bind = statement<unknown, [issuer: string, subject: string, userId: string]>(`
  INSERT INTO vitrine.identities (issuer, subject, user_number)
  SELECT $1, $2, number FROM vitrine.users WHERE id = $3
  ON CONFLICT DO NOTHING RETURNING subject`);

export class PostgresIdentities implements Identities {
  readonly #sql: SQL;

  constructor(sql: SQL) {
    this.#sql = sql;
  }

  async find(issuer: string, subject: string): Promise<string | null> {
    const [row] = await find(this.#sql, issuer, subject);
    return row?.userId ?? null;
  }

  async bind(issuer: string, subject: string, userId: string): Promise<boolean> {
    return (await bind(this.#sql, issuer, subject, userId)).length > 0;
  }
}
