import type { Database } from "bun:sqlite";
import type { Identities } from "../../access.ts";
import { writing } from "../transaction.ts";

function prepareStatements(database: Database) {
  return {
    find: database.prepare<{ userId: string }, [issuer: string, subject: string]>(`
      SELECT users.id AS userId FROM identities JOIN users ON users.number = identities.user_number
      WHERE issuer = ? AND subject = ?`),
    bind: database.prepare<unknown, [issuer: string, subject: string, userId: string]>(`
      INSERT INTO identities (issuer, subject, user_number) SELECT ?1, ?2, number FROM users WHERE id = ?3
      ON CONFLICT DO NOTHING`),
  };
}

export class SqliteIdentities implements Identities {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepareStatements(database);
  }

  async find(issuer: string, subject: string): Promise<string | null> {
    return this.#statements.find.get(issuer, subject)?.userId ?? null;
  }

  async bind(issuer: string, subject: string, userId: string): Promise<boolean> {
    return writing(this.#database, () => this.#statements.bind.run(issuer, subject, userId).changes > 0);
  }
}
