import { SQL } from "bun";
import { differences } from "../../documents/compare.ts";
import { compile, type Documents, SLICED_KINDS } from "../../documents/compile.ts";
import { newId } from "../../records/ids.ts";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import type { PostgresLocation } from "../database-url.ts";
import { documentsOf } from "../documents-row.ts";
import { planChanges } from "../plan.ts";
import { prepareBatch } from "../prepare.ts";
import type {
  Discrepancy,
  KeyInfo,
  LongText,
  NewKey,
  PlannedChange,
  PreparedBatch,
  PreparedSave,
  Progress,
  RefusedRecord,
  Saved,
  Store,
  TreeCount,
  UserSummary,
} from "../store.ts";
import { openWritable } from "./connection.ts";
import { gatherLookup } from "./lookup.ts";
import { migrate, SCHEMA_VERSION, schemaVersionOf } from "./migrations.ts";
import { PackedRows } from "./packed-rows.ts";
import * as statements from "./statements.ts";

/** How many users one step of a long operation handles. */
const STEP = 500;

/** PostgreSQL's code for a value that must be unique and is there already. */
export const UNIQUE_VIOLATION = "23505";

export class PostgresStore implements Store {
  readonly #sql: SQL;
  readonly #now: () => number;

  private constructor(sql: SQL, now: () => number) {
    this.#sql = sql;
    this.#now = now;
  }

  static async open(location: PostgresLocation, now: () => number = Date.now): Promise<PostgresStore> {
    const sql = await openWritable(location);
    try {
      await migrate(sql);
    } catch (error) {
      await sql.close();
      throw error;
    }
    return new PostgresStore(sql, now);
  }

