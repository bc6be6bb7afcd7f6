import type { SQL } from "bun";
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
import { describeDatabase, type PostgresLocation } from "../location.ts";
import { packRecord } from "../packed-record.ts";
import { compileStored, type RecordRow, recordTextOf } from "../stored-record.ts";
import { refuseOtherSchema, type SchemaVersion } from "../unavailable.ts";
import { insertBelongings, readBelongings } from "./belongings.ts";
import { openSource, openWritable } from "./connection.ts";
import { insertDocuments } from "./documents.ts";
import { schemaVersionOf } from "./migrations.ts";
import { missingParts } from "./missing-parts.ts";
import { PackedRows, unpacking } from "./packed-rows.ts";
import { USER } from "./records.ts";
import { packedStatement, statement } from "./statement.ts";
import { writing } from "./transaction.ts";

const totals = statement<Totals>(`
  SELECT (SELECT count(*)::float8 FROM vitrine.users) AS users,
    (SELECT count(*)::float8 FROM vitrine.keys) AS keys, (SELECT count(*)::float8 FROM vitrine.hooks) AS hooks,
    (SELECT count(*)::float8 FROM vitrine.counts) AS counts`);

type StoredUserRow = UserRow & RecordRow;

const packedRecords = statement(`
  SELECT FROM information_schema.columns
  WHERE table_schema = 'vitrine' AND table_name = 'users' AND column_name = 'packed_record'`);

/** Records of an earlier schema are texts. */
async function usersOf(sql: SQL): Promise<string> {
  const packed = (await packedRecords(sql)).length > 0 ? "packed_record" : "NULL::bytea";
  return `SELECT number::float8, id, email, record, ${packed} AS "packedRecord" FROM vitrine.users`;
}

async function usersAfter(sql: SQL, number: number): Promise<UserRow[]> {
  const find = statement<StoredUserRow, [number: number]>(
    `${await usersOf(sql)} WHERE number > $1::bigint ORDER BY users.number LIMIT ${USER_STEP}`,
  );
  return (await find(sql, number)).map(recordTextOf);
}

async function userByEmail(sql: SQL, email: string): Promise<UserRow | null> {
  const find = statement<StoredUserRow, [email: string]>(`${await usersOf(sql)} WHERE folded_email = $1`);
  const [user] = await find(sql, email);
  return user ? recordTextOf(user) : null;
}

const keysAfter = statement<KeyRow, [hash: Uint8Array]>(`
  SELECT hash, id, user_number::float8 AS "userNumber", user_id AS "userId", name, view, paths,
    created_at::float8 AS "createdAt", expires_at::float8 AS "expiresAt", revoked_at::float8 AS "revokedAt",
    last_used_at::float8 AS "lastUsedAt"
  FROM vitrine.keys WHERE hash > $1 ORDER BY hash LIMIT ${SMALL_STEP}`);

const hooksAfter = statement<StoredHook, [id: string]>(`
  SELECT id, user_number::float8 AS "userNumber", url, headers, body, secret, events,
    created_at::float8 AS "createdAt", failing_since::float8 AS "failingSince", disabled_at::float8 AS "disabledAt"
  FROM vitrine.hooks WHERE id > $1 ORDER BY id LIMIT ${SMALL_STEP}`);

const countsAfter = statement<CountRow, [userNumber: number, treeId: string, linkId: string, day: string]>(`
  SELECT user_number::float8 AS "userNumber", tree_id AS "treeId", link_id AS "linkId", day, count::float8
  FROM vitrine.counts WHERE (user_number, tree_id, link_id, day) > ($1::bigint, $2, $3, $4)
  ORDER BY user_number, tree_id, link_id, day LIMIT ${SMALL_STEP}`);

const insertUsers = packedStatement(insertionOfUsers());

function insertionOfUsers(): string {
  const columns = { number: "bigint", ...USER } as const;
  const { values, source } = unpacking(columns);
  return `INSERT INTO vitrine.users (record, ${Object.keys(columns)}) OVERRIDING SYSTEM VALUE SELECT '', ${values} FROM ${source}`;
}

/** A number that was given here is not given again to the next user. */
const passNumber = statement<unknown, [number: number]>(`
  SELECT setval('vitrine.users_number_seq', greatest(last_value, $1::bigint)) FROM vitrine.users_number_seq`);

const putKeys = statement<unknown, [rows: string]>(`
  INSERT INTO vitrine.keys (hash, id, user_number, user_id, name, view, paths, created_at, expires_at, revoked_at,
    last_used_at)
  SELECT decode(hash, 'hex'), id, "userNumber", "userId", name, view, paths, "createdAt", "expiresAt", "revokedAt",
    "lastUsedAt"
  FROM json_to_recordset($1::text::json) AS given (hash text, id text, "userNumber" bigint, "userId" text,
    name text, view text, paths text, "createdAt" bigint, "expiresAt" bigint, "revokedAt" bigint,
    "lastUsedAt" bigint)
  ON CONFLICT (hash) DO UPDATE SET name = excluded.name, view = excluded.view, paths = excluded.paths,
    created_at = excluded.created_at, expires_at = excluded.expires_at, revoked_at = excluded.revoked_at, last_used_at = excluded.last_used_at`);

