import type { Database, SQLiteError } from "bun:sqlite";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import type { Way } from "../history.ts";
import { changesPreviews, compileBatch, planBatch } from "../save/batch.ts";
import type { StoredUser } from "../save/plan.ts";
import {
  type CompiledBatch,
  OtherRevision,
  type PlannedBatch,
  type Records,
  type RevisedRecord,
  type Saved,
  STEP,
  type UserSummary,
} from "../store.ts";
import { type RecordRow, recordOf, recordTextOf, revisionOf } from "../stored-record.ts";
import { HEAD_LENGTH, type SummaryRow, summaryOf } from "../summary.ts";
import { ChangeRows } from "./changes.ts";
import { DocumentRows } from "./documents.ts";
import { FormerSlugRows } from "./former-slugs.ts";
import { HistoryRows } from "./history.ts";
import { BatchLookup } from "./lookup.ts";
import { PictureRows } from "./pictures.ts";
import { emptyLog, writing } from "./transaction.ts";

type UserColumns = [
  id: string,
  email: string,
  foldedEmail: string,
  profileSlug: string,
  record: Uint8Array,
  updatedAt: string,
];

/** The second parameter is the present time. */
const SUMMARY = `
  SELECT number, id, email, profile_slug AS profileSlug, updated_at AS updatedAt,
    substr(record, 1, ${HEAD_LENGTH}) AS head,
    (SELECT count(*) FROM trees WHERE user_number = number) AS linkTrees,
    (SELECT count(*) FROM keys WHERE user_number = number AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ?2)) AS activeKeys
  FROM users`;

const RECORD = "SELECT id, email, record, packed_record AS packedRecord FROM users";

function prepareStatements(database: Database) {
  return {
    byEmail: database.prepare<RecordRow, [string]>(`${RECORD} WHERE folded_email = ?`),
    byId: database.prepare<RecordRow, [string]>(`${RECORD} WHERE id = ?`),
    count: database.prepare<{ count: number }, []>("SELECT count(*) AS count FROM users"),
    summariesAfter: database.prepare<SummaryRow, [after: number, now: number]>(
      `${SUMMARY} WHERE number > ?1 ORDER BY number LIMIT ${STEP}`,
    ),
    summary: database.prepare<SummaryRow, [email: string, now: number]>(`${SUMMARY} WHERE folded_email = ?1`),
    summaryById: database.prepare<SummaryRow, [id: string, now: number]>(`${SUMMARY} WHERE id = ?1`),
    search: database.prepare<SummaryRow, [text: string, now: number, afterId: string, most: number]>(`
      ${SUMMARY}
      WHERE number > ifnull((SELECT number FROM users WHERE id = ?3), 0)
        AND (instr(folded_email, ?1) > 0 OR instr(profile_slug, ?1) > 0)
      ORDER BY number LIMIT ?4`),
    insert: database.prepare<unknown, UserColumns>(
      `INSERT INTO users (id, email, folded_email, profile_slug, record, packed_record, updated_at)
      VALUES (?, ?, ?, ?, '', ?, ?)`,
    ),
    update: database.prepare<unknown, [...UserColumns, number: number]>(
      `UPDATE users SET id = ?, email = ?, folded_email = ?, profile_slug = ?, record = '', packed_record = ?,
        updated_at = ?
      WHERE number = ?`,
    ),
    dropPreviews: database.prepare<unknown, [number: number]>("DELETE FROM previews WHERE user_number = ?"),
    delete: database.prepare<unknown, [string]>("DELETE FROM users WHERE folded_email = ?"),
    etagOf: database.prepare<{ etag: string }, [number]>(
      "SELECT full_etag AS etag FROM answers WHERE user_number = ?",
    ),
  };
}

