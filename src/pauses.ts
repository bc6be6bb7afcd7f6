/** Pauses between attempts: each is twice as long as the one before, up to the longest. */
export class Pauses {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #nextMs: number;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#nextMs = firstMs;
  }

  next(): number {
    const pauseMs = this.#nextMs;
    this.#nextMs = Math.min(pauseMs * 2, this.#longestMs);
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
