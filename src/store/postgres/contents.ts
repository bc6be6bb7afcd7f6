import type { SQL } from "bun";
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
import type { PostgresLocation } from "../database-url.ts";
import { openSource, openWritable } from "./connection.ts";
import { SCHEMA_VERSION, schemaVersionOf } from "./migrations.ts";
import { PackedRows, unpacking } from "./packed-rows.ts";
import { lockWriters, packedStatement, statement, USER } from "./statements.ts";
import { writeDocuments } from "./store.ts";

const totals = statement<Totals>(`
  SELECT (SELECT count(*)::float8 FROM vitrine.users) AS users,
    (SELECT count(*)::float8 FROM vitrine.keys) AS keys, (SELECT count(*)::float8 FROM vitrine.counts) AS counts`);

const usersAfter = statement<UserRow, [number: number]>(`
  SELECT number::float8, id, email, record FROM vitrine.users
  WHERE number > $1::bigint ORDER BY users.number LIMIT ${USER_STEP}`);

const keysAfter = statement<KeyRow, [hash: Uint8Array]>(`
  SELECT hash, id, user_number::float8 AS "userNumber", user_id AS "userId", name,
    created_at::float8 AS "createdAt", expires_at::float8 AS "expiresAt", revoked_at::float8 AS "revokedAt",
    last_used_at::float8 AS "lastUsedAt"
  FROM vitrine.keys WHERE hash > $1 ORDER BY hash LIMIT ${SMALL_STEP}`);

const countsAfter = statement<CountRow, [userNumber: number, treeId: string, linkId: string, day: string]>(`
  SELECT user_number::float8 AS "userNumber", tree_id AS "treeId", link_id AS "linkId", day, count::float8
  FROM vitrine.counts WHERE (user_number, tree_id, link_id, day) > ($1::bigint, $2, $3, $4)
  ORDER BY user_number, tree_id, link_id, day LIMIT ${SMALL_STEP}`);

const insertUsers = packedStatement(insertionOfUsers());

function insertionOfUsers(): string {
  const columns = { number: "bigint", ...USER } as const;
  const { values, source } = unpacking(columns);
  return `INSERT INTO vitrine.users (${Object.keys(columns)}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM ${source}`;
}

/** A number that was given here is not given again to whoever comes next. */
const passNumber = statement<unknown, [number: number]>(`
  SELECT setval('vitrine.users_number_seq', greatest(last_value, $1::bigint)) FROM vitrine.users_number_seq`);

const putKeys = statement<unknown, [rows: string]>(`
  INSERT INTO vitrine.keys (hash, id, user_number, user_id, name, created_at, expires_at, revoked_at, last_used_at)
  SELECT decode(hash, 'hex'), id, "userNumber", "userId", name, "createdAt", "expiresAt", "revokedAt", "lastUsedAt"
  FROM json_to_recordset($1::text::json) AS given (hash text, id text, "userNumber" bigint, "userId" text,
    name text, "createdAt" bigint, "expiresAt" bigint, "revokedAt" bigint, "lastUsedAt" bigint)
  ON CONFLICT (hash) DO UPDATE SET name = excluded.name, created_at = excluded.created_at,
    expires_at = excluded.expires_at, revoked_at = excluded.revoked_at, last_used_at = excluded.last_used_at`);

const putCounts = statement<unknown, [rows: string]>(`
  INSERT INTO vitrine.counts (user_number, tree_id, link_id, day, count)
  SELECT "userNumber", "treeId", "linkId", day, count
  FROM json_to_recordset($1::text::json)
    AS given ("userNumber" bigint, "treeId" text, "linkId" text, day text, count bigint)
  ON CONFLICT (user_number, tree_id, link_id, day) DO UPDATE SET count = excluded.count`);

const deleteUsers = statement<unknown, [numbers: readonly number[]]>(
  "DELETE FROM vitrine.users WHERE number = ANY ($1::bigint[])",
);

function readContents(sql: SQL): Contents {
  return {
    totals: async () => (await totals(sql))[0] as Totals,
    usersAfter: (last) => usersAfter(sql, last?.number ?? 0),
    keysAfter: (last) => keysAfter(sql, last?.hash ?? new Uint8Array()),
    countsAfter: (last) =>
      countsAfter(sql, last?.userNumber ?? 0, last?.treeId ?? "", last?.linkId ?? "", last?.day ?? ""),
  };
}

export class PostgresContentsReader implements ContentsReader {
  readonly #sql: SQL;

  private constructor(sql: SQL) {
    this.#sql = sql;
  }

  static async open(location: PostgresLocation): Promise<PostgresContentsReader> {
    return new PostgresContentsReader(await openSource(location));
  }

  async schemaVersion(): Promise<{ found: number; expected: number }> {
    return { found: await schemaVersionOf(this.#sql), expected: SCHEMA_VERSION };
  }

  asOfOneMoment<Result>(work: (contents: Contents) => Promise<Result>): Promise<Result> {
    return this.#sql.begin("isolation level repeatable read read only", (sql) =>
      work(readContents(sql)),
    ) as Promise<Result>;
  }

  async close(): Promise<void> {
    await this.#sql.close();
  }
}

export class PostgresContentsWriter implements ContentsWriter {
  readonly #sql: SQL;
  readonly contents: Contents;

  private constructor(sql: SQL) {
    this.#sql = sql;
    this.contents = readContents(sql);
  }

  /** The schema must be up to date. */
  static async open(location: PostgresLocation): Promise<PostgresContentsWriter> {
    return new PostgresContentsWriter(await openWritable(location));
  }

  async putUsers(users: readonly UserRow[]): Promise<void> {
    const rows = new PackedRows();
    const compiled = users.map(({ number, id, email, record }) => {
      const parsed = JSON.parse(record) as UserRecord;
      const columns = {
        number,
        id,
        email,
        folded_email: foldEmail(email),
        profile_slug: parsed.profile.slug,
      };
      rows.add(columns, { record });
      return { number, documents: compile(parsed).documents };
    });
    await this.#sql.begin(async (sql) => {
      await lockWriters(sql);
      await insertUsers(sql, rows);
      await writeDocuments(compiled, sql);
      await passNumber(sql, users.at(-1)?.number ?? 0);
    });
  }

  async putKeys(keys: readonly KeyRow[]): Promise<void> {
    const rows = keys.map((key) => ({ ...key, hash: Buffer.from(key.hash).toString("hex") }));
    await putKeys(this.#sql, JSON.stringify(rows));
  }

  async putCounts(counts: readonly CountRow[]): Promise<void> {
    await putCounts(this.#sql, JSON.stringify(counts));
  }

  async deleteUsers(users: readonly UserRow[]): Promise<void> {
    await this.#sql.begin(async (sql) => {
      await lockWriters(sql);
      await deleteUsers(
        sql,
        users.map(({ number }) => number),
      );
    });
  }

  async close(): Promise<void> {
    await this.#sql.close();
  }
}
