import type { SQL } from "bun";
import { COMPILER_VERSION } from "../../documents/version.ts";
import { examine } from "../examine.ts";
import { LEFTOVERS } from "../leftovers.ts";
import { compiledThrough } from "../save/compilation.ts";
import { type CompiledStep, type Discrepancy, type Progress, STEP, type Upkeep } from "../store.ts";
import { type RecordRow, recordTextOf } from "../stored-record.ts";
import { compileAnew, documentsOfUsers } from "./documents.ts";
import { compilationOf, DROP_LEFTOVERS } from "./migrations.ts";
import { statement } from "./statement.ts";
import { writing } from "./transaction.ts";

type UserRow = RecordRow & { readonly number: number };

const countUsers = statement<{ count: number }, [after: number]>(
  "SELECT count(*)::float8 AS count FROM vitrine.users WHERE number > $1::bigint",
);
const recordsAfter = statement<UserRow, [after: number]>(`
  SELECT number::float8, id, email, record, packed_record AS "packedRecord" FROM vitrine.users
  WHERE number > $1::bigint ORDER BY users.number LIMIT ${STEP}`);
const setCompilation = statement<unknown, [compiler: number, through: number | null]>(
  "UPDATE vitrine.compilation SET compiler = $1::int, through = $2::float8::bigint",
);

const leftovers = statement(`
  SELECT FROM pg_tables WHERE schemaname = 'vitrine' AND tablename IN (${LEFTOVERS.map((name) => `'${name}'`)})`);
const dropLeftovers = statement(DROP_LEFTOVERS);

export class PostgresUpkeep implements Upkeep {
  readonly #sql: SQL;

  constructor(sql: SQL) {
    this.#sql = sql;
  }

  async *discrepancies(onProgress: (progress: Progress) => void): AsyncIterable<Discrepancy> {
    const total = await this.#countAfter(0);
    let done = 0;
    for (let last = 0; ; ) {
      const { users, found } = await this.#compareAfter(last);
      if (users.length === 0) return;
      yield* found;
      last = users.at(-1)?.number ?? last;
      done += users.length;
      onProgress({ done, total });
    }
  }

  /** Records and documents of a step are read as of one moment, so a save in between is no discrepancy. */
  async #compareAfter(last: number) {
    return this.#sql.begin("isolation level repeatable read read only", async (sql) => {
      const users = await recordsAfter(sql, last);
      const storedFor = await documentsOfUsers(
        users.map(({ number }) => number),
        sql,
      );
      const found = users.flatMap((user) => examine(recordTextOf(user), storedFor(user.number)) ?? []);
      return { users, found };
    });
  }

  async outdated(): Promise<number> {
    const through = compiledThrough(await compilationOf(this.#sql));
    return through === null ? 0 : this.#countAfter(through);
  }

  async outdateAll(): Promise<void> {
    await writing(this.#sql, (sql) => setCompilation(sql, COMPILER_VERSION, 0));
  }

  compileNext(): Promise<CompiledStep> {
    return writing(this.#sql, async (sql) => {
      const through = compiledThrough(await compilationOf(sql));
      if (through === null) return { users: 0, damaged: [] };
      const users = await recordsAfter(sql, through);
      const damaged = await compileAnew(users.map(recordTextOf), sql);
      await setCompilation(sql, COMPILER_VERSION, users.at(-1)?.number ?? null);
      return { users: users.length, damaged };
    });
  }

  removeLeftovers(): Promise<boolean> {
    return writing(this.#sql, async (sql) => {
      const found = await leftovers(sql);
      if (found.length > 0) await dropLeftovers(sql);
      return found.length > 0;
    });
  }

  async #countAfter(number: number): Promise<number> {
    const [row] = await countUsers(this.#sql, number);
    return row?.count ?? 0;
  }
}
