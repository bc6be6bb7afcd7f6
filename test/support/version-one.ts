import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { reconcile } from "../../src/records/reconcile.ts";
import type { DatabaseLocation } from "../../src/store/location.ts";
import { openSource } from "../../src/store/postgres/connection.ts";
import { MIGRATIONS as POSTGRES } from "../../src/store/postgres/migrations.ts";
import { MIGRATIONS as SQLITE } from "../../src/store/sqlite/migrations.ts";
import { schemaVersionAt } from "./databases.ts";
import { checkedRecord, writtenRecord } from "./records.ts";

/** What the first version sends for `/user/full`, whoever asks. */
export const OLD_BODY = '{"made":"by the first version"}';

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The hash of a person's key, in hexadecimal. */
function hashOf(number: number): string {
  return number.toString(16).padStart(64, "0");
}

/** Rows as the first version wrote them: a person with record, documents and link trees. */
function rowsOf(number: number, bytes: "BLOB" | "bytea"): string[] {
  const { record } = reconcile(checkedRecord(writtenRecord(number)), undefined, Date.UTC(2026, 0, 1));
  const { id, email, profile, linkTrees } = record;
  const columns = [id, email, email, profile.slug, JSON.stringify(record)].map(quoted);
  const slices = ["linktrees", "jobs", "projects", "education"];
  const body = `CAST(${quoted(OLD_BODY)} AS ${bytes})`;
  return [
    `INSERT INTO users (id, email, folded_email, profile_slug, record) VALUES (${columns})`,
    `INSERT INTO documents (user_number, full_etag, links_etag, links, ${slices.flatMap((kind) => [`${kind}_etag`, `${kind}_start`, `${kind}_length`])}, body)
      VALUES (${number}, '"old"', '"old"', ${body}, ${slices.map(() => `'"old"', 0, 2`)}, ${body})`,
    `INSERT INTO keys (hash, id, user_number, user_id, created_at)
      VALUES (CAST(${bytes === "BLOB" ? `x'${hashOf(number)}'` : `'\\x${hashOf(number)}'`} AS ${bytes}), 'key-${number}', ${number}, ${quoted(id)}, 0)`,
    ...linkTrees.map(
      ({ slug, id }) =>
        `INSERT INTO link_trees VALUES (${quoted(slug)}, ${quoted(id)}, ${number}, '"old"', 0, 2)`,
    ),
  ];
}

/** A database as the first version of Vitrine made it, by the text of its own schema. People count from one. */
export async function makeVersionOne(location: DatabaseLocation, people: number): Promise<void> {
  const numbers = Array.from({ length: people }, (_, index) => index + 1);
  if (location.engine === "sqlite") {
    using database = new Database(location.file, { create: true });
    database.run("PRAGMA journal_mode = WAL");
    database.run(SQLITE[0] ?? "");
    database.run("PRAGMA application_id = 0x76697472");
    database.run("PRAGMA user_version = 1");
    database.transaction(() => {
      for (const row of numbers.flatMap((number) => rowsOf(number, "BLOB"))) database.run(row);
    })();
    return;
  }
  await using sql = new SQL({ url: location.url, max: 1, connection: { search_path: "vitrine" } });
  await sql.unsafe("CREATE SCHEMA vitrine");
  await sql.unsafe("CREATE TABLE vitrine.schema_version (version int NOT NULL)");
  await sql.unsafe("INSERT INTO vitrine.schema_version VALUES (1)");
  await sql.unsafe(POSTGRES[0] ?? "").simple();
  await sql.unsafe(numbers.flatMap((number) => rowsOf(number, "bytea")).join(";")).simple();
}

/** Every table with its rows, and the version: two databases are the same where this is. */
export async function everythingAt(location: DatabaseLocation): Promise<Record<string, unknown>> {
  if (location.engine === "sqlite") {
    using database = new Database(location.file, { readonly: true });
    const schema = database.query<{ name: string; sql: string | null }, []>(
      "SELECT name, sql FROM sqlite_schema ORDER BY name",
    );
    const tables = schema.all().filter(({ sql }) => sql?.startsWith("CREATE TABLE"));
    return {
      version: database.query("PRAGMA user_version").get(),
      schema: schema.all(),
      ...Object.fromEntries(tables.map(({ name }) => [name, database.query(`SELECT * FROM ${name}`).all()])),
    };
  }
  await using sql = await openSource(location);
  const columns = await sql.unsafe(`
    SELECT table_name, column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'vitrine' ORDER BY table_name, ordinal_position`);
  const tables = [...new Set(columns.map(({ table_name }: { table_name: string }) => table_name))];
  const rows: [string, unknown][] = [];
  for (const table of tables)
    rows.push([
      String(table),
      [...(await sql.unsafe(`SELECT * FROM vitrine.${table} AS it ORDER BY it::text`))],
    ]);
  return { columns: [...columns], ...Object.fromEntries(rows) };
}

/** The last user whose documents are compiled anew: 0 where that has not begun, or is over. */
export async function compiledThrough(location: DatabaseLocation): Promise<number> {
  if ((await schemaVersionAt(location)).found === 1) return 0;
  if (location.engine === "sqlite") {
    using database = new Database(location.file, { readonly: true });
    const row = database.query<{ through: number | null }, []>("SELECT through FROM compilation").get();
    return row?.through ?? 0;
  }
  await using sql = await openSource(location);
  const [row] = await sql.unsafe("SELECT through::float8 FROM vitrine.compilation");
  return row?.through ?? 0;
}

/** The body of the first person's full document, by the very statement with which the first version read it. */
export function readWithVersionOne(file: string): string {
  using database = new Database(file, { readonly: true });
  const hash = Uint8Array.fromHex(hashOf(1));
  const row = database
    .query<{ body: Uint8Array }, [Uint8Array]>(`
      SELECT keys.id AS keyId, keys.user_id AS userId, keys.user_number AS userNumber, keys.expires_at AS expiresAt,
        keys.revoked_at AS revokedAt, keys.last_used_at AS lastUsedAt,
        documents.full_etag AS etag, documents.body AS body
      FROM keys LEFT JOIN documents ON documents.user_number = keys.user_number
      WHERE keys.hash = ?1`)
    .get(hash);
  return new TextDecoder().decode(row?.body);
}
