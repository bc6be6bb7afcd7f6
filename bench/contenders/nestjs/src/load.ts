import "reflect-metadata";
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { DataSource, type EntityTarget, type ObjectLiteral } from "typeorm";
import { databaseOptions } from "./database.js";
import { ApiKey } from "./entities/api-key.entity.js";
import { Education } from "./entities/education.entity.js";
import { Job } from "./entities/job.entity.js";
import { Link } from "./entities/link.entity.js";
import { LinkTree } from "./entities/link-tree.entity.js";
import { Profile } from "./entities/profile.entity.js";
import { Project } from "./entities/project.entity.js";
import { User } from "./entities/user.entity.js";

/** Loads what `vitrine export --all` prints, and a file of addresses and keys, into the tables. */
const [databaseFile = "", recordsFile = "", keysFile = ""] = process.argv.slice(2);
const source = new DataSource({ ...databaseOptions(databaseFile), synchronize: true });
await source.initialize();

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

async function insert(target: EntityTarget<ObjectLiteral>, rows: RecordFile[]): Promise<void> {
  const size = Math.floor(MAX_VALUES / source.getMetadata(target).columns.length);
  for (let start = 0; start < rows.length; start += size) {
    const values = rows.slice(start, start + size).map(row);
    await source.createQueryBuilder().insert().into(target).values(values).updateEntity(false).execute();
  }
}

async function load(records: RecordFile[]): Promise<void> {
  const owned = (list: string) =>
    records.flatMap((record) => record[list].map((it: RecordFile) => ({ ...it, userId: record.id })));
  await insert(
    User,
    records.map(({ id, codehostId, email, createdAt, updatedAt }) => ({
      id,
      codehostId,
      email,
      createdAt,
      updatedAt,
    })),
  );
  const hash = (key: string) => createHash("sha256").update(key).digest("hex");
  await insert(
    ApiKey,
    records.map(({ id, email }) => ({ hash: hash(keys.get(email) ?? ""), userId: id })),
  );
  await insert(
    Profile,
    records.map(({ id, profile }) => ({ ...profile, userId: id })),
  );
  await insert(Job, owned("jobs"));
  await insert(Project, owned("projects"));
  await insert(Education, owned("education"));
  const trees = owned("linkTrees");
  await insert(
    LinkTree,
    trees.map(({ links, ...tree }: RecordFile) => tree),
  );
  await insert(
    Link,
    trees.flatMap((tree: RecordFile) =>
      tree.links.map((link: RecordFile, position: number) => ({ ...link, position, linkTreeId: tree.id })),
    ),
  );
}

const BATCH = 500;
let batch: RecordFile[] = [];
const commit = async () => {
  await source.query("BEGIN");
  await load(batch);
  await source.query("COMMIT");
  batch = [];
};
for await (const line of createInterface({ input: createReadStream(recordsFile) })) {
  if (line) batch.push(JSON.parse(line));
  if (batch.length >= BATCH) await commit();
}
await commit();
await source.destroy();
