import type { Database, Statement } from "bun:sqlite";

/**
 * Lets all reads of one turn of the event loop share a read transaction: taking and dropping SQLite's file
 * locks costs more than a read does. A turn handles the requests that had arrived when it began, so the next
 * request always sees what is stored by then.
 */
export class Snapshot {
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #end: Statement;
  #held = false;
  readonly release = (): void => {
    if (!this.#held) return;
    this.#held = false;
    try {
      if (this.#database.inTransaction) this.#end.run();
    } catch {
      // A read that has failed is told of once more here. The transaction is over all the same.
    }
  };

  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.prepare("BEGIN");
    this.#end = database.prepare("COMMIT");
  }

  hold(): void {
    if (this.#held) return;
    this.#begin.run();
    this.#held = true;
    setImmediate(this.release);
  }
}
