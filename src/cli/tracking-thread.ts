import type { DatabaseLocation } from "../store/database-url.ts";
import type { TrackingBatch, TrackingWriter } from "../store/tracking-writer.ts";

export type TrackingAnswer = { readonly failure?: string };

/**
 * A writer on a thread of its own: an embedded database waits for the disk, and for other writers, in a call
 * that lets nothing else run, and that must not be the thread that answers requests.
 */
export class TrackingThread implements TrackingWriter {
  // Beside the program's entry point, because that is where a built executable looks for it too.
  readonly #worker = new Worker(new URL("./tracking-worker.ts", import.meta.url).href);
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  #fault: string | undefined;

  /** Serving need not wait for the thread: it opens the database while the first requests come in. */
  constructor(location: DatabaseLocation) {
    this.#worker.postMessage({ open: location } satisfies TrackingMessage);
    this.#worker.onmessage = ({ data }: MessageEvent<TrackingAnswer>) => {
      const asked = this.#waiting.shift();
      if (data.failure === undefined) asked?.resolve();
      else asked?.reject(new Error(data.failure));
    };
    this.#worker.onerror = ({ message }) => {
      this.#fault = message;
      for (const asked of this.#waiting.splice(0)) asked.reject(new Error(message));
    };
  }

  write(batch: TrackingBatch): Promise<void> {
    // As one text: cloning hundreds of small objects into another thread costs ten times as much.
    return this.#ask({ write: JSON.stringify(batch) });
  }

  async close(): Promise<void> {
    if (this.#fault === undefined) await this.#ask({ close: true });
    this.#worker.terminate();
  }

  #ask(message: TrackingMessage): Promise<void> {
    if (this.#fault !== undefined) return Promise.reject(new Error(this.#fault));
    const answer = Promise.withResolvers<void>();
    this.#waiting.push(answer);
    this.#worker.postMessage(message);
    return answer.promise;
  }
}

export type TrackingMessage =
  | { readonly open: DatabaseLocation }
  | { readonly write: string }
  | { readonly close: true };