  async plan(
    inputs: readonly RecordInput[],
  ): Promise<{ changes: PlannedChange[] } | { refused: RefusedRecord[] }> {
    return planChanges(inputs, await gatherLookup(inputs, this.#sql), this.#now());
  }

  async save(inputs: readonly RecordInput[]): Promise<Saved[]> {
    return this.#write(async (sql) => writeBatch(await this.#prepare(inputs, sql), sql));
  }

  async prepare(inputs: readonly RecordInput[]): Promise<PreparedBatch> {
    return this.#prepare(inputs, this.#sql);
  }

  async #prepare(inputs: readonly RecordInput[], sql: SQL): Promise<PreparedBatch> {
    const lookup = await gatherLookup(inputs, sql);
    return prepareBatch(inputs, lookup, lookup.etagOf, this.#now());
  }

  async commit(batch: PreparedBatch): Promise<Saved[] | null> {
    try {
      return await this.#write((sql) => writeBatch(batch, sql));
    } catch (error) {
      const isTaken = error instanceof SQL.PostgresError && error.errno === UNIQUE_VIOLATION;
      if (error instanceof Outdated || isTaken) return null;
      throw error;
    }
  }

  async findRecord(email: string): Promise<UserRecord | null> {
    const [row] = await statements.recordByEmail(this.#sql, foldEmail(email));
    return row ? (JSON.parse(row.record) as UserRecord) : null;
  }

  async *records(): AsyncIterable<UserRecord> {
    for await (const step of stepsOf(this.#sql))
      yield* step.map(({ record }) => JSON.parse(record) as UserRecord);
  }

  async countUsers(): Promise<number> {
    const [row] = await statements.countUsers(this.#sql);
    return row?.count ?? 0;
  }

  async *users(): AsyncIterable<UserSummary> {
    const now = this.#now();
    for (let last = 0; ; ) {
      const rows = await statements.summariesAfter(this.#sql, last, now, STEP);
      if (rows.length === 0) return;
      yield* rows.map(({ number, ...summary }) => summary);
      last = rows.at(-1)?.number ?? last;
    }
  }

  async deleteUser(email: string): Promise<boolean> {
    return this.#write(async (sql) => (await statements.deleteUser(sql, foldEmail(email))).length > 0);
  }

  async countsSince(email: string, day: string): Promise<TreeCount[]> {
    return statements.countsSince(this.#sql, foldEmail(email), day);
  }

  async createKeys(keys: readonly NewKey[]): Promise<KeyInfo[]> {
    return this.#sql.begin((sql) => this.#insertKeys(keys, sql));
  }

  async #insertKeys(keys: readonly NewKey[], sql: SQL): Promise<KeyInfo[]> {
    const emails = keys.map(({ email }) => foldEmail(email));
    const found = await statements.usersByEmails(sql, emails);
    const users = new Map(found.map((user) => [user.foldedEmail, user]));
    const createdAt = this.#now();
    const made = keys.map(({ email, hash, name, expiresAt }) => {
      const user = users.get(foldEmail(email));
      if (!user) throw new Error(`no user ${email}`);
      const info = { id: newId(), email: user.email, name, createdAt, expiresAt };
      return {
        info,
        row: { ...info, hash: Buffer.from(hash).toString("hex"), userNumber: user.number, userId: user.id },
      };
    });
    await statements.insertKeys(sql, JSON.stringify(made.map(({ row }) => row)));
    return made.map(({ info }) => ({ ...info, revokedAt: null, lastUsedAt: null }));
  }

  async keysOf(email: string): Promise<KeyInfo[]> {
    return statements.keysOf(this.#sql, foldEmail(email));
  }

  async findKey(id: string): Promise<KeyInfo | null> {
    const [key] = await statements.keyById(this.#sql, id);
    return key ?? null;
  }

  async revokeKey(id: string): Promise<KeyInfo | null> {
    await statements.revokeKey(this.#sql, this.#now(), id);
    return this.findKey(id);
  }

  async rotateKey(
    id: string,
    next: { hash: Uint8Array; expiresAt: number | null; oldExpiresAt: number },
  ): Promise<KeyInfo> {
    return this.#sql.begin(async (sql) => {
      const [old] = await statements.keyById(sql, id);
      if (!old) throw new Error(`no key ${id}`);
      await statements.expireKey(sql, next.oldExpiresAt, id);
      const { email, name } = old;
      const [key] = await this.#insertKeys(
        [{ email, name, hash: next.hash, expiresAt: next.expiresAt }],
        sql,
      );
      return key as KeyInfo;
    });
  }

  async schemaVersion(): Promise<{ found: number; expected: number }> {
    return { found: await schemaVersionOf(this.#sql), expected: SCHEMA_VERSION };
  }

  async integrityFaults(): Promise<string[]> {
    const orphaned = await statements.orphanedTables(this.#sql);
    return orphaned.map(({ table }) => `a row of ${table} belongs to no user`);
  }

  async *discrepancies(onProgress: (progress: Progress) => void): AsyncIterable<Discrepancy> {
    const total = await this.countUsers();
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
      const users = await statements.recordsAfter(sql, last, STEP);
      const numbers = users.map(({ number }) => number);
      const documents = Map.groupBy(await statements.documentsAmong(sql, numbers), ownerOf);
      const trees = Map.groupBy(await statements.linkTreesAmong(sql, numbers), ownerOf);
      const pages = Map.groupBy(await statements.pagesAmong(sql, numbers), ownerOf);
      const found = users.flatMap(({ number, email, record }): Discrepancy[] => {
        const [row] = documents.get(number) ?? [];
        const { documents: expected } = compile(JSON.parse(record) as UserRecord);
        const stored = row ? documentsOf(row) : undefined;
        return differences(stored, trees.get(number) ?? [], pages.get(number) ?? [], expected).map(
          (difference) => ({ email, ...difference }),
        );
      });
      return { users, found };
    });
  }

  async rebuild(onProgress: (progress: Progress) => void): Promise<number> {
    const total = await this.countUsers();
    let done = 0;
    for await (const step of stepsOf(this.#sql)) {
      await this.#write((sql) => writeAnew(step, sql));
      done += step.length;
      onProgress({ done, total });
    }
    return done;
  }

  async close(): Promise<void> {
    await this.#sql.close();
  }

  /** What changes records and documents takes the writers' lock when it begins. */
  #write<Result>(work: (sql: SQL) => Promise<Result>): Promise<Result> {
    return this.#sql.begin(async (sql) => {
      await statements.lockWriters(sql);
      return work(sql);
    }) as Promise<Result>;
  }
}

interface UserRow {
  readonly number: number;
}

function ownerOf({ userNumber }: { readonly userNumber: number }): number {
  return userNumber;
}

/** All users in the order they were created, a step at a time. */
async function* stepsOf(sql: SQL) {
  for (let last = 0; ; ) {
    const rows = await statements.recordsAfter(sql, last, STEP);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.number ?? last;
  }
}

/** Writes a batch, or throws `Outdated` if a user is not what the batch builds on. */
export async function writeBatch({ saves }: PreparedBatch, sql: SQL): Promise<Saved[]> {
  await lockEarlier(saves, sql);

  const created = new PackedRows();
  const updated = new PackedRows();
  const replaced: number[] = [];
  for (const { id, email, profileSlug, earlier, compiled } of saves) {
    if (!compiled) continue;
    const columns = { id, email, folded_email: foldEmail(email), profile_slug: profileSlug };
    const record = { record: compiled.record };
    if (!earlier) created.add(columns, record);
    else {
      updated.add({ ...columns, number: earlier.number }, record);
      replaced.push(earlier.number);
    }
  }
  if (replaced.length > 0) {
    await statements.updateUsers(sql, updated);
    await statements.deleteLinkTrees(sql, replaced, [], []);
    await statements.deletePages(sql, replaced, []);
  }
  const numbers = new Map((await statements.insertUsers(sql, created)).map(({ id, number }) => [id, number]));
  await writeDocuments(
    saves.flatMap(({ id, earlier, compiled }) => {
      const number = earlier?.number ?? numbers.get(id);
      return compiled && number !== undefined ? { number, documents: compiled.documents } : [];
    }),
    sql,
  );
  return saves.map(({ change, email }) => ({ change, email }));
}

/** Holds the users whom a batch replaces as they were found, or throws if one of them is no longer so. */
async function lockEarlier(saves: readonly PreparedSave[], sql: SQL): Promise<void> {
  const earlier = saves.flatMap((save) => save.earlier ?? []);
  if (earlier.length === 0) return;
  const found = await statements.lockUsers(
    sql,
    earlier.map(({ number }) => number),
  );
  const etags = new Map(found.map(({ number, etag }) => [number, etag ?? ""]));
  if (earlier.some(({ number, etag }) => etags.get(number) !== etag)) throw new Outdated();
}

interface Owned {
  readonly number: number;
  readonly documents: Documents<LongText>;
}

export async function writeDocuments(all: readonly Owned[], sql: SQL): Promise<void> {
  const rows = new PackedRows();
  const trees = new PackedRows();
  const pages = new PackedRows();
  for (const { number: user_number, documents } of all) {
    const { full, links, slices } = documents;
    const sliced = SLICED_KINDS.flatMap((kind) => [
      [`${kind}_etag`, slices[kind].etag],
      [`${kind}_start`, slices[kind].start],
      [`${kind}_length`, slices[kind].length],
    ]);
    rows.add(
      { user_number, full_etag: full.etag, links_etag: links.etag, ...Object.fromEntries(sliced) },
      { links: links.body, body: full.body },
    );
    for (const { slug, id, etag, start, length } of documents.linkTrees)
      trees.add({ slug, id, user_number, etag, start, length });
    for (const { slug, treeId, etag, pictureOrigin, targets, html } of documents.pages)
      pages.add(
        { slug, user_number, tree_id: treeId, etag, picture_origin: pictureOrigin },
        { targets, html },
      );
  }
  await statements.putDocuments(sql, rows);
  await statements.insertLinkTrees(sql, trees);
  await statements.insertPages(sql, pages);
}

/** Compiles the documents of these users from their records as they are now, whoever the rows say trees belong to. */
async function writeAnew(users: readonly UserRow[], sql: SQL): Promise<void> {
  const numbers = users.map(({ number }) => number);
  const all = (await statements.recordsOf(sql, numbers)).map(({ number, record }) => ({
    number,
    documents: compile(JSON.parse(record) as UserRecord).documents,
  }));
  const trees = all.flatMap(({ documents }) => documents.linkTrees);
  const slugs = trees.map(({ slug }) => slug);
  await statements.deleteLinkTrees(
    sql,
    numbers,
    slugs,
    trees.map(({ id }) => id),
  );
  await statements.deletePages(sql, numbers, slugs);
  await writeDocuments(all, sql);
}

/** A prepared save builds on a user who has changed since. */
class Outdated extends Error {}
