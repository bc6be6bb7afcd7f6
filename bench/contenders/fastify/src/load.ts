import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
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

interface Dated {
  startDate: string;
  endDate: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: what is read was checked by whoever wrote it.
type RecordFile = any;

const date = (text: string) => new Date(text);
const dates = ({ startDate, endDate }: Dated) => ({
  startDate: date(startDate),
  endDate: endDate === null ? null : date(endDate),
});
const stamps = (it: { createdAt: string; updatedAt: string }) => ({
  createdAt: date(it.createdAt),
  updatedAt: date(it.updatedAt),
});

function load(record: RecordFile): void {
  const userId: string = record.id;
  const { codehostId, email, profile } = record;
  const insert = (table: Parameters<typeof database.insert>[0], rows: object[]) => {
    if (rows.length > 0) database.insert(table).values(rows).run();
  };
  insert(schema.users, [{ id: userId, codehostId, email, ...stamps(record) }]);
  const hash = createHash("sha256")
    .update(keys.get(email) ?? "")
    .digest("hex");
  insert(schema.apiKeys, [{ hash, userId }]);
  const { updatedAt, isPublic, slug, ...fields } = profile;
  const columns = Object.entries(fields as Record<string, { isPublic: boolean; value: string | null }>);
  insert(schema.profiles, [
    {
      userId,
      updatedAt: date(updatedAt),
      isPublic,
      slug,
      ...Object.fromEntries(
        columns.flatMap(([name, field]) => [
          [name, field.value],
          [`${name}IsPublic`, field.isPublic],
        ]),
      ),
    },
  ]);
  insert(
    schema.jobs,
    record.jobs.map((job: RecordFile) => ({ ...job, ...stamps(job), ...dates(job), userId })),
  );
  insert(
    schema.projects,
    record.projects.map((project: RecordFile) => ({ ...project, ...dates(project), userId })),
  );
  insert(
    schema.educations,
    record.education.map((education: RecordFile) => ({ ...education, ...dates(education), userId })),
  );
  for (const { links, ...tree } of record.linkTrees) {
    insert(schema.linkTrees, [{ ...tree, ...stamps(tree), userId }]);
    insert(
      schema.links,
      links.map((link: RecordFile, position: number) => ({ ...link, position, linkTreeId: tree.id })),
    );
  }
}

const BATCH = 1000;
let batch: RecordFile[] = [];
const commit = () => {
  database.transaction(() => batch.forEach(load));
  batch = [];
};
for await (const line of createInterface({ input: createReadStream(recordsFile) })) {
  if (line) batch.push(JSON.parse(line));
  if (batch.length >= BATCH) commit();
}
commit();
database.$client.close();
