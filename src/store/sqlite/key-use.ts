import type { Database, Statement } from "bun:sqlite";
import type { KeyUseWriter } from "../reader.ts";
import { openWritable } from "./connection.ts";

/** The last use of a key may be lost in a power cut, so no commit waits for the disk. */
export class SqliteKeyUseWriter implements KeyUseWriter {
  readonly #database: Database;
  readonly #touch: Statement<unknown, [number, string]>;

  constructor(file: string) {
    this.#database = openWritable(file, "NORMAL");
    // A request must never wait behind an import for the sake of a timestamp.
    this.#database.run("PRAGMA busy_timeout = 0");
    this.#touch = this.#database.prepare("UPDATE keys SET last_used_at = ? WHERE id = ?");
  }

  touch(keyIds: readonly string[], at: number): void {
    this.#database
      .transaction(() => {
        for (const id of keyIds) this.#touch.run(at, id);
      })
      .immediate();
  }

  close(): void {
    this.#database.close();
  }
}
