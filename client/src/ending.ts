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

  release(): void {
    for (const signal of this.#followed) signal.removeEventListener("abort", this.#follow);
  }

  readonly #follow = (event: Event): void => this.end((event.target as AbortSignal).reason);
}
