/** A row that stands in two databases, or in one of them. */
export interface Pair<Row> {
  readonly source: Row | undefined;
  readonly target: Row | undefined;
}

/** Rows in the order of their key, of which only the next few are in memory. */
export class Cursor<Row> {
  readonly #readAfter: (last: Row | undefined) => Promise<readonly Row[]>;
  #rows: readonly Row[] = [];
  #next = 0;
  #hasEnded = false;

  constructor(readAfter: (last: Row | undefined) => Promise<readonly Row[]>) {
    this.#readAfter = readAfter;
  }

  /** Reads on, if all that was read has been taken. */
  async fill(): Promise<void> {
    if (this.isKnown) return;
    this.#rows = await this.#readAfter(this.#rows.at(-1));
    this.#next = 0;
    this.#hasEnded = this.#rows.length === 0;
  }

  /** Whether the next row, or that there is none, is known without reading on. */
  get isKnown(): boolean {
    return this.#hasEnded || this.#next < this.#rows.length;
  }

  get next(): Row | undefined {
    return this.#rows[this.#next];
  }

  take(): Row | undefined {
    return this.#rows[this.#next++];
  }
}

/** Goes through two databases in the same order and finds what belongs together, some pairs at a time. */
export async function* sideBySide<Row>(
  source: Cursor<Row>,
  target: Cursor<Row>,
  compare: (one: Row, other: Row) => number,
): AsyncGenerator<Pair<Row>[]> {
  for (;;) {
    await source.fill();
    await target.fill();
    const pairs: Pair<Row>[] = [];
    while (source.isKnown && target.isKnown) {
      const [ours, theirs] = [source.next, target.next];
      if (ours === undefined && theirs === undefined) break;
      const order = ours === undefined ? 1 : theirs === undefined ? -1 : compare(ours, theirs);
      pairs.push({
        source: order <= 0 ? source.take() : undefined,
        target: order >= 0 ? target.take() : undefined,
      });
    }
    if (pairs.length === 0) return;
    yield pairs;
  }
}
