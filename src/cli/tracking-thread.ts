import type { DatabaseLocation } from "../store/database-url.ts";
import { openTrackingWriter } from "../store/open.ts";
import type { TrackingBatch, TrackingWriter } from "../store/tracking-writer.ts";
import { AnsweringWorker } from "./answering-worker.ts";

/** What writes counters beside requests: a database server does not hold them up, and needs no thread. */
export async function openCounters(location: DatabaseLocation): Promise<TrackingWriter> {
  return location.engine === "sqlite" ? new TrackingThread(location) : openTrackingWriter(location);
}

/**
 * A writer on a thread of its own: an embedded database waits for the disk, and for other writers, in a call
 * that lets nothing else run, and that must not be the thread that answers requests.
 */
class TrackingThread implements TrackingWriter {
  // Beside the program's entry point, because that is where a built executable looks for it too.
  readonly #worker = new AnsweringWorker(new URL("./tracking-worker.ts", import.meta.url));

  /** Serving need not wait for the thread: it opens the database while the first requests come in. */
  constructor(location: DatabaseLocation) {
    this.#worker.tell({ open: location } satisfies TrackingMessage);
  }

  async write(batch: TrackingBatch): Promise<void> {
    // As one text: cloning hundreds of small objects into another thread costs ten times as much.
    await this.#worker.ask({ write: JSON.stringify(batch) } satisfies TrackingMessage);
  }

  async close(): Promise<void> {
    if (this.#worker.isAlive) await this.#worker.ask({ close: true } satisfies TrackingMessage);
    this.#worker.end();
  }
}

export type TrackingMessage =
  | { readonly open: DatabaseLocation }
  | { readonly write: string }
  | { readonly close: true };
