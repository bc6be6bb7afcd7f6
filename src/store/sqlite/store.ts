import type { Database, SQLiteError } from "bun:sqlite";
import { differences } from "../../documents/compare.ts";
import { compile, type Documents } from "../../documents/compile.ts";
import { newId } from "../../records/ids.ts";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import { documentsOf } from "../documents-row.ts";
import { type Lookup, planChanges, type StoredUser } from "../plan.ts";
import { prepareBatch } from "../prepare.ts";
import type {
  Discrepancy,
  KeyInfo,
  LongText,
  NewKey,
  PlannedChange,
  PreparedBatch,
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
import { documentsRow, prepareStatements, type Statements } from "./statements.ts";

/** How many users one step of a long operation handles. */
const STEP = 500;

export class SqliteStore implements Store {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #now: () => number;

  constructor(file: string, now: () => number = Date.now, open = openWritable) {
    this.#database = open(file);
    this.#now = now;
    // Statements can be prepared once the tables are there.
    const prepared = () => prepareStatements(this.#database);
    try {
      migrate(this.#database, () => {
        const statements = prepared();
        for (const step of stepsOf(statements)) writeAnew(step, statements);
      });
    } catch (error) {
      this.#database.close();
      throw error;
    }
    this.#statements = prepared();
  }

  async plan(
    inputs: readonly RecordInput[],
  ): Promise<{ changes: PlannedChange[] } | { refused: RefusedRecord[] }> {
    return planChanges(inputs, this.#lookup(inputs), this.#now());
  }

  async save(inputs: readonly RecordInput[]): Promise<Saved[]> {
    return this.#write(() => this.#writeBatch(this.#prepare(inputs)));
  }

  async prepare(inputs: readonly RecordInput[]): Promise<PreparedBatch> {
    return this.#database.transaction(() => this.#prepare(inputs))();
  }

  #prepare(inputs: readonly RecordInput[]): PreparedBatch {
    const etagOf = ({ number }: StoredUser) => this.#statements.etagOf.get(number)?.etag ?? "";
    return prepareBatch(inputs, this.#lookup(inputs), etagOf, this.#now());
  }

  async commit(batch: PreparedBatch): Promise<Saved[] | null> {
    try {
      return this.#write(() => {
        for (const { earlier } of batch.saves) {
          if (earlier && this.#statements.etagOf.get(earlier.number)?.etag !== earlier.etag)
            throw new Outdated();
        }
        return this.#writeBatch(batch);
      });
    } catch (error) {
      if (error instanceof Outdated || (error as SQLiteError).code?.startsWith("SQLITE_CONSTRAINT"))
        return null;
      throw error;
    }
  }

  #writeBatch({ saves }: PreparedBatch): Saved[] {
    const { insertUser, updateUser } = this.#statements;
    for (const { id, email, profileSlug, earlier, compiled } of saves) {
      if (!compiled) continue;
      const columns = [id, email, foldEmail(email), profileSlug, compiled.record] as const;
      if (earlier) updateUser.run(...columns, earlier.number);
      const number = earlier?.number ?? Number(insertUser.run(...columns).lastInsertRowid);
      const { deleteLinkTrees, deletePages, insertLinkTree, insertPage } = this.#statements;
      if (earlier) {
        deleteLinkTrees.run(number);
        deletePages.run(number);
      }
      writeDocuments(number, compiled.documents, this.#statements, insertLinkTree, insertPage);
    }
    return saves.map(({ change, email }) => ({ change, email }));
  }

  #lookup(inputs: readonly RecordInput[]): Lookup {
    return gatherLookup(inputs, this.#statements);
  }

  async findRecord(email: string): Promise<UserRecord | null> {
    const row = this.#statements.recordByEmail.get(foldEmail(email));
    return row ? (JSON.parse(row.record) as UserRecord) : null;
  }

  async *records(): AsyncIterable<UserRecord> {
    for (const step of stepsOf(this.#statements))
      yield* step.map(({ record }) => JSON.parse(record) as UserRecord);
  }

  async countUsers(): Promise<number> {
    return this.#statements.countUsers.get()?.count ?? 0;
  }

  async *users(): AsyncIterable<UserSummary> {
    const now = this.#now();
    for (let last = 0; ; ) {
      const rows = this.#statements.summariesAfter.all(last, now, STEP);
      if (rows.length === 0) return;
      yield* rows.map(({ number, ...summary }) => summary);
      last = rows.at(-1)?.number ?? last;
    }
  }

  async deleteUser(email: string): Promise<boolean> {
    return this.#write(() => this.#statements.deleteUser.run(foldEmail(email)).changes > 0);
  }

  async countsSince(email: string, day: string): Promise<TreeCount[]> {
    return this.#statements.countsSince.all(foldEmail(email), day);
  }

  async createKeys(keys: readonly NewKey[]): Promise<KeyInfo[]> {
    return this.#write(() => keys.map((key) => this.#insertKey(key)));
  }

  #insertKey({ email, hash, name, expiresAt }: NewKey): KeyInfo {
    const user = this.#statements.userByEmail.get(foldEmail(email));
    if (!user) throw new Error(`no user ${email}`);
    const id = newId();
    const createdAt = this.#now();
    this.#statements.insertKey.run(hash, id, user.number, user.id, name, createdAt, expiresAt);
    return { id, email: user.email, name, createdAt, expiresAt, revokedAt: null, lastUsedAt: null };
  }

  async keysOf(email: string): Promise<KeyInfo[]> {
    return this.#statements.keysOf.all(foldEmail(email));
  }

  async findKey(id: string): Promise<KeyInfo | null> {
    return this.#statements.keyById.get(id);
  }

  async revokeKey(id: string): Promise<KeyInfo | null> {
    return this.#write(() => {
      this.#statements.revokeKey.run(this.#now(), id);
      return this.#statements.keyById.get(id);
    });
  }

  async rotateKey(
    id: string,
    next: { hash: Uint8Array; expiresAt: number | null; oldExpiresAt: number },
  ): Promise<KeyInfo> {
    return this.#write(() => {
      const old = this.#statements.keyById.get(id);
      if (!old) throw new Error(`no key ${id}`);
      this.#statements.expireKey.run(next.oldExpiresAt, id);
      return this.#insertKey({
        email: old.email,
        name: old.name,
        hash: next.hash,
        expiresAt: next.expiresAt,
      });
    });
  }

  async schemaVersion(): Promise<{ found: number; expected: number }> {
    return { found: schemaVersionOf(this.#database), expected: SCHEMA_VERSION };
  }

  async integrityFaults(): Promise<string[]> {
    const check = this.#database.query<{ quick_check: string }, []>("PRAGMA quick_check").all();
    const orphans = this.#database.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
    return [
      ...check.map((row) => row.quick_check).filter((finding) => finding !== "ok"),
      ...orphans.map(({ table }) => `a row of ${table} belongs to no user`),
    ];
  }

  async *discrepancies(onProgress: (progress: Progress) => void): AsyncIterable<Discrepancy> {
    const total = await this.countUsers();
    let done = 0;
    for (const step of stepsOf(this.#statements)) {
      for (const user of step) yield* this.#discrepanciesOf(user.number);
      done += step.length;
      onProgress({ done, total });
    }
  }

  /** Record and documents of one user are read in one transaction, so a save in between is no discrepancy. */
  #discrepanciesOf(number: number): Discrepancy[] {
    const { recordByNumber, documents, linkTreesOf, pagesOf } = this.#statements;
    return this.#database.transaction(() => {
      const user = recordByNumber.get(number);
      if (!user) return [];
      const row = documents.get(number);
      const { documents: expected } = compile(JSON.parse(user.record) as UserRecord);
      const stored = row ? documentsOf(row) : undefined;
      const found = differences(stored, linkTreesOf.all(number), pagesOf.all(number), expected);
      return found.map((difference) => ({ email: user.email, ...difference }));
    })();
  }

  async rebuild(onProgress: (progress: Progress) => void): Promise<number> {
    const total = await this.countUsers();
    let done = 0;
    for (const step of stepsOf(this.#statements)) {
      this.#write(() => writeAnew(step, this.#statements));
      done += step.length;
      onProgress({ done, total });
    }
    return done;
  }

  async backup(file: string): Promise<void> {
    this.#database.prepare("VACUUM INTO ?").run(file);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Every write takes the write lock when it begins: one that found out later could only fail. */
  #write<Result>(work: () => Result extends Promise<unknown> ? never : Result): Result {
    return this.#database.transaction(work).immediate() as Result;
  }
}

