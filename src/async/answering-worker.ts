/** What a worker answers: a result, or what went wrong. */
type WorkerAnswer = { readonly result?: unknown; readonly failure?: string };

/** Within a worker: what comes of some work, as an answer. */
export async function answerOf(work: () => unknown): Promise<WorkerAnswer> {
  try {
    return { result: await work() };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

/** A worker that answers every message with one of its own, in their order. */
export class AnsweringWorker {
  readonly #worker: Worker;
  readonly #waiting: PromiseWithResolvers<unknown>[] = [];
  #fault: string | undefined;

  constructor(url: URL) {
    this.#worker = new Worker(url.href);
    this.#worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
      const asked = this.#waiting.shift();
      if (data.failure === undefined) asked?.resolve(data.result);
      else asked?.reject(new Error(data.failure));
    };
    this.#worker.onerror = ({ message }) => {
      this.#fault = message;
      for (const asked of this.#waiting.splice(0)) asked.reject(new Error(message));
    };
  }

  /** Whether it can still be asked: one that has failed as a whole answers no more. */
  get isAlive(): boolean {
    return this.#fault === undefined;
  }

  /** For a message that wants no answer. */
  tell(message: unknown): void {
    this.#worker.postMessage(message);
  }

  ask(message: unknown, transfer: ArrayBuffer[] = []): Promise<unknown> {
    if (this.#fault !== undefined) return Promise.reject(new Error(this.#fault));
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.push(answer);
    this.#worker.postMessage(message, transfer);
    return answer.promise;
  }

  end(): void {
    this.#worker.terminate();
  }
}
