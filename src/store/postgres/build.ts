import { SQL } from "bun";
import type { PostgresLocation } from "../database-url.ts";
import type { PreparedBatch, PreparedSave, Saved, StoreBuild } from "../store.ts";
import { openWritable } from "./connection.ts";
import { migrateWithin } from "./migrations.ts";
import { UNIQUE_VIOLATION, writeBatch } from "./store.ts";

/** So many records are sent together: what a statement costs by itself is then next to nothing for each. */
const STEP = 500;

/** PostgreSQL's code for a statement that would write one row twice. */
const ROW_TWICE = "21000";

/**
 * A database in the making: schema and records are one transaction, so nobody sees any of it before it is whole.
 * Rows are laid down without their rules, and each rule is checked once for all of them at the end.
 */
export class PostgresBuild implements StoreBuild {
  readonly #sql: SQL;
  readonly #rules: Rules;
  #waiting: PreparedSave[] = [];
  /** Whether what was sent last found its place. While the server writes, the next records are prepared. */
  #written: Promise<boolean> = Promise.resolve(true);

  private constructor(sql: SQL, rules: Rules) {
    this.#sql = sql;
    this.#rules = rules;
  }

  /** Nothing if there is a schema by now. */
  static async begin(location: PostgresLocation): Promise<PostgresBuild | undefined> {
    const sql = await openWritable(location);
    try {
      await sql.unsafe("BEGIN");
      if (await migrateWithin(sql)) return new PostgresBuild(sql, await Rules.lift(sql));
    } catch (error) {
      await sql.close();
      throw error;
    }
    await sql.close();
    return undefined;
  }

  async add({ saves }: PreparedBatch): Promise<Saved[] | null> {
    this.#waiting.push(...saves);
    if (this.#waiting.length >= STEP) {
      if (!(await this.#written)) return null;
      this.#send();
    }
    return saves.map(({ change, email }) => ({ change, email }));
  }

  #send(): void {
    const saves = this.#waiting;
    this.#waiting = [];
    this.#written = unlessTaken(() => writeBatch({ saves }, this.#sql));
    // Awaited before the next is sent; a failure that comes before then is not forgotten but kept.
    this.#written.catch(() => {});
  }

  async finish(): Promise<boolean> {
    if (!(await this.#written)) return false;
    this.#send();
    if (!(await this.#written)) return false;
    return unlessTaken(async () => {
      await this.#rules.restore(this.#sql);
      await this.#sql.unsafe("COMMIT");
    });
  }

  /** A transaction whose connection ends is undone. */
  async discard(): Promise<void> {
    await this.#sql.close();
  }
}

/** False where two records want the same value. Two with one id are found when both get documents. */
async function unlessTaken(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const found = error instanceof SQL.PostgresError ? error.errno : undefined;
    if (found === UNIQUE_VIOLATION || found === ROW_TWICE) return false;
    throw error;
  }
}

/** What the schema demands of its rows, and the indexes that are not part of a demand. */
class Rules {
  readonly #restoring: readonly string[];

  private constructor(restoring: readonly string[]) {
    this.#restoring = restoring;
  }

  static async lift(sql: SQL): Promise<Rules> {
    // References lean on keys: they go first and come back last. The key of documents stays: writing them needs it.
    const constraints = await sql.unsafe<{ lift: string; restore: string }[]>(`
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS lift,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS restore
      FROM pg_constraint WHERE connamespace = 'vitrine'::regnamespace AND contype IN ('p', 'u', 'f')
        AND (conrelid, contype) <> ('vitrine.documents'::regclass, 'p')
      ORDER BY contype = 'f' DESC, conrelid::regclass::text, conname`);
    const indexes = await sql.unsafe<{ lift: string; restore: string }[]>(`
      SELECT format('DROP INDEX vitrine.%I', indexname) AS lift, indexdef AS restore
      FROM pg_indexes WHERE schemaname = 'vitrine' AND NOT EXISTS (
        SELECT FROM pg_constraint WHERE connamespace = 'vitrine'::regnamespace AND conname = indexname)
      ORDER BY indexname`);
    for (const { lift } of [...constraints, ...indexes]) await sql.unsafe(lift);
    return new Rules([...indexes, ...constraints.toReversed()].map(({ restore }) => restore));
  }

  async restore(sql: SQL): Promise<void> {
    // For this transaction, in which much has to be put in order.
    await sql.unsafe("SET LOCAL maintenance_work_mem = '256MB'");
    for (const restore of this.#restoring) await sql.unsafe(restore);
  }
}
