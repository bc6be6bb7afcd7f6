import type { Database, Statement } from "bun:sqlite";
import { DOCUMENT_KINDS } from "../../contract/routes.ts";
import { compile, type Document } from "../../documents/compile.ts";
import { newId } from "../../records/ids.ts";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import type { RecordInput } from "../../records/schema.ts";
import { type Lookup, type PlannedSave, planSave, type StoredUser } from "../plan.ts";
import { StoreUnavailable } from "../reader.ts";
import {
  type Discrepancy,
  type KeyInfo,
  type NewKey,
  type Progress,
  RecordsRefused,
  type RefusedRecord,
  type Saved,
  type Store,
  type UserSummary,
} from "../store.ts";
import { openWritable } from "./connection.ts";
import { migrate, SCHEMA_VERSION, schemaVersionOf } from "./migrations.ts";
import { prepareStatements, type Statements } from "./statements.ts";

/** How many users one step of a long operation handles. */
const STEP = 500;

export class SqliteStore implements Store {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #lookup: Lookup;
  readonly #now: () => number;

  constructor(file: string, now: () => number = Date.now) {
    this.#database = openWritable(file);
    migrate(this.#database);
    this.#statements = prepareStatements(this.#database);
    this.#lookup = lookupBy(this.#statements);
    this.#now = now;
  }

  async plan(inputs: readonly RecordInput[]): Promise<{ changes: Saved[] } | { refused: RefusedRecord[] }> {
    const plan = planSave(inputs, this.#lookup, this.#now());
    return "refused" in plan ? plan : { changes: plan.saves.map(savedOf) };
  }

  async save(inputs: readonly RecordInput[]): Promise<Saved[]> {
    return this.#write(() => {
      const plan = planSave(inputs, this.#lookup, this.#now());
      if ("refused" in plan) throw new RecordsRefused(plan.refused);
      for (const save of plan.saves) {
        if (save.change !== "unchanged") this.#saveOne(save);
      }
      return plan.saves.map(savedOf);
    });
  }

  #saveOne({ record, earlier }: PlannedSave): void {
    const { insertUser, updateUser } = this.#statements;
    const columns = [
      record.id,
      record.email,
      foldEmail(record.email),
      record.profile.slug,
      JSON.stringify(record),
    ] as const;
    if (earlier) updateUser.run(...columns, earlier.number);
    const number = earlier?.number ?? Number(insertUser.run(...columns).lastInsertRowid);
    this.#saveDocuments(number, record, earlier !== undefined);
  }

  #saveDocuments(number: number, record: UserRecord, replace: boolean): void {
    const { putDocument, deleteLinkTrees, insertLinkTree } = this.#statements;
    const documents = compile(record);
    for (const kind of DOCUMENT_KINDS) {
      const { etag, body } = documents.byKind[kind];
      putDocument[kind].run(number, etag, body);
    }
    if (replace) deleteLinkTrees.run(number);
    for (const { slug, id, etag, body } of documents.linkTrees)
      insertLinkTree.run(slug, id, number, etag, body);
  }

  async findRecord(email: string): Promise<UserRecord | null> {
    const user = this.#statements.userByEmail.get(foldEmail(email));
    return user ? this.#lookup.recordOf(user) : null;
  }

  async *records(): AsyncIterable<UserRecord> {
    for (const step of this.#steps()) yield* step.map(({ record }) => JSON.parse(record) as UserRecord);
  }

  *#steps(): Generator<{ number: number; email: string; record: string }[]> {
    for (let last = 0; ; ) {
      const rows = this.#statements.recordsAfter.all(last, STEP);
      if (rows.length === 0) return;
      yield rows;
      last = rows.at(-1)?.number ?? last;
    }
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
    for (const step of this.#steps()) {
      for (const user of step) yield* this.#discrepanciesOf(user.number);
      done += step.length;
      onProgress({ done, total });
    }
  }

  /** Record and documents of one user are read in one transaction, so a save in between is no discrepancy. */
  #discrepanciesOf(number: number): Discrepancy[] {
    const { recordByNumber, document, linkTreesOf } = this.#statements;
    return this.#database.transaction(() => {
      const user = recordByNumber.get(number);
      if (!user) return [];
      const expected = compile(JSON.parse(user.record) as UserRecord);
      const found: Discrepancy[] = [];
      const compare = (name: string, stored: Document | null | undefined, wanted: Document | undefined) => {
        const fault = faultOf(stored, wanted);
        if (fault) found.push({ email: user.email, document: name, fault });
      };
      for (const kind of DOCUMENT_KINDS) compare(kind, document[kind].get(number), expected.byKind[kind]);
      const trees = new Map(linkTreesOf.all(number).map((tree) => [tree.slug, tree]));
      for (const tree of expected.linkTrees) {
        compare(`linktrees/${tree.slug}`, trees.get(tree.slug), tree);
        trees.delete(tree.slug);
      }
      for (const [slug, tree] of trees) compare(`linktrees/${slug}`, tree, undefined);
      return found;
    })();
  }

  async rebuild(onProgress: (progress: Progress) => void): Promise<number> {
    const total = await this.countUsers();
    let done = 0;
    for (const step of this.#steps()) {
      this.#write(() => {
        for (const { number } of step) {
          const user = this.#statements.recordByNumber.get(number);
          if (user) this.#saveDocuments(number, JSON.parse(user.record) as UserRecord, true);
        }
      });
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

function savedOf({ change, record }: PlannedSave): Saved {
  return { change, id: record.id, email: record.email };
}

function faultOf(
  stored: Document | null | undefined,
  wanted: Document | undefined,
): Discrepancy["fault"] | undefined {
  if (!wanted) return "unexpected";
  if (!stored) return "missing";
  const same = stored.etag === wanted.etag && Buffer.compare(stored.body, wanted.body) === 0;
  return same ? undefined : "different";
}

function lookupBy(statements: Statements): Lookup {
  const one =
    <Row>(statement: Statement<Row, [string]>) =>
    (value: string) =>
      statement.get(value) ?? undefined;
  return {
    userById: one(statements.userById),
    userByEmail: one(statements.userByEmail),
    ownerOfProfileSlug: one(statements.ownerOfProfileSlug),
    ownerOfTreeSlug: one(statements.ownerOfTreeSlug),
    ownerOfTreeId: one(statements.ownerOfTreeId),
    recordOf({ number }: StoredUser) {
      const row = statements.recordByNumber.get(number);
      if (!row) throw new StoreUnavailable(`user ${number} is gone`);
      return JSON.parse(row.record) as UserRecord;
    },
  };
}
