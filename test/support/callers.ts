import { until } from "./until.ts";

/** A moment for whoever else is at work: callers without one would take a core for as long as they are waited for. */
const PAUSE_MS = 10;

/** Callers who ask one request after the other until they are stopped, and what became of the requests. */
export class Callers<Outcome extends string | number> implements AsyncDisposable {
  readonly #outcomes = new Map<Outcome, number>();
  readonly #calling: Promise<unknown>;
  #going = true;

  /** What is asked says what became of it. A caller for whom it fails calls no more, and says so at the end. */
  constructor(count: number, ask: (caller: number) => Promise<Outcome>) {
    this.#calling = Promise.all(
      Array.from({ length: count }, async (_, caller) => {
        while (this.#going) {
          const outcome = await ask(caller);
          this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
          await Bun.sleep(PAUSE_MS);
        }
      }),
    );
    this.#calling.catch(() => {});
  }

  /** Waits until so many more requests have ended, with this outcome where one is given. */
  async more(count: number, outcome?: Outcome): Promise<void> {
    const seen = () =>
      outcome === undefined
        ? this.#outcomes.values().reduce((sum, times) => sum + times, 0)
        : (this.#outcomes.get(outcome) ?? 0);
    const before = seen();
    await until(
      `more requests to end${outcome === undefined ? "" : ` with ${outcome}`}`,
      () => seen() > before + count,
    );
  }

  /** Each outcome that there was, in their order. */
  async stop(): Promise<Outcome[]> {
    this.#going = false;
    await this.#calling;
    return [...this.#outcomes.keys()].toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#going = false;
    await this.#calling.catch(() => {});
  }
}
