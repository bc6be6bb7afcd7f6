import type { SQL } from "bun";
import { type History, KEPT_VERSIONS, type ReplacedVersion, versionOf, type Way } from "../history.ts";
import type { CompiledSave } from "../store.ts";
import { type PackedColumns, PackedRows, unpacking } from "./packed-rows.ts";
import { packedStatement, statement } from "./statement.ts";

const VERSION = {
  user_number: "bigint",
  replaced_at: "bigint",
  way: "text",
  record: "long bytes",
} as const satisfies PackedColumns;

const insertVersions = packedStatement(insertOfVersions());

/** Of users of whom there are more versions now than are kept. */
const trimVersions = statement<unknown, [numbers: readonly number[]]>(`
  DELETE FROM vitrine.history USING (
    SELECT user_number, max(version) AS newest FROM vitrine.history
    WHERE user_number = ANY ($1::bigint[]) GROUP BY user_number
  ) AS present
  WHERE history.user_number = present.user_number AND version <= newest - ${KEPT_VERSIONS}`);

const versionsOf = statement<Omit<ReplacedVersion, "record"> & { record: Uint8Array }, [userId: string]>(`
  SELECT version, replaced_at::float8 AS "replacedAt", way, history.record
  FROM vitrine.history JOIN vitrine.users ON users.number = history.user_number
  WHERE users.id = $1 ORDER BY version`);

function insertOfVersions(): string {
  const { values, source } = unpacking(VERSION);
  return `
    INSERT INTO vitrine.history (version, ${Object.keys(VERSION)})
    SELECT 1 + coalesce((
      SELECT max(version) FROM vitrine.history WHERE history.user_number = packed.user_number), 0), ${values}
    FROM ${source}`;
}

/** Keeps what these saves replace, within their transaction. */
export async function addVersions(
  saves: readonly CompiledSave[],
  way: Way,
  now: number,
  sql: SQL,
): Promise<void> {
  const rows = new PackedRows();
  const numbers: number[] = [];
  for (const { earlier, replaced } of saves) {
    if (!earlier || !replaced) continue;
    rows.add({ user_number: earlier.number, replaced_at: now, way }, { record: replaced });
    numbers.push(earlier.number);
  }
  if (rows.isEmpty) return;
  await insertVersions(sql, rows);
  await trimVersions(sql, numbers);
}

export class PostgresHistory implements History {
  readonly #sql: SQL;

  constructor(sql: SQL) {
    this.#sql = sql;
  }

  async of(userId: string): Promise<ReplacedVersion[]> {
    return (await versionsOf(this.#sql, userId)).map(versionOf);
  }
}