interface UserRow {
  readonly number: number;
}

/** All users in the order they were created, a step at a time. */
function* stepsOf({ recordsAfter }: Statements) {
  for (let last = 0; ; ) {
    const rows = recordsAfter.all(last, STEP);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?.number ?? last;
  }
}

export function writeDocuments(
  number: number,
  documents: Documents<LongText>,
  { putDocuments }: Statements,
  putLinkTree: Statements["insertLinkTree"],
  putPage: Statements["insertPage"],
): void {
  putDocuments.run(...documentsRow(number, documents));
  for (const { slug, id, etag, start, length } of documents.linkTrees) {
    putLinkTree.run(slug, id, number, etag, start, length);
  }
  for (const { slug, treeId, etag, pictureOrigin, targets, html } of documents.pages) {
    putPage.run(slug, number, treeId, etag, pictureOrigin, targets, html);
  }
}

/** Compiles the documents of these users from their records as they are now, within a transaction. */
function writeAnew(users: readonly UserRow[], statements: Statements): void {
  const { deleteLinkTrees, deletePages, recordByNumber, reclaimLinkTree, reclaimPage } = statements;
  for (const { number } of users) {
    deleteLinkTrees.run(number);
    deletePages.run(number);
  }
  for (const { number } of users) {
    const user = recordByNumber.get(number);
    if (!user) continue;
    const { documents } = compile(JSON.parse(user.record) as UserRecord);
    writeDocuments(number, documents, statements, reclaimLinkTree, reclaimPage);
  }
}

/** A prepared save builds on a user who has changed since. */
class Outdated extends Error {}