export class SqliteRecords implements Records {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #lookup: BatchLookup;
  readonly #documents: DocumentRows;
  readonly #changes: ChangeRows;
  readonly #history: HistoryRows;
  readonly #pictures: PictureRows;
  readonly #formerSlugs: FormerSlugRows;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#statements = prepareStatements(database);
    this.#lookup = new BatchLookup(database);
    this.#documents = new DocumentRows(database);
    this.#changes = new ChangeRows(database);
    this.#history = new HistoryRows(database);
    this.#pictures = new PictureRows(database);
    this.#formerSlugs = new FormerSlugRows(database);
  }

  async save(inputs: readonly RecordInput[], way: Way = "import"): Promise<Saved[]> {
    return writing(this.#database, () => this.#write(compileBatch(this.#plan(inputs)), way));
  }

  async saveRevision(input: RecordInput & { id: string }, revision: string, way: Way): Promise<Saved> {
    return writing(this.#database, () => {
      const stored = this.#statements.byId.get(input.id);
      if (!stored || revisionOf(recordTextOf(stored).record) !== revision) throw new OtherRevision();
      return this.#write(compileBatch(this.#plan([input])), way)[0] as Saved;
    });
  }

  async plan(inputs: readonly RecordInput[]): Promise<PlannedBatch> {
    return this.#database.transaction(() => this.#plan(inputs))();
  }

  #plan(inputs: readonly RecordInput[]): PlannedBatch {
    const etagOf = (user: StoredUser) => this.#etagOf(user);
    return planBatch(inputs, this.#lookup.gather(inputs), etagOf, this.#now());
  }

  /** Nothing where the documents are still to be compiled. */
  #etagOf({ number }: Pick<StoredUser, "number">): string {
    return this.#statements.etagOf.get(number)?.etag ?? "";
  }

  async commit(batch: CompiledBatch): Promise<Saved[] | null> {
    try {
      return await writing(this.#database, () => {
        for (const { earlier } of batch.saves) {
          if (earlier && this.#etagOf(earlier) !== earlier.etag) throw new Outdated();
        }
        return this.#write(batch, "import");
      });
    } catch (error) {
      if (error instanceof Outdated || (error as SQLiteError).code?.startsWith("SQLITE_CONSTRAINT"))
        return null;
      throw error;
    }
  }

  #write({ saves }: CompiledBatch, way: Way): Saved[] {
    const { insert, update, dropPreviews } = this.#statements;
    const now = this.#now();
    for (const save of saves) {
      const { id, email, profileSlug, earlier, compiled, picture, replaced, formerSlugs } = save;
      if (!compiled) continue;
      const { record, updatedAt, documents } = compiled;
      const columns = [id, email, foldEmail(email), profileSlug, record, updatedAt] as const;
      if (earlier) {
        update.run(...columns, earlier.number);
        this.#documents.replace(earlier.number, documents);
        if (changesPreviews(save)) dropPreviews.run(earlier.number);
        if (replaced) this.#history.add(earlier.number, now, way, replaced);
        this.#pictures.settle(earlier.number, picture, now);
        this.#formerSlugs.note(earlier.number, formerSlugs, now);
      } else {
        const number = Number(insert.run(...columns).lastInsertRowid);
        this.#documents.insert(number, documents);
      }
    }
    this.#changes.note(saves);
    return saves.map(({ change, email }) => ({ change, email }));
  }

  async find(email: string): Promise<UserRecord | null> {
    const user = this.#statements.byEmail.get(foldEmail(email));
    return user && recordOf(recordTextOf(user));
  }

  async findRevised(id: string): Promise<RevisedRecord | null> {
    const row = this.#statements.byId.get(id);
    const user = row && recordTextOf(row);
    return user && { record: recordOf(user), revision: revisionOf(user.record) };
  }

  async summaryById(id: string): Promise<UserSummary | null> {
    const row = this.#statements.summaryById.get(id, this.#now());
    return row && summaryOf(row);
  }

  async search(text: string, afterId: string | undefined, most: number): Promise<UserSummary[]> {
    return this.#statements.search.all(text.toLowerCase(), this.#now(), afterId ?? "", most).map(summaryOf);
  }

  async summary(email: string): Promise<UserSummary | null> {
    const row = this.#statements.summary.get(foldEmail(email), this.#now());
    return row && summaryOf(row);
  }

  async count(): Promise<number> {
    return this.#statements.count.get()?.count ?? 0;
  }

  async *summaries(): AsyncIterable<UserSummary> {
    const now = this.#now();
    for (let last = 0; ; ) {
      const rows = this.#statements.summariesAfter.all(last, now);
      if (rows.length === 0) return;
      yield* rows.map(summaryOf);
      last = rows.at(-1)?.number ?? last;
    }
  }

  async delete(email: string): Promise<boolean> {
    const isDeleted = await writing(this.#database, () => {
      this.#database.run("PRAGMA secure_delete = ON");
      try {
        return this.#statements.delete.run(foldEmail(email)).changes > 0;
      } finally {
        this.#database.run("PRAGMA secure_delete = FAST");
      }
    });
    if (isDeleted) emptyLog(this.#database);
    return isDeleted;
  }
}

/** A save builds on a user who has changed since. */
class Outdated extends Error {}
