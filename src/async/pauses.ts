/** Pauses between attempts: each is twice as long as the one before, up to the longest. */
export class Pauses {
  readonly #firstMs: number;
  readonly #maxMs: number;
  #nextMs: number;

  constructor(firstMs: number, maxMs: number) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
    this.#nextMs = firstMs;
  }

  next(): number {
    const pauseMs = this.#nextMs;
    this.#nextMs = Math.min(pauseMs * 2, this.#maxMs);
    return pauseMs;
  }

  /** The next one, made shorter or longer by chance, so that many processes do not come back in the same moment. */
  nextSpread(): number {
    return this.next() * (0.5 + Math.random());
  }

  startAgain(): void {
    this.#nextMs = this.#firstMs;
  }
}
