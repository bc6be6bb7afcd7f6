import type { Count, CountBatch } from "../store/count-writer.ts";

export type Counter = Omit<Count, "count">;

type Waiting = Counter & { count: number };

/** Increments that wait for one transaction. Those of one counter are one entry. */
export class Batch {
  readonly #counts = new Map<string, Waiting>();
  readonly #keyIds = new Set<string>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** False where there is no room for another counter. */
  add(counter: Counter, count = 1): boolean {
    const { userNumber, treeId, linkId, day } = counter;
    // No identifier holds a space, so no two counters share a name.
    const name = `${userNumber} ${treeId} ${day} ${linkId}`;
    const waiting = this.#counts.get(name);
    if (waiting) waiting.count += count;
    else if (this.#counts.size >= this.#maxEntries) return false;
    else this.#counts.set(name, { userNumber, treeId, linkId, day, count });
    return true;
  }

  /** A key without room is noted when it is next used. */
  addKey(id: string): void {
    if (this.#keyIds.size < this.#maxEntries) this.#keyIds.add(id);
  }

  /** Takes in what could not be written, and returns how many views and clicks there was no room for. */
  takeBack(earlier: Batch): number {
    let lost = 0;
    for (const { count, ...counter } of earlier.#counts.values()) {
      if (!this.add(counter, count)) lost += count;
    }
    for (const id of earlier.#keyIds) this.addKey(id);
    return lost;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0 && this.#keyIds.size === 0;
  }

  /** How many views and clicks are waiting. */
  get events(): number {
    return this.#counts.values().reduce((sum, { count }) => sum + count, 0);
  }

  plain(usedAt: number): CountBatch {
    return { counts: [...this.#counts.values()], keyIds: [...this.#keyIds], usedAt };
  }
}
