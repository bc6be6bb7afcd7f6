import { AnsweringWorker } from "../async/answering-worker.ts";
import { Pauses } from "../async/pauses.ts";
import type { Log } from "../logging/log.ts";
import type { DatabaseLocation } from "../store/location.ts";
import type { CompiledStep } from "../store/store.ts";
import { THREADS } from "../threads.ts";
import type { CompileMessage } from "./compile-worker.ts";

/** How often the log says how far it has come. */
const TELL_MS = 10_000;

/** Before it is tried again, where it fails. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Compiles documents of an older compiler anew, on a thread of its own, while requests are answered with the old
 * ones. What is done is done: who stops it, or kills it, loses nothing.
 */
export class Compiling implements Disposable {
  readonly #location: DatabaseLocation;
  readonly #log: Log;
  readonly #pauses = new Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #worker: AnsweringWorker | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(location: DatabaseLocation, log: Log) {
    this.#location = location;
    this.#log = log;
    void this.#run();
  }

  async #run(): Promise<void> {
    const worker = new AnsweringWorker(THREADS.compile);
    this.#worker = worker;
    try {
      await this.#compile((message) => worker.ask(message));
    } catch (error) {
      if (!this.#isStopped) this.#tryLater((error as Error).message);
    } finally {
      worker.end();
    }
  }

  async #compile(ask: (message: CompileMessage) => Promise<unknown>): Promise<void> {
    const total = (await ask({ open: this.#location })) as number;
    this.#log.info("compiling documents of an older version anew", { users: total });
    let toldAt = performance.now();
    for (let done = 0; ; ) {
      const startedAt = performance.now();
      const { users, damaged } = (await ask({ next: true })) as CompiledStep;
      if (users === 0) break;
      done += users;
      for (const { id, fault } of damaged)
        this.#log.error("a record is damaged; its documents stay as they are", { userId: id, fault });
      if (performance.now() - toldAt > TELL_MS) {
        toldAt = performance.now();
        this.#log.info("compiling documents anew", { done, users: total });
      }
      // As long as the step took: half of a core is left to those who read.
      await Bun.sleep(performance.now() - startedAt);
    }
    this.#log.info("all documents are compiled anew", { users: total });
  }

  #tryLater(reason: string): void {
    const pauseMs = this.#pauses.next();
    this.#log.error("documents could not be compiled anew; it is tried again", { reason, pauseMs });
    this.#retry = setTimeout(() => void this.#run(), pauseMs);
    this.#retry.unref();
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    this.#worker?.end();
  }
}
