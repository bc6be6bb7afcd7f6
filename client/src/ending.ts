/** One signal that follows several until it is released, and can be ended by itself. */
export class Ending {
  readonly #controller = new AbortController();
  readonly #followed: readonly AbortSignal[];

  constructor(signals: readonly (AbortSignal | undefined)[]) {
    this.#followed = signals.filter((signal) => signal !== undefined);
    for (const signal of this.#followed) {
      if (signal.aborted) this.end(signal.reason);
      else signal.addEventListener("abort", this.#follow);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** What some work comes to, or the reason for which it is ended first: a cache or a `fetch` may not follow a signal. */
  async during<Value>(work: () => Promise<Value>): Promise<Value> {
    const { signal } = this;
    signal.throwIfAborted();
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return Promise.race([work(), ended]);
  }

  release(): void {
    for (const signal of this.#followed) signal.removeEventListener("abort", this.#follow);
  }

  readonly #follow = (event: Event): void => this.end((event.target as AbortSignal).reason);
}
