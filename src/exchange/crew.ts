import { availableParallelism } from "node:os";
import { AnsweringWorker } from "../async/answering-worker.ts";
import type { DatabaseLocation } from "../store/location.ts";
import { THREADS } from "../threads.ts";
import { type Content, type Part, valuesOf } from "./parts.ts";
import { type Plan, type PlannedPart, planPart } from "./plan-part.ts";

/** From this size of a source on it is worth starting threads. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** How many parts a thread has waiting, so that it never waits for the main thread. */
const QUEUED_PER_THREAD = 2;

/** What a thread is sent: a part to plan and compile. */
export interface Assignment {
  readonly content: Content;
  /** Where records are looked up, or nothing where nobody is stored yet. */
  readonly database: DatabaseLocation | undefined;
  readonly isDryRun: boolean;
}

interface CrewOptions {
  readonly database: DatabaseLocation | undefined;
  readonly isDryRun: boolean;
  /** How this thread plans. */
  readonly plan: Plan;
  /** How a plan is waited for. What is planned may itself be long in coming, and is not the database's fault. */
  readonly wait: <Answer>(step: Promise<Answer>) => Promise<Answer>;
}

/** Plans and compiles parts: those of large sources on threads, which start with the first of them, others on the spot. */
export class Crew implements Disposable {
  readonly #options: CrewOptions;
  readonly #threads: AnsweringWorker[] = [];
  #next = 0;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  /** The parts in their own order, with as many under way as keep every thread busy. */
  async *planAll(
    parts: AsyncIterable<{ part: Part; content: Content }>,
  ): AsyncGenerator<{ part: Part; result: PlannedPart }> {
    const { wait } = this.#options;
    const underWay: { part: Part; result: Promise<PlannedPart> }[] = [];
    for await (const { part, content } of parts) {
      const result = this.#plan(part, content);
      // Awaited in its turn below; a failure that comes before then is not forgotten but kept.
      result.catch(() => {});
      underWay.push({ part, result });
      const first = underWay.length > this.#threads.length * QUEUED_PER_THREAD ? underWay.shift() : undefined;
      if (first) yield { part: first.part, result: await wait(first.result) };
    }
    for (const { part, result } of underWay) yield { part, result: await wait(result) };
  }

  #plan({ source }: Part, content: Content): Promise<PlannedPart> {
    const { plan, database, isDryRun } = this.#options;
    if (source.content.size < LARGE_BYTES) return planPart(valuesOf(content), plan, isDryRun);
    this.#startThreads();
    const transfer = "bytes" in content ? [content.bytes.buffer] : [];
    return this.#ask({ content, database, isDryRun }, transfer) as Promise<PlannedPart>;
  }

  #startThreads(): void {
    if (this.#threads.length > 0) return;
    for (let thread = 0; thread < availableParallelism(); thread++)
      this.#threads.push(new AnsweringWorker(THREADS.import));
  }

  #ask(assignment: Assignment, transfer: ArrayBuffer[]): Promise<unknown> {
    const thread = this.#threads[this.#next++ % this.#threads.length] as AnsweringWorker;
    return thread.ask(assignment, transfer);
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads) thread.end();
  }
}
