import { Database, type Statement } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "../../records/problems.ts";
import { formatPlace } from "../../records/problems.ts";
import type { RecordInput } from "../../records/schema.ts";
import { uniqueValues } from "../../store/plan.ts";
import { linesOf } from "./lines.ts";

interface Staged {
  readonly place: string;
  readonly input: RecordInput;
}

/**
 * Holds the checked records of an import on disk until all of them are known to be good, and remembers who
 * claimed which unique value, so that memory does not grow with the files.
 */
export class Staging implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vitrine-import-"));
  readonly #file = join(this.folder, "records.ndjson");
  readonly #sink = Bun.file(this.#file).writer({ highWaterMark: 1024 * 1024 });
  readonly #claims: Database;
  readonly #claim: Statement<{ place: string }, [string, string]>;
  count = 0;

  constructor() {
    this.#claims = new Database(join(this.folder, "claims.db"), { create: true });
    // The file is thrown away with the process, so nothing in it needs to survive.
    for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"]) {
      this.#claims.run(`PRAGMA ${pragma}`);
    }
    this.#claims.run(
      "CREATE TABLE claims (value TEXT PRIMARY KEY, place TEXT NOT NULL) STRICT, WITHOUT ROWID",
    );
    this.#claims.run("BEGIN");
    // A claim that was made before keeps its place, and the row that comes back names it.
    this.#claim = this.#claims.prepare(
      "INSERT INTO claims VALUES (?1, ?2) ON CONFLICT DO UPDATE SET place = place RETURNING place",
    );
  }

  /** Keeps a record, or says which of its values another record of this import has already. */
  async add(place: string, input: RecordInput): Promise<Problem[]> {
    const problems: Problem[] = [];
    for (const { kind, value, path } of uniqueValues(input)) {
      const first = this.#claim.get(`${kind} ${value}`, place)?.place;
      if (first !== undefined && first !== place) {
        problems.push({ place: formatPlace(path), message: `is the same as in ${first}` });
      }
    }
    this.count++;
    this.#sink.write(`${JSON.stringify({ place, input } satisfies Staged)}\n`);
    if (this.count % 256 === 0) await this.#sink.flush();
    return problems;
  }

  async *batches(size: number): AsyncGenerator<Staged[]> {
    await this.#sink.end();
    let batch: Staged[] = [];
    for await (const line of linesOf(this.#file)) {
      batch.push(JSON.parse(new TextDecoder().decode(line)) as Staged);
      if (batch.length === size) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }

  [Symbol.dispose](): void {
    this.#claims.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
