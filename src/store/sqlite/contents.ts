import type { Database } from "bun:sqlite";
import { foldEmail } from "../../records/record.ts";
import {
  type Contents,
  type ContentsWriter,
  type CountRow,
  type KeyRow,
  SMALL_STEP,
  type Source,
  type StoredHook,
  type Totals,
  USER_STEP,
  type UserRow,
  type WholeUser,
} from "../contents.ts";
import { packRecord } from "../packed-record.ts";
import { compileStored, type RecordRow, recordTextOf } from "../stored-record.ts";
import { refuseOtherSchema, type SchemaVersion } from "../unavailable.ts";
import { insertBelongings, readBelongings } from "./belongings.ts";
import { openSource, openWritable } from "./connection.ts";
import { DocumentRows } from "./documents.ts";
import { schemaVersionOf } from "./migrations.ts";
import { missingParts } from "./missing-parts.ts";
import { writing } from "./transaction.ts";

const TOTALS = `
  SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM keys) AS keys,
    (SELECT count(*) FROM hooks) AS hooks,
    (SELECT count(*) FROM counts) AS counts`;

type StoredUserRow = UserRow & RecordRow;

/** Records of an earlier schema are texts. */
function usersOf(database: Database): string {
  const packed = database
    .query("SELECT 1 FROM pragma_table_info('users') WHERE name = 'packed_record'")
    .get();
  return `SELECT number, id, email, record, ${packed ? "packed_record" : "NULL"} AS packedRecord FROM users`;
}

const KEYS = `
  SELECT hash, id, user_number AS userNumber, user_id AS userId, name, view, paths, created_at AS createdAt,
    expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt
  FROM keys WHERE hash > ? ORDER BY hash LIMIT ${SMALL_STEP}`;

const HOOKS = `
  SELECT id, user_number AS userNumber, url, headers, body, secret, events, created_at AS createdAt,
    failing_since AS failingSince, disabled_at AS disabledAt
  FROM hooks WHERE id > ? ORDER BY id LIMIT ${SMALL_STEP}`;

const COUNTS = `
  SELECT user_number AS userNumber, tree_id AS treeId, link_id AS linkId, day, count FROM counts
  WHERE (user_number, tree_id, link_id, day) > (?, ?, ?, ?)
  ORDER BY user_number, tree_id, link_id, day LIMIT ${SMALL_STEP}`;

/** Each statement is prepared when it is first asked for: an earlier schema has users, but perhaps no counts. */
function readContents(database: Database): Contents {
  return {
    totals: async () => database.query<Totals, []>(TOTALS).get() as Totals,
    usersAfter: async (last) =>
      database
        .query<StoredUserRow, [number]>(
          `${usersOf(database)} WHERE number > ? ORDER BY number LIMIT ${USER_STEP}`,
        )
        .all(last?.number ?? 0)
        .map(recordTextOf),
    belongingsOf: async (users) =>
      readBelongings(
        database,
        users.map(({ number }) => number),
      ),
    keysAfter: async (last) => database.query<KeyRow, [Uint8Array]>(KEYS).all(last?.hash ?? new Uint8Array()),
    hooksAfter: async (last) => database.query<StoredHook, [string]>(HOOKS).all(last?.id ?? ""),
    countsAfter: async (last) =>
      database
        .query<CountRow, [number, string, string, string]>(COUNTS)
        .all(last?.userNumber ?? 0, last?.treeId ?? "", last?.linkId ?? "", last?.day ?? ""),
  };
}

export class SqliteSource implements Source {
  readonly #database: Database;

  constructor(file: string) {
    this.#database = openSource(file);
  }

  async schemaVersion(): Promise<SchemaVersion> {
    return schemaVersionOf(this.#database);
  }

  async integrityFaults(): Promise<string[]> {
    const check = this.#database.query<{ quick_check: string }, []>("PRAGMA quick_check").all();
    const orphans = this.#database.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
    return [
      ...check.map((row) => row.quick_check).filter((finding) => finding !== "ok"),
      ...missingParts(this.#database),
      ...orphans.map(({ table }) => `a row of ${table} belongs to no user`),
    ];
  }

  async findUser(email: string): Promise<UserRow | null> {
    const row = this.#database
      .query<StoredUserRow, [string]>(`${usersOf(this.#database)} WHERE folded_email = ?`)
      .get(foldEmail(email));
    return row && recordTextOf(row);
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
  readonly #documents: DocumentRows;

  constructor(file: string) {
    this.#database = openWritable(file);
    refuseOtherSchema(file, schemaVersionOf(this.#database));
    this.contents = readContents(this.#database);
    this.#documents = new DocumentRows(this.#database);
  }

  async putUsers(users: readonly WholeUser[]): Promise<void> {
    const insert = this.#database.query(`
      INSERT INTO users (number, id, email, folded_email, profile_slug, record, packed_record, updated_at)
      VALUES (?, ?, ?, ?, ?, '', ?, ?)`);
    await this.#writeEach(users, (user) => {
      const { number, id, email } = user;
      const { record, documents } = compileStored(user);
      const { profile, updatedAt } = record;
      insert.run(number, id, email, foldEmail(email), profile.slug, packRecord(user.record), updatedAt);
      this.#documents.insert(number, documents);
      insertBelongings(this.#database, [user.belongings]);
    });
  }

  async putKeys(keys: readonly KeyRow[]): Promise<void> {
    const put = this.#database.query(`
      INSERT INTO keys (hash, id, user_number, user_id, name, view, paths, created_at, expires_at, revoked_at,
        last_used_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (hash) DO UPDATE SET name = excluded.name, view = excluded.view, paths = excluded.paths,
        created_at = excluded.created_at,
        expires_at = excluded.expires_at, revoked_at = excluded.revoked_at, last_used_at = excluded.last_used_at`);
    await this.#writeEach(keys, (key) => {
      const { hash, id, userNumber, userId, name, view, paths } = key;
      const { createdAt, expiresAt, revokedAt, lastUsedAt } = key;
      put.run(hash, id, userNumber, userId, name, view, paths, createdAt, expiresAt, revokedAt, lastUsedAt);
    });
  }

  async putHooks(hooks: readonly StoredHook[]): Promise<void> {
    // Once it is there, only how it is can change.
    const put = this.#database.query(`
      INSERT INTO hooks
        (id, user_number, url, headers, body, secret, events, created_at, failing_since, disabled_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET failing_since = excluded.failing_since, disabled_at = excluded.disabled_at`);
    await this.#writeEach(hooks, (hook) => {
      const { id, userNumber, url, headers, body, secret, events, createdAt, failingSince, disabledAt } =
        hook;
      put.run(id, userNumber, url, headers, body, secret, events, createdAt, failingSince, disabledAt);
    });
  }

  async putCounts(counts: readonly CountRow[]): Promise<void> {
    const put = this.#database.query(`
      INSERT INTO counts (user_number, tree_id, link_id, day, count) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET count = excluded.count`);
    await this.#writeEach(counts, ({ userNumber, treeId, linkId, day, count }) => {
      put.run(userNumber, treeId, linkId, day, count);
    });
  }

  async deleteUsers(users: readonly UserRow[]): Promise<void> {
    const deleteUser = this.#database.query("DELETE FROM users WHERE number = ?");
    await this.#writeEach(users, ({ number }) => {
      deleteUser.run(number);
    });
  }

  async #writeEach<Row>(rows: readonly Row[], write: (row: Row) => void): Promise<void> {
    await writing(this.#database, () => {
      for (const row of rows) write(row);
    });
  }

  async close(): Promise<void> {
    this.#database.close();
  }
}
