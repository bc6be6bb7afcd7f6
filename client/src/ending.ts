/** Who follows a signal. It has one listener for all of them: Node takes more than ten for a leak, and says so. */
const followers = new WeakMap<AbortSignal, Set<Ending>>();

/** One signal that follows several until it is released, and can be ended by itself. */
export class Ending {
  readonly #controller = new AbortController();
  readonly #followed: readonly AbortSignal[];

  constructor(signals: readonly (AbortSignal | undefined)[]) {
    this.#followed = signals.filter((signal) => signal !== undefined);
    for (const signal of this.#followed) {
      if (signal.aborted) this.end(signal.reason);
      else follow(signal, this);
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
    for (const signal of this.#followed) leave(signal, this);
  }
}

function follow(signal: AbortSignal, ending: Ending): void {
  const others = followers.get(signal);
  if (others) {
    others.add(ending);
    return;
  }
  followers.set(signal, new Set([ending]));
  signal.addEventListener("abort", endFollowers);
}

function leave(signal: AbortSignal, ending: Ending): void {
  const all = followers.get(signal);
  if (!all?.delete(ending) || all.size > 0) return;
  followers.delete(signal);
  signal.removeEventListener("abort", endFollowers);
}

function endFollowers({ target }: Event): void {
  const signal = target as AbortSignal;
  for (const ending of followers.get(signal) ?? []) ending.end(signal.reason);
}