/** Once it is there, only how it is can change. */
const putHooks = statement<unknown, [rows: string]>(`
  INSERT INTO vitrine.hooks
    (id, user_number, url, headers, body, secret, events, created_at, failing_since, disabled_at)
  SELECT id, "userNumber", url, headers, body, secret, events, "createdAt", "failingSince", "disabledAt"
  FROM json_to_recordset($1::text::json) AS given (id text, "userNumber" bigint, url text, headers text, body text,
    secret text, events text, "createdAt" bigint, "failingSince" bigint, "disabledAt" bigint)
  ON CONFLICT (id) DO UPDATE SET failing_since = excluded.failing_since, disabled_at = excluded.disabled_at`);

const putCounts = statement<unknown, [rows: string]>(`
  INSERT INTO vitrine.counts (user_number, tree_id, link_id, day, count)
  SELECT "userNumber", "treeId", "linkId", day, count
  FROM json_to_recordset($1::text::json)
    AS given ("userNumber" bigint, "treeId" text, "linkId" text, day text, count bigint)
  ON CONFLICT (user_number, tree_id, link_id, day) DO UPDATE SET count = excluded.count`);

/** The tables whose rows belong to a user, in any version of the schema. */
const tablesOfUsers = statement<{ table: string }>(`
  SELECT table_name AS table FROM information_schema.columns
  WHERE table_schema = 'vitrine' AND column_name = 'user_number' ORDER BY table_name`);

/**
 * Whether a row of a table belongs to somebody who is not there. The database itself holds that; a fault of it would
 * show here. Some rows belong to nobody: those of the operator.
 */
function orphansIn(table: string) {
  return statement(`
    SELECT FROM vitrine.${table} LEFT JOIN vitrine.users ON users.number = user_number
    WHERE number IS NULL AND user_number IS NOT NULL LIMIT 1`);
}

const deleteUsers = statement<unknown, [numbers: readonly number[]]>(
  "DELETE FROM vitrine.users WHERE number = ANY ($1::bigint[])",
);

function readContents(sql: SQL): Contents {
  return {
    totals: async () => (await totals(sql))[0] as Totals,
    usersAfter: (last) => usersAfter(sql, last?.number ?? 0),
    belongingsOf: (users) =>
      readBelongings(
        sql,
        users.map(({ number }) => number),
      ),
    keysAfter: (last) => keysAfter(sql, last?.hash ?? new Uint8Array()),
    hooksAfter: (last) => hooksAfter(sql, last?.id ?? ""),
    countsAfter: (last) =>
      countsAfter(sql, last?.userNumber ?? 0, last?.treeId ?? "", last?.linkId ?? "", last?.day ?? ""),
  };
}

export class PostgresSource implements Source {
  readonly #sql: SQL;

  private constructor(sql: SQL) {
    this.#sql = sql;
  }

  static async open(location: PostgresLocation): Promise<PostgresSource> {
    return new PostgresSource(await openSource(location));
  }

  schemaVersion(): Promise<SchemaVersion> {
    return schemaVersionOf(this.#sql);
  }

  async integrityFaults(): Promise<string[]> {
    const faults = await missingParts(this.#sql);
    if (faults.length > 0) return faults;
    for (const { table } of await tablesOfUsers(this.#sql)) {
      const orphans = await orphansIn(table)(this.#sql);
      if (orphans.length > 0) faults.push(`a row of ${table} belongs to no user`);
    }
    return faults;
  }

  async findUser(email: string): Promise<UserRow | null> {
    return userByEmail(this.#sql, foldEmail(email));
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

  static async open(location: PostgresLocation): Promise<PostgresContentsWriter> {
    const sql = await openWritable(location);
    try {
      refuseOtherSchema(describeDatabase(location), await schemaVersionOf(sql));
      return new PostgresContentsWriter(sql);
    } catch (error) {
      await sql.close();
      throw error;
    }
  }

  async putUsers(users: readonly WholeUser[]): Promise<void> {
    const rows = new PackedRows();
    const compiled = users.map((user) => {
      const { number, id, email } = user;
      const { record, documents } = compileStored(user);
      const columns = {
        number,
        id,
        email,
        folded_email: foldEmail(email),
        profile_slug: record.profile.slug,
        updated_at: record.updatedAt,
      };
      rows.add(columns, { packed_record: packRecord(user.record) });
      return { number, documents };
    });
    await writing(this.#sql, async (sql) => {
      await insertUsers(sql, rows);
      await insertDocuments(compiled, sql);
      await insertBelongings(
        sql,
        users.map(({ belongings }) => belongings),
      );
      await passNumber(sql, users.at(-1)?.number ?? 0);
    });
  }

  async putKeys(keys: readonly KeyRow[]): Promise<void> {
    const rows = keys.map((key) => ({ ...key, hash: Buffer.from(key.hash).toString("hex") }));
    await putKeys(this.#sql, JSON.stringify(rows));
  }

  async putHooks(hooks: readonly StoredHook[]): Promise<void> {
    await putHooks(this.#sql, JSON.stringify(hooks));
  }

  async putCounts(counts: readonly CountRow[]): Promise<void> {
    await putCounts(this.#sql, JSON.stringify(counts));
  }

  async deleteUsers(users: readonly UserRow[]): Promise<void> {
    await writing(this.#sql, (sql) =>
      deleteUsers(
        sql,
        users.map(({ number }) => number),
      ),
    );
  }

  async close(): Promise<void> {
    await this.#sql.close();
  }
}
