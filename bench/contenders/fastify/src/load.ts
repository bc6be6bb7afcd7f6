import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { openDatabase } from "./database.js";
import * as schema from "./schema.js";

/** Loads what `vitrine export --all` prints, and a file of addresses and keys, into the tables. */
const [databaseFile = "", recordsFile = "", keysFile = ""] = process.argv.slice(2);
const database = openDatabase(databaseFile);

const keys = new Map(
  readFileSync(keysFile, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(",") as [string, string]),
);

// biome-ignore lint/suspicious/noExplicitAny: what is read was checked by whoever wrote it.
type RecordFile = any;

const DATES = ["createdAt", "updatedAt", "startDate", "endDate"];

/** A row with its dates as dates. */
function row(values: RecordFile): RecordFile {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      DATES.includes(name) && value !== null ? new Date(value as string) : value,
    ]),
  );
}

// SQLite takes so many values in one statement.
const MAX_VALUES = 30_000;

function insert(table: SQLiteTable, rows: RecordFile[]): void {
  const size = Math.floor(MAX_VALUES / Object.keys(getTableColumns(table)).length);
  for (let start = 0; start < rows.length; start += size) {
    database
      .insert(table)
      .values(rows.slice(start, start + size).map(row))
      .run();
  }
}

/** The columns of a profile: for each field its value and its flag. */
function profileRow({ id, profile: { updatedAt, isPublic, slug, ...fields } }: RecordFile): RecordFile {
  const columns = Object.entries(fields as Record<string, { isPublic: boolean; value: string | null }>);
  const pairs = columns.flatMap(([name, field]) => [
    [name, field.value],
    [`${name}IsPublic`, field.isPublic],
  ]);
  return { userId: id, updatedAt, isPublic, slug, ...Object.fromEntries(pairs) };
}

function load(records: RecordFile[]): void {
  const owned = (list: string) =>
    records.flatMap((record) => record[list].map((it: RecordFile) => ({ ...it, userId: record.id })));
  const hash = (key: string) => createHash("sha256").update(key).digest("hex");
  const trees = owned("linkTrees");
  insert(
    schema.users,
    records.map(({ id, codehostId, email, createdAt, updatedAt }) => ({
      id,
      codehostId,
      email,
      createdAt,
      updatedAt,
    })),
  );
  insert(
    schema.apiKeys,
    records.map(({ id, email }) => ({ hash: hash(keys.get(email) ?? ""), userId: id })),
  );
  insert(schema.profiles, records.map(profileRow));
  insert(schema.jobs, owned("jobs"));
  insert(schema.projects, owned("projects"));
  insert(schema.educations, owned("education"));
  insert(
    schema.linkTrees,
    trees.map(({ links, ...tree }: RecordFile) => tree),
  );
  insert(
    schema.links,
    trees.flatMap((tree: RecordFile) =>
      tree.links.map((link: RecordFile, position: number) => ({ ...link, position, linkTreeId: tree.id })),
    ),
  );
}

const BATCH = 500;
let batch: RecordFile[] = [];
const commit = () => {
  database.transaction(() => load(batch));
  batch = [];
};
for await (const line of createInterface({ input: createReadStream(recordsFile) })) {
  if (line) batch.push(JSON.parse(line));
  if (batch.length >= BATCH) commit();
}
commit();
database.$client.close();
