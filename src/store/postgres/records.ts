import type { SQL } from "bun";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import type { Way } from "../history.ts";
import { changesPreviews, compileBatch, planBatch } from "../save/batch.ts";
import {
  type CompiledBatch,
  type CompiledSave,
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
import { noteChanges } from "./changes.ts";
import { clearDocuments, insertDocuments } from "./documents.ts";
import { noteFormerSlugs } from "./former-slugs.ts";
import { addVersions } from "./history.ts";
import { gatherLookup } from "./lookup.ts";
import { type PackedColumns, PackedRows, unpacking } from "./packed-rows.ts";
import { settlePicturesOf } from "./pictures.ts";
import { packedStatement, statement } from "./statement.ts";
import { writing } from "./transaction.ts";

/** PostgreSQL's code for a value that must be unique and is there already. */
const UNIQUE_VIOLATION = "23505";

export const USER = {
  id: "text",
  email: "text",
  folded_email: "text",
  profile_slug: "text",
  packed_record: "long bytes",
  updated_at: "text",
} as const satisfies PackedColumns;

const RECORD = 'SELECT id, email, record, packed_record AS "packedRecord" FROM vitrine.users';

const recordByEmail = statement<RecordRow, [email: string]>(`${RECORD} WHERE folded_email = $1`);

const recordById = statement<RecordRow, [id: string]>(`${RECORD} WHERE id = $1`);

const countUsers = statement<{ count: number }>("SELECT count(*)::float8 AS count FROM vitrine.users");

/** The second parameter is the present time. */
const SUMMARY = `
  SELECT number::float8, id, email, profile_slug AS "profileSlug", updated_at AS "updatedAt",
    left(record, ${HEAD_LENGTH}) AS head,
    (SELECT count(*)::int FROM vitrine.trees WHERE user_number = users.number) AS "linkTrees",
    (SELECT count(*)::int FROM vitrine.keys WHERE user_number = users.number AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > $2::float8)) AS "activeKeys"
  FROM vitrine.users`;

const summariesAfter = statement<SummaryRow, [after: number, now: number]>(
  `${SUMMARY} WHERE number > $1::bigint ORDER BY users.number LIMIT ${STEP}`,
);
const summaryByEmail = statement<SummaryRow, [email: string, now: number]>(
  `${SUMMARY} WHERE folded_email = $1`,
);

const summaryById = statement<SummaryRow, [id: string, now: number]>(`${SUMMARY} WHERE id = $1`);
const searchUsers = statement<SummaryRow, [text: string, now: number, afterId: string, most: number]>(`
  ${SUMMARY}
  WHERE number > coalesce((SELECT number FROM vitrine.users WHERE id = $3), 0)
    AND (strpos(folded_email, $1) > 0 OR strpos(profile_slug, $1) > 0)
  ORDER BY users.number LIMIT $4::int`);

/**
 * The tags of users as they are now, and until the transaction ends. Users are locked in the order in which those
 * who count lock them, so that neither waits for the other in a circle.
 */
const lockUsers = statement<{ number: number; etag: string | null }, [numbers: readonly number[]]>(`
  SELECT number::float8, full_etag AS etag
  FROM vitrine.users LEFT JOIN vitrine.answers ON answers.user_number = users.number
  WHERE number = ANY ($1::bigint[]) ORDER BY users.number FOR UPDATE OF users`);

const insertUsers = packedStatement<{ id: string; number: number }>(
  `${insertionOfUsers()} RETURNING id, number::float8`,
);
const updateUsers = packedStatement(updateOfUsers());
const deleteUser = statement<unknown, [email: string]>(
  "DELETE FROM vitrine.users WHERE folded_email = $1 RETURNING number",
);

const dropPreviews = statement<unknown, [numbers: readonly number[]]>(
  "DELETE FROM vitrine.previews WHERE user_number = ANY ($1::bigint[])",
);

function insertionOfUsers(): string {
  const { values, source } = unpacking(USER);
  return `INSERT INTO vitrine.users (record, ${Object.keys(USER)}) SELECT '', ${values} FROM ${source}`;
}

function updateOfUsers(): string {
  const { values, source } = unpacking({ ...USER, number: "bigint" });
  const columns = [...Object.keys(USER), "number"];
  return `
    UPDATE vitrine.users SET record = '', ${Object.keys(USER).map((column) => `${column} = given.${column}`)}
    FROM (SELECT ${values} FROM ${source}) AS given (${columns}) WHERE users.number = given.number`;
}

export class PostgresRecords implements Records {
  readonly #sql: SQL;
  readonly #now: () => number;

  constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  save(inputs: readonly RecordInput[], way: Way = "import"): Promise<Saved[]> {
    return writing(this.#sql, (sql) => this.#save(inputs, way, sql));
  }

  async #save(inputs: readonly RecordInput[], way: Way, sql: SQL): Promise<Saved[]> {
    return write(compileBatch(await this.#plan(inputs, sql)), way, this.#now(), sql);
  }

  saveRevision(input: RecordInput & { id: string }, revision: string, way: Way): Promise<Saved> {
    return writing(this.#sql, async (sql) => {
      const [stored] = await recordById(sql, input.id);
      if (!stored || revisionOf(recordTextOf(stored).record) !== revision) throw new OtherRevision();
      return (await this.#save([input], way, sql))[0] as Saved;
    });
  }

  plan(inputs: readonly RecordInput[]): Promise<PlannedBatch> {
    return this.#plan(inputs, this.#sql);
  }

  async #plan(inputs: readonly RecordInput[], sql: SQL): Promise<PlannedBatch> {
    const lookup = await gatherLookup(inputs, sql);
    return planBatch(inputs, lookup, lookup.etagOf, this.#now());
  }

  async commit(batch: CompiledBatch): Promise<Saved[] | null> {
    try {
      return await writing(this.#sql, (sql) => write(batch, "import", this.#now(), sql));
    } catch (error) {
      const isTaken = error instanceof Bun.SQL.PostgresError && error.errno === UNIQUE_VIOLATION;
      if (error instanceof Outdated || isTaken) return null;
      throw error;
    }
  }

  async find(email: string): Promise<UserRecord | null> {
    const [user] = await recordByEmail(this.#sql, foldEmail(email));
    return user ? recordOf(recordTextOf(user)) : null;
  }

  async findRevised(id: string): Promise<RevisedRecord | null> {
    const [row] = await recordById(this.#sql, id);
    const user = row && recordTextOf(row);
    return user ? { record: recordOf(user), revision: revisionOf(user.record) } : null;
  }

  async summaryById(id: string): Promise<UserSummary | null> {
    const [row] = await summaryById(this.#sql, id, this.#now());
    return row ? summaryOf(row) : null;
  }

  async search(text: string, afterId: string | undefined, most: number): Promise<UserSummary[]> {
    const rows = await searchUsers(this.#sql, text.toLowerCase(), this.#now(), afterId ?? "", most);
    return rows.map(summaryOf);
  }

  async summary(email: string): Promise<UserSummary | null> {
    const [row] = await summaryByEmail(this.#sql, foldEmail(email), this.#now());
    return row ? summaryOf(row) : null;
  }

  async count(): Promise<number> {
    const [row] = await countUsers(this.#sql);
    return row?.count ?? 0;
  }

  async *summaries(): AsyncIterable<UserSummary> {
    const now = this.#now();
    for (let last = 0; ; ) {
      const rows = await summariesAfter(this.#sql, last, now);
      if (rows.length === 0) return;
      yield* rows.map(summaryOf);
      last = rows.at(-1)?.number ?? last;
    }
  }

  delete(email: string): Promise<boolean> {
    return writing(this.#sql, async (sql) => (await deleteUser(sql, foldEmail(email))).length > 0);
  }
}

/** Writes a batch, or throws `Outdated` if a user is not what the batch builds on. */
async function write({ saves }: CompiledBatch, way: Way, now: number, sql: SQL): Promise<Saved[]> {
  await lockEarlier(saves, sql);

  const created = new PackedRows();
  const updated = new PackedRows();
  const replaced: number[] = [];
  for (const { id, email, profileSlug, earlier, compiled } of saves) {
    if (!compiled) continue;
    const columns = {
      id,
      email,
      folded_email: foldEmail(email),
      profile_slug: profileSlug,
      updated_at: compiled.updatedAt,
    };
    const record = { packed_record: compiled.record };
    if (!earlier) created.add(columns, record);
    else {
      updated.add({ ...columns, number: earlier.number }, record);
      replaced.push(earlier.number);
    }
  }
  if (replaced.length > 0) {
    await updateUsers(sql, updated);
    await clearDocuments(replaced, sql);
    await removePreviews(saves, sql);
    await addVersions(saves, way, now, sql);
    await settlePicturesOf(saves, now, sql);
    await noteFormerSlugs(saves, now, sql);
  }
  const numbers = new Map((await insertUsers(sql, created)).map(({ id, number }) => [id, number]));
  await insertDocuments(
    saves.flatMap(({ id, earlier, compiled }) => {
      const number = earlier?.number ?? numbers.get(id);
      return compiled && number !== undefined ? { number, documents: compiled.documents } : [];
    }),
    sql,
  );
  await noteChanges(saves, sql);
  return saves.map(({ change, email }) => ({ change, email }));
}

/** Removes the preview pictures that may not show any more what they should. */
async function removePreviews(saves: readonly CompiledSave[], sql: SQL): Promise<void> {
  const changed = saves.flatMap((save) => (save.earlier && changesPreviews(save) ? save.earlier.number : []));
  if (changed.length > 0) await dropPreviews(sql, changed);
}

/** Holds the users whom a batch replaces as they were found, or throws if one of them is no longer so. */
async function lockEarlier(saves: readonly CompiledSave[], sql: SQL): Promise<void> {
  const earlier = saves.flatMap((save) => save.earlier ?? []);
  if (earlier.length === 0) return;
  const found = await lockUsers(
    sql,
    earlier.map(({ number }) => number),
  );
  const etags = new Map(found.map(({ number, etag }) => [number, etag ?? ""]));
  if (earlier.some(({ number, etag }) => etags.get(number) !== etag)) throw new Outdated();
}

/** A save builds on a user who has changed since. */
class Outdated extends Error {}
