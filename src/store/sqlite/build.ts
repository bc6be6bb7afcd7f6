import { closeSync, fsyncSync, linkSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PreparedBatch, Saved, StoreBuild } from "../store.ts";
import { openUnsafe } from "./connection.ts";
import { SqliteStore } from "./store.ts";

/**
 * A database in the making, beside the place where it will be. Nobody sees it before it is whole, so nothing has
 * to be made safe on the way: no log is kept and no commit waits for the disk.
 */
export class SqliteBuild implements StoreBuild {
  readonly #file: string;
  readonly #unfinished: string;
  readonly #store: SqliteStore;

  constructor(file: string) {
    this.#file = file;
    this.#unfinished = `${file}.${process.pid}.unfinished`;
    discardAbandoned(file);
    this.#store = new SqliteStore(this.#unfinished, Date.now, openUnsafe);
  }

  add(batch: PreparedBatch): Promise<Saved[] | null> {
    return this.#store.commit(batch);
  }

  async finish(): Promise<boolean> {
    await this.#store.close();
    // Opened as any other from here on, it gets the settings that a file keeps.
    await new SqliteStore(this.#unfinished).close();
    synchronise(this.#unfinished);
    try {
      // Unlike renaming, this never takes the place of a database that another process has made by now.
      linkSync(this.#unfinished, this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    } finally {
      this.discard();
    }
    synchronise(dirname(this.#file));
    return true;
  }

  discard(): void {
    for (const ending of ["", "-wal", "-shm"]) rmSync(this.#unfinished + ending, { force: true });
  }
}

/** Removes what processes that were killed have left. */
function discardAbandoned(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    const [, pid] = /^\.(\d+)\.unfinished/.exec(name.slice(basename(file).length)) ?? [];
    if (pid !== undefined && name.startsWith(basename(file)) && !isRunning(Number(pid)))
      rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
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
