import { Database, type Statement } from "bun:sqlite";
import { join } from "node:path";
import type { Claim, PlannedPart } from "./plan-part.ts";
import type { PlacedProblem } from "./problems.ts";
import { openNameless, puttingAside } from "./temporary.ts";

/** Remembers which record of an import claimed which unique value: on disk, so that memory does not grow with it. */
export class Claims implements Disposable {
  readonly #database = openNameless(openClaims);
  readonly #claimAll: Statement<unknown, [string, number]>;
  readonly #claimant: Statement<{ ordinal: number; record: string }, [string]>;
  /** How many records have made their claims. */
  records = 0;

  constructor() {
    // One statement takes many claims: calls, not rows, are what costs.
    this.#claimAll = this.#database.prepare(
      "INSERT OR IGNORE INTO claims SELECT value ->> 0, ?2 + (value ->> 1), value ->> 2 FROM json_each(?1)",
    );
    this.#claimant = this.#database.prepare("SELECT ordinal, record FROM claims WHERE value = ?");
  }

  /** Takes the claims of a part, and says which of its values another record had already. */
  add({ count, claims, claimCount }: PlannedPart): PlacedProblem[] {
    const before = this.records;
    this.records += count;
    const { changes } = puttingAside(() => this.#claimAll.run(claims, before));
    return changes === claimCount ? [] : this.#clashes(JSON.parse(claims) as Claim[], before);
  }

  #clashes(claims: readonly Claim[], before: number): PlacedProblem[] {
    return claims.flatMap(([value, index, record, place]) => {
      const first = this.#claimant.get(value);
      if (!first || first.ordinal === before + index) return [];
      return [{ record, problem: { place, message: `is the same as in ${first.record}` }, isClash: true }];
    });
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function openClaims(folder: string): Database {
  const database = new Database(join(folder, "claims.db"), { create: true });
  // The file is thrown away with the process, so nothing in it needs to survive.
  for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"]) {
    database.run(`PRAGMA ${pragma}`);
  }
  database.run(`
    CREATE TABLE claims (value TEXT PRIMARY KEY, ordinal INTEGER NOT NULL, record TEXT NOT NULL)
    STRICT, WITHOUT ROWID`);
  return database;
}
