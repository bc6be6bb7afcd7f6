import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseLocation, SqliteLocation } from "../../store/database-url.ts";
import { copyDatabase, databaseExists } from "../../store/open.ts";
import { Failure, noDatabase } from "../failure.ts";
import { itself } from "../itself.ts";
import { print } from "../output.ts";
import { ProgressBar } from "../progress.ts";

const POLL_MS = 100;

/** The copy grows under another name, so that a file called a backup is always a whole one. */
function unfinished(file: string): string {
  return `${file}.unfinished`;
}

export async function backup(file: string, { database }: { database: DatabaseLocation }): Promise<void> {
  if (database.engine !== "sqlite")
    throw new Failure(
      "a PostgreSQL database is backed up with PostgreSQL's own tools",
      `pg_dump --format=custom --schema=vitrine --file=${file} "$DATABASE_URL"`,
    );
  if (existsSync(file))
    throw new Failure(`${file} exists already`, `vitrine backup ${file.replace(/(\.\w+)?$/, "-2$1")}`);
  const folder = dirname(file);
  if (!existsSync(folder)) throw new Failure(`there is no folder ${folder}`, `mkdir -p ${folder}`);
  if (!(await databaseExists(database))) throw noDatabase(database);
  if (process.stderr.isTTY) await watched(database, file, () => backupInChild());
  else await copy(file, () => copyDatabase(database, unfinished(file)));
  print(
    `Wrote ${file} (${megabytes(file)}). To restore: stop the server, delete the database's -wal and -shm files, and put this file in its place.`,
  );
}

async function copy(file: string, work: () => Promise<void>): Promise<void> {
  rmSync(unfinished(file), { force: true });
  try {
    await work();
  } catch (error) {
    rmSync(unfinished(file), { force: true });
    throw error;
  }
  renameSync(unfinished(file), file);
}

/** SQLite copies in one call that lets nothing else run, so the process that shows progress is another one. */
async function backupInChild(): Promise<void> {
  const child = Bun.spawn([...itself(), ...process.argv.slice(2)], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return;
  throw new Failure(/^Error: (.*)$/m.exec(said)?.[1] ?? "the backup failed", /^Try: (.*)$/m.exec(said)?.[1]);
}

async function watched(database: SqliteLocation, file: string, work: () => Promise<void>): Promise<void> {
  const bar = new ProgressBar("Copying");
  const total = statSync(database.file).size;
  const timer = setInterval(() => {
    const copied = statSync(unfinished(file), { throwIfNoEntry: false })?.size ?? 0;
    bar.update(copied, total);
  }, POLL_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
    bar.end();
  }
}

function megabytes(file: string): string {
  return `${(statSync(file).size / 1e6).toFixed(1)} MB`;
}
