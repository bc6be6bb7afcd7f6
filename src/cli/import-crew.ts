import { availableParallelism } from "node:os";
import type { DatabaseLocation } from "../store/database-url.ts";
import type { Store } from "../store/store.ts";
import { perform, type Results, type Task } from "./import/tasks.ts";

/** How many tasks a thread has waiting, so that it never waits for the main thread. */
const QUEUED_PER_THREAD = 2;

/** Threads that share the work of a large import; a small one is done on the spot. */
export class Crew implements Disposable {
  readonly #store: Store;
  readonly #threads: Thread[];

  constructor(store: Store, location: DatabaseLocation, isLarge: boolean) {
    this.#store = store;
    this.#threads = Array.from({ length: isLarge ? availableParallelism() : 0 }, () => new Thread(location));
  }

  /** The results of tasks in the tasks' own order, with as many under way as keep every thread busy. */
  async *performAll<Kind extends Task["kind"], Extra>(
    tasks: AsyncIterable<{ task: Extract<Task, { kind: Kind }>; extra: Extra }>,
  ): AsyncGenerator<{ result: Results[Kind]; extra: Extra }> {
    const underWay: { result: Promise<Results[Kind]>; extra: Extra }[] = [];
    const most = this.#threads.length * QUEUED_PER_THREAD;
    let next = 0;
    for await (const { task, extra } of tasks) {
      const thread = this.#threads[next++ % Math.max(this.#threads.length, 1)];
      const result = (thread ? thread.perform(task) : perform(task, this.#store)) as Promise<Results[Kind]>;
      // Awaited in its turn below; a failure that comes before then is not forgotten but kept.
      result.catch(() => {});
      underWay.push({ result, extra });
      const first = underWay.length > most ? underWay.shift() : undefined;
      if (first) yield { result: await first.result, extra: first.extra };
    }
    for (const { result, extra } of underWay) yield { result: await result, extra };
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads) thread.end();
  }
}

/** One worker, whose answers come in the order of its tasks. */
class Thread {
  // Beside the program's entry point, because that is where a built executable looks for it too.
  readonly #worker = new Worker(new URL("./import-worker.ts", import.meta.url).href);
  readonly #waiting: PromiseWithResolvers<unknown>[] = [];

  constructor(location: DatabaseLocation) {
    this.#worker.postMessage(location);
    this.#worker.onmessage = ({ data }: MessageEvent<{ result: unknown } | { failure: string }>) => {
      const task = this.#waiting.shift();
      if ("result" in data) task?.resolve(data.result);
      else task?.reject(new Error(data.failure));
    };
    this.#worker.onerror = ({ message }) => {
      for (const task of this.#waiting.splice(0)) task.reject(new Error(message));
    };
  }

  perform(task: Task): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.push(answer);
    const bytes = task.kind === "check" ? task.chunk.bytes : task.staged;
    this.#worker.postMessage(task, [bytes.buffer]);
    return answer.promise;
  }

  end(): void {
    this.#worker.terminate();
  }
}
