import type { Database } from "bun:sqlite";
import { nextTurn } from "../../async/turn.ts";
import { COMPILER_VERSION } from "../../documents/version.ts";
import { examine } from "../examine.ts";
import { compiledThrough } from "../save/compilation.ts";
import { type CompiledStep, type Discrepancy, type Progress, STEP, type Upkeep } from "../store.ts";
import { type RecordRow, recordTextOf } from "../stored-record.ts";
import { DocumentRows } from "./documents.ts";
import { compilationOf, removeLeftovers } from "./migrations.ts";
import { writing } from "./transaction.ts";

type UserRow = RecordRow & { readonly number: number };

const USER = "SELECT number, id, email, record, packed_record AS packedRecord FROM users";

function prepareStatements(database: Database) {
  return {
    countUsers: database.prepare<{ count: number }, [after: number]>(
      "SELECT count(*) AS count FROM users WHERE number > ?",
    ),
    numbersAfter: database.prepare<{ number: number }, [after: number]>(
      `SELECT number FROM users WHERE number > ? ORDER BY number LIMIT ${STEP}`,
    ),
    recordsAfter: database.prepare<UserRow, [after: number]>(
      `${USER} WHERE number > ? ORDER BY number LIMIT ${STEP}`,
    ),
    recordOf: database.prepare<UserRow, [number: number]>(`${USER} WHERE number = ?`),
    setCompilation: database.prepare<unknown, [compiler: number, through: number | null]>(
      "UPDATE compilation SET compiler = ?, through = ?",
    ),
  };
}

/** SQLite answers at once, and awaiting that lets no signal through: so each step waits for the event loop, too. */
export class SqliteUpkeep implements Upkeep {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #documents: DocumentRows;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepareStatements(database);
    this.#documents = new DocumentRows(database);
  }

  async *discrepancies(onProgress: (progress: Progress) => void): AsyncIterable<Discrepancy> {
    const total = this.#countAfter(0);
    let done = 0;
    for (let last = 0; ; ) {
      const step = this.#statements.numbersAfter.all(last);
      if (step.length === 0) return;
      for (const { number } of step) {
        const found = this.#discrepancyOf(number);
        if (found) yield found;
      }
      last = step.at(-1)?.number ?? last;
      done += step.length;
      onProgress({ done, total });
      await nextTurn();
    }
  }

  /** Record and documents of one user are read in one transaction, so a save in between is no discrepancy. */
  #discrepancyOf(number: number): Discrepancy | undefined {
    return this.#database.transaction(() => {
      const user = this.#statements.recordOf.get(number);
      return user ? examine(recordTextOf(user), this.#documents.of(number)) : undefined;
    })();
  }

  async outdated(): Promise<number> {
    const through = compiledThrough(compilationOf(this.#database));
    return through === null ? 0 : this.#countAfter(through);
  }

  async outdateAll(): Promise<void> {
    await writing(this.#database, () => {
      this.#statements.setCompilation.run(COMPILER_VERSION, 0);
    });
  }

  async compileNext(): Promise<CompiledStep> {
    await nextTurn();
    return writing(this.#database, () => {
      const through = compiledThrough(compilationOf(this.#database));
      if (through === null) return { users: 0, damaged: [] };
      const users = this.#statements.recordsAfter.all(through);
      const damaged = this.#documents.compileAnew(users.map(recordTextOf));
      this.#statements.setCompilation.run(COMPILER_VERSION, users.at(-1)?.number ?? null);
      return { users: users.length, damaged };
    });
  }

  async removeLeftovers(): Promise<boolean> {
    return writing(this.#database, () => removeLeftovers(this.#database));
  }

  #countAfter(number: number): number {
    return this.#statements.countUsers.get(number)?.count ?? 0;
  }
}
