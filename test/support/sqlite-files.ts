import { Database } from "bun:sqlite";
import { readdirSync, statSync } from "node:fs";
import { COMPILER_VERSION } from "../../src/documents/version.ts";
import { openStore } from "./databases.ts";
import { dropKeptParts } from "./kept-parts.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

const NAME = "vitrine.db";
const OWN_FILES: readonly string[] = [NAME, `${NAME}-wal`, `${NAME}-shm`];

/** One that has become larger is not worth to be kept: what reads all of it would read its empty pages, too. */
const MOST_PAGES = 500;

/** Removes the folders when the test run ends, however it ends: its standard input closes then. */
const UNTIL_INPUT_ENDS =
  'exec 3<&0; { while read -r folder <&3; do set -- "$@" "$folder"; done; rm -rf "$@"; } & wait $!';

/**
 * A file with the schema and without a row. To make one, and to open all that a server has of it, takes longer than most
 * tests, so one that is given back is emptied and used again, and connections to it are kept.
 */
interface LentFile {
  readonly url: string;
  release(): Promise<void>;
}

const free: KeptFile[] = [];

export async function lendFile(): Promise<LentFile> {
  const file = free.pop() ?? (await KeptFile.make());
  return {
    url: file.url,
    async release() {
      if (file.empty()) free.push(file);
      else await file.remove();
    },
  };
}

class KeptFile {
  readonly url: string;
  readonly #folder: TemporaryFolder;
  readonly #admin: Database;
  readonly #deleteRows: string;
  readonly #made: string;

  static async make(): Promise<KeptFile> {
    const folder = new TemporaryFolder();
    removeAtTheEnd(folder.path);
    const store = await openStore({ engine: "sqlite", file: folder.file(NAME) });
    await store.close();
    return new KeptFile(folder);
  }

  private constructor(folder: TemporaryFolder) {
    this.#folder = folder;
    this.url = `sqlite:${folder.file(NAME)}`;
    this.#admin = new Database(folder.file(NAME));
    const tables = this.#admin
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .filter(({ name }) => name !== "compilation");
    // The numbers of users begin again, too: they are in a table of SQLite's own.
    this.#deleteRows = `
      BEGIN IMMEDIATE;
      ${tables.map(({ name }) => `DELETE FROM ${name};`).join("\n")}
      UPDATE compilation SET compiler = ${COMPILER_VERSION}, through = NULL;
      COMMIT`;
    this.#made = this.#state();
  }

  /** Whether the next test finds it as it was made. SQLite counts each change of the schema. */
  empty(): boolean {
    try {
      if (this.#state() !== this.#made) return false;
      this.#admin.run(this.#deleteRows);
      return this.#pragma("page_count") <= MOST_PAGES;
    } catch {
      // Damaged, or locked by what a test left open.
      return false;
    }
  }

  async remove(): Promise<void> {
    await dropKeptParts(this.url);
    this.#admin.close();
    this.#folder[Symbol.dispose]();
  }

  #state(): string {
    const { ino, mode } = statSync(this.#folder.file(NAME));
    const pragmas = ["schema_version", "user_version", "application_id", "page_size"];
    const others = readdirSync(this.#folder.path).filter((name) => !OWN_FILES.includes(name));
    return JSON.stringify([ino, mode, others, pragmas.map((name) => this.#pragma(name))]);
  }

  #pragma(name: string): number {
    return this.#admin.query<Record<string, number>, []>(`PRAGMA ${name}`).get()?.[name] ?? 0;
  }
}

let remover: Bun.Subprocess<"pipe"> | undefined;

function removeAtTheEnd(folder: string): void {
  remover ??= Bun.spawn(["sh", "-c", UNTIL_INPUT_ENDS], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  remover.unref();
  remover.stdin.write(`${folder}\n`);
  remover.stdin.flush();
}
