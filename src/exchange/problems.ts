import type { Problem } from "../records/problems.ts";
import type { Position } from "./syntax/position.ts";

/** A problem and the place of the record it is in, such as `people.ndjson: line 3`. */
export interface PlacedProblem {
  readonly record: string;
  readonly problem: Problem;
  /** Whether it is that another record of the same import has the same value. */
  readonly isClash?: true;
  /** Where it is in its file: null where that cannot be told, and absent while nobody has looked. */
  readonly position?: Position | null;
}

/** Thrown when records have problems. All of them were told before. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
  readonly problems: number;
  readonly records: number;
  /** How many records were written before another writer was in the way. None where checking found the problems. */
  readonly written: number;

  constructor(problems: number, records: number, written: number) {
    super(`${problems} problem(s) in ${records} record(s), ${written} record(s) written before`);
    this.problems = problems;
    this.records = records;
    this.written = written;
  }
}

/** Thrown where there is not one record to import, which is hardly what was meant. */
export class NothingToImport extends Error {
  override readonly name = "NothingToImport";
  readonly files: readonly string[];

  constructor(files: readonly string[]) {
    super(`no record in ${files.join(", ")}`);
    this.files = files;
  }
}

/** Tells every problem as it is found, and in the end refuses if there was one. */
export class Problems {
  readonly #tell: (problem: PlacedProblem) => void;
  readonly #records = new Set<string>();
  count = 0;

  constructor(tell: (problem: PlacedProblem) => void) {
    this.#tell = tell;
  }

  /** Of what is wrong at one place, a clash is told alone, and first of all: its message names both places. */
  add(problems: readonly PlacedProblem[]): void {
    const places = Map.groupBy(problems, ({ record, problem }) => `${record}: ${problem.place}`);
    for (const [first, ...more] of places.values()) {
      if (!first) continue;
      for (const problem of first.isClash ? [first] : [first, ...more]) {
        this.count++;
        this.#records.add(problem.record);
        this.#tell(problem);
      }
    }
  }

  throwIfAny(written = 0): void {
    if (this.count > 0) throw new ImportRefused(this.count, this.#records.size, written);
  }
}
