import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lchownSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { AnsweringWorker } from "../../async/answering-worker.ts";
import { THREADS } from "../../threads.ts";
import { type Backup, type BackupOptions, FileExists, NoFolder, NoRoom } from "../engine.ts";
import { type SchemaVersion, StoreUnavailable } from "../unavailable.ts";
import type { BackupTask } from "./backup-worker.ts";
import { openUntouched } from "./connection.ts";
import { schemaVersionOf } from "./migrations.ts";

const POLL_MS = 100;

/** An unfinished copy that nobody has written to for this long was left by a process that was killed. */
const ABANDONED_MS = 10 * 60 * 1000;

/** Copies of a database in a file, made by SQLite itself: as of one moment, and whole. */
export class SqliteBackup implements Backup {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async writeBeforeUpgrade(
    { found, expected }: SchemaVersion,
    options?: BackupOptions,
  ): Promise<string | undefined> {
    const name = `${this.#file}.before-v${expected}`;
    let file = name;
    for (let number = 2; existsSync(file); number++) file = `${name}-${number}`;
    try {
      await this.write(file, options);
    } catch (error) {
      if (!(error instanceof FileExists)) throw error;
      // Another process, which was started at the same time, took the name first.
      return versionOf(this.#file) === found
        ? this.writeBeforeUpgrade({ found, expected }, options)
        : undefined;
    }
    if (process.getuid?.() === 0) giveToOwner(file, this.#file);
    if (versionOf(file) === found) return file;
    rmSync(file);
    return undefined;
  }

  async write(file: string, { onProgress, signal }: BackupOptions = {}): Promise<number> {
    const folder = dirname(file);
    if (!existsSync(folder)) throw new NoFolder(folder);
    if (existsSync(file)) throw new FileExists(file, statSync(file).isDirectory());
    // SQLite would say that it cannot open a database, which sounds like the one that is copied.
    accessSync(folder, constants.R_OK | constants.W_OK);
    const total = statSync(this.#file).size;
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < total) throw new NoRoom(file, total);

    discardAbandoned(file);
    // A name of its own for each, so that a file called a backup is always a whole one, and no two share a part.
    const unfinished = `${file}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
    const discard = () => {
      for (const ending of ["", "-journal"]) rmSync(unfinished + ending, { force: true });
    };
    signal?.addEventListener("abort", discard);
    const watch = setInterval(() => {
      onProgress?.(statSync(unfinished, { throwIfNoEntry: false })?.size ?? 0, total);
    }, POLL_MS);
    try {
      await copy({ from: this.#file, to: unfinished });
      synchronise(unfinished);
      putInPlace(unfinished, file);
    } catch (error) {
      const isFull = (error as Error).message.includes("database or disk is full");
      throw isFull ? new NoRoom(file, total) : error;
    } finally {
      clearInterval(watch);
      signal?.removeEventListener("abort", discard);
      discard();
    }
    synchronise(folder);
    return statSync(file).size;
  }
}

/**
 * What root writes is root's, and the server could not read it in the database's place. The folder may be the server's:
 * what is now a link, which somebody has put there, gives away nothing of what it leads to.
 */
export function giveToOwner(file: string, database: string): void {
  const { uid, gid } = statSync(database);
  lchownSync(file, uid, gid);
}

function versionOf(file: string): number {
  using database = openUntouched(file);
  return schemaVersionOf(database).found;
}

function discardAbandoned(file: string): void {
  const folder = dirname(file);
  const isUnfinished = (name: string) =>
    name.startsWith(basename(file)) &&
    /^(?:\.[\da-f]{8})?\.unfinished(?:-journal)?$/.test(name.slice(basename(file).length));
  for (const name of readdirSync(folder).filter(isUnfinished)) {
    const path = join(folder, name);
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - writtenAt > ABANDONED_MS) rmSync(path, { force: true });
  }
}

/** On a thread: SQLite copies in one call that lets nothing else run, neither progress nor a signal to stop. */
async function copy(task: BackupTask): Promise<void> {
  const worker = new AnsweringWorker(THREADS.backup);
  try {
    await worker.ask(task);
  } catch (cause) {
    throw new StoreUnavailable(`the backup failed: ${(cause as Error).message}`, { cause });
  } finally {
    worker.end();
  }
}

/**
 * Unlike renaming, a link never takes the place of a file that another process has made by now. Memory sticks and many
 * folders of a network know no links: there it is renamed, after another look.
 */
export function putInPlace(unfinished: string, file: string, link = linkSync): void {
  try {
    link(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" || existsSync(file)) throw new FileExists(file);
    renameSync(unfinished, file);
  }
}

/** Returns when a file, or what a folder says of its files, is on the disk. */
function synchronise(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
