import type { Database } from "bun:sqlite";
import { compile } from "../../documents/compile.ts";
import { foldEmail, type UserRecord } from "../../records/record.ts";
import {
  type Contents,
  type ContentsReader,
  type ContentsWriter,
  type CountRow,
  type KeyRow,
  SMALL_STEP,
  type Totals,
  USER_STEP,
  type UserRow,
} from "../contents.ts";
import { openSource, openWritable } from "./connection.ts";
import { SCHEMA_VERSION, schemaVersionOf } from "./migrations.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import { writeDocuments } from "./store.ts";

function readContents(database: Database): Contents {
  const totals = database.prepare<Totals, []>(`
    SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM keys) AS keys,
      (SELECT count(*) FROM counts) AS counts`);
  const users = database.prepare<UserRow, [after: number]>(`
    SELECT number, id, email, record FROM users WHERE number > ? ORDER BY number LIMIT ${USER_STEP}`);
  const keys = database.prepare<KeyRow, [after: Uint8Array]>(`
    SELECT hash, id, user_number AS userNumber, user_id AS userId, name, created_at AS createdAt,
      expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt
    FROM keys WHERE hash > ? ORDER BY hash LIMIT ${SMALL_STEP}`);
  const counts = database.prepare<
    CountRow,
    [userNumber: number, treeId: string, linkId: string, day: string]
  >(`
    SELECT user_number AS userNumber, tree_id AS treeId, link_id AS linkId, day, count FROM counts
    WHERE (user_number, tree_id, link_id, day) > (?, ?, ?, ?)
    ORDER BY user_number, tree_id, link_id, day LIMIT ${SMALL_STEP}`);
  return {
    totals: async () => totals.get() as Totals,
    usersAfter: async (last) => users.all(last?.number ?? 0),
    keysAfter: async (last) => keys.all(last?.hash ?? new Uint8Array()),
    countsAfter: async (last) =>
      counts.all(last?.userNumber ?? 0, last?.treeId ?? "", last?.linkId ?? "", last?.day ?? ""),
  };
}

export class SqliteContentsReader implements ContentsReader {
  readonly #database: Database;

  constructor(file: string) {
    this.#database = openSource(file);
  }

  async schemaVersion(): Promise<{ found: number; expected: number }> {
    return { found: schemaVersionOf(this.#database), expected: SCHEMA_VERSION };
  }

  async asOfOneMoment<Result>(work: (contents: Contents) => Promise<Result>): Promise<Result> {
    this.#database.run("BEGIN");
    try {
      return await work(readContents(this.#database));
    } finally {
      this.#database.run("ROLLBACK");
    }
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}

export class SqliteContentsWriter implements ContentsWriter {
  readonly #database: Database;
  readonly contents: Contents;
  readonly #statements: Statements;

  /** The schema must be up to date. */
  constructor(file: string) {
    this.#database = openWritable(file);
    this.contents = readContents(this.#database);
    this.#statements = prepareStatements(this.#database);
  }

  async putUsers(users: readonly UserRow[]): Promise<void> {
    const { insertLinkTree, insertPage } = this.#statements;
    const insert = this.#database.query(`
      INSERT INTO users (number, id, email, folded_email, profile_slug, record) VALUES (?, ?, ?, ?, ?, ?)`);
    this.#writeEach(users, ({ number, id, email, record }) => {
      const parsed = JSON.parse(record) as UserRecord;
      insert.run(number, id, email, foldEmail(email), parsed.profile.slug, record);
      writeDocuments(number, compile(parsed).documents, this.#statements, insertLinkTree, insertPage);
    });
  }

  async putKeys(keys: readonly KeyRow[]): Promise<void> {
    const put = this.#database.query(`
      INSERT INTO keys (hash, id, user_number, user_id, name, created_at, expires_at, revoked_at, last_used_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (hash) DO UPDATE SET name = excluded.name, created_at = excluded.created_at,
        expires_at = excluded.expires_at, revoked_at = excluded.revoked_at, last_used_at = excluded.last_used_at`);
    this.#writeEach(keys, (key) => {
      const { hash, id, userNumber, userId, name, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
      put.run(hash, id, userNumber, userId, name, createdAt, expiresAt, revokedAt, lastUsedAt);
    });
  }

  async putCounts(counts: readonly CountRow[]): Promise<void> {
    const put = this.#database.query(`
      INSERT INTO counts (user_number, tree_id, link_id, day, count) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET count = excluded.count`);
    this.#writeEach(counts, ({ userNumber, treeId, linkId, day, count }) => {
      put.run(userNumber, treeId, linkId, day, count);
    });
  }

  async deleteUsers(users: readonly UserRow[]): Promise<void> {
    const deleteUser = this.#database.query("DELETE FROM users WHERE number = ?");
    this.#writeEach(users, ({ number }) => {
      deleteUser.run(number);
    });
  }

  #writeEach<Row>(rows: readonly Row[], write: (row: Row) => void): void {
    this.#database
      .transaction(() => {
        for (const row of rows) write(row);
      })
      .immediate();
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}
