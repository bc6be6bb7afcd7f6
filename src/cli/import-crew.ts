import { availableParallelism } from "node:os";
import type { DatabaseLocation } from "../store/database-url.ts";
import { openStore } from "../store/open.ts";
import { type Parcel, unpack } from "../store/parcel.ts";
import type { Store } from "../store/store.ts";
import { AnsweringWorker } from "./answering-worker.ts";
import { perform, type Results, type Task } from "./import/tasks.ts";

/** How many tasks a thread has waiting, so that it never waits for the main thread. */
const QUEUED_PER_THREAD = 2;

/** Threads that share the work of a large import; a small one is done on the spot. */
export class Crew implements Disposable {
  readonly #threads: Thread[];

  constructor(isLarge: boolean) {
    this.#threads = Array.from({ length: isLarge ? availableParallelism() : 0 }, () => new Thread());
  }

  /** The crew at work on one database, which the main thread has open as this store, where it has. */
  at(location: DatabaseLocation, store?: Store): CrewAtWork {
    return new CrewAtWork(this.#threads, location, store);
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads) thread.end();
  }
}

export class CrewAtWork {
  readonly #threads: readonly Thread[];
  readonly #location: DatabaseLocation;
  readonly #store: Store | undefined;

  constructor(threads: readonly Thread[], location: DatabaseLocation, store: Store | undefined) {
    this.#threads = threads;
    this.#location = location;
    this.#store = store;
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
      const result = (
        thread
          ? thread.perform(task, this.#location)
          : perform(task, async () => this.#store ?? openStore(this.#location))
      ) as Promise<Results[Kind]>;
      // Awaited in its turn below; a failure that comes before then is not forgotten but kept.
      result.catch(() => {});
      underWay.push({ result, extra });
      const first = underWay.length > most ? underWay.shift() : undefined;
      if (first) yield { result: await first.result, extra: first.extra };
    }
    for (const { result, extra } of underWay) yield { result: await result, extra };
  }
}

/** What a thread is sent: a task, and the database it is about. */
export interface Assignment {
  readonly task: Task;
  readonly location: DatabaseLocation;
}

/** What a thread answers a task with that makes a batch. */
export interface Delivery {
  readonly parcel: Parcel;
}

function isDelivery(result: unknown): result is Delivery {
  return typeof result === "object" && result !== null && "parcel" in result;
}

class Thread {
  // Beside the program's entry point, because that is where a built executable looks for it too.
  readonly #worker = new AnsweringWorker(new URL("./import-worker.ts", import.meta.url));

  async perform(task: Task, location: DatabaseLocation): Promise<unknown> {
    const bytes = task.kind === "prepare" ? task.staged : task.chunk.bytes;
    const result = await this.#worker.ask({ task, location } satisfies Assignment, [bytes.buffer]);
    return isDelivery(result) ? unpack(result.parcel) : result;
  }

  end(): void {
    this.#worker.end();
  }
}
