import { Database, type Statement } from "bun:sqlite";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAll } from "../../logging/write-all.ts";
import { chunksOfLines } from "./lines.ts";
import type { CheckedPart, Claim, PlacedProblem } from "./tasks.ts";

/**
 * Holds the checked records of an import on disk until all of them are known to be good, and remembers who
 * claimed which unique value, so that memory does not grow with the files.
 */
export class Staging implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vitrine-import-"));
  readonly #file = join(this.folder, "records.ndjson");
  readonly #descriptor = openSync(this.#file, "wx", 0o600);
  readonly #database: Database;
  readonly #claimAll: Statement<unknown, [string, number]>;
  readonly #claimant: Statement<{ ordinal: number; record: string }, [string]>;
  count = 0;

  constructor() {
    this.#database = new Database(join(this.folder, "claims.db"), { create: true });
    // The file is thrown away with the process, so nothing in it needs to survive.
    for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"]) {
      this.#database.run(`PRAGMA ${pragma}`);
    }
    this.#database.run(`
      CREATE TABLE claims (value TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, record TEXT NOT NULL)
      STRICT, WITHOUT ROWID`);
    // One statement takes many claims: calls, not rows, are what costs.
    this.#claimAll = this.#database.prepare(
      "INSERT OR IGNORE INTO claims SELECT value ->> 0, ?2 + (value ->> 1), value ->> 2 FROM json_each(?1)",
    );
    this.#claimant = this.#database.prepare("SELECT ordinal, record FROM claims WHERE value = ?");
  }

  /** Keeps checked records, and says which of their values another record of this import had already. */
  add({ staged, count, claims, claimCount }: CheckedPart): PlacedProblem[] {
    writeAll(this.#descriptor, Buffer.from(staged));
    const before = this.count;
    this.count += count;
    const { changes } = this.#claimAll.run(claims, before);
    return changes === claimCount ? [] : this.#clashes(JSON.parse(claims) as Claim[], before);
  }

  #clashes(claims: readonly Claim[], before: number): PlacedProblem[] {
    return claims.flatMap(([value, index, record, place]) => {
      const first = this.#claimant.get(value);
      if (!first || first.ordinal === before + index) return [];
      return [{ record, problem: { place, message: `is the same as in ${first.record}` }, isClash: true }];
    });
  }

  async *batches(bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const chunk of chunksOfLines(this.#file, bytes)) yield chunk.bytes;
  }

  [Symbol.dispose](): void {
    this.#database.close();
    closeSync(this.#descriptor);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
