import { AnsweringWorker } from "../async/answering-worker.ts";
import type { CountBatch } from "../store/count-writer.ts";
import { engineAt } from "../store/engines.ts";
import type {
  HookNumbers,
  HookQueue,
  ServingWriter,
  Settlement,
  TakenDelivery,
  Wanted,
} from "../store/hook-queue.ts";
import type { DatabaseLocation } from "../store/location.ts";
import type { DrawnPreview, PreviewWriter } from "../store/preview-writer.ts";
import type { MadeRendition, RenditionWriter } from "../store/rendition-writer.ts";
import { THREADS } from "../threads.ts";

/** What writes beside requests: a database server does not hold them up, and needs no thread. */
export async function startCountWriter(location: DatabaseLocation): Promise<ServingWriter> {
  const engine = await engineAt(location);
  return engine.countsHoldUp ? new CountThread(location) : engine.openCountWriter();
}

/**
 * A writer on a thread of its own: an embedded database waits for the disk, and for other writers, in a call
 * that lets nothing else run, and that must not be the thread that answers requests.
 */
class CountThread implements ServingWriter {
  readonly #worker = new AnsweringWorker(THREADS.count);
  readonly hooks: HookQueue = {
    take: async (wanted) => (await this.#askQueue({ take: wanted })) as TakenDelivery[],
    settle: async (settlement) => void (await this.#askQueue({ settle: settlement })),
    sweep: async () => void (await this.#askQueue({ sweep: true })),
    numbers: async () => (await this.#askQueue({ numbers: true })) as HookNumbers,
  };

  readonly previews: PreviewWriter = {
    keep: async (preview) => void (await this.#worker.ask({ keepPreview: preview } satisfies CountMessage)),
  };
  readonly renditions: RenditionWriter = {
    keep: async (made) => void (await this.#worker.ask({ keepRenditions: made } satisfies CountMessage)),
  };

  /** Serving need not wait for the thread: it opens the database while the first requests come in. */
  constructor(location: DatabaseLocation) {
    this.#worker.tell({ open: location } satisfies CountMessage);
  }

  async write(batch: CountBatch): Promise<void> {
    // As one text: cloning hundreds of small objects into another thread costs ten times as much.
    await this.#worker.ask({ write: JSON.stringify(batch) } satisfies CountMessage);
  }

  async meet(instance: string): Promise<number> {
    return (await this.#worker.ask({ meet: instance } satisfies CountMessage)) as number;
  }

  async expiringKeys(withinMs: number): Promise<number> {
    return (await this.#worker.ask({ expiringKeys: withinMs } satisfies CountMessage)) as number;
  }

  #askQueue(hooks: QueueMessage): Promise<unknown> {
    return this.#worker.ask({ hooks } satisfies CountMessage);
  }

  async close(): Promise<void> {
    if (this.#worker.isAlive) await this.#worker.ask({ close: true } satisfies CountMessage);
    this.#worker.end();
  }
}

export type CountMessage =
  | { readonly open: DatabaseLocation }
  | { readonly write: string }
  | { readonly meet: string }
  | { readonly expiringKeys: number }
  | { readonly hooks: QueueMessage }
  | { readonly keepPreview: DrawnPreview }
  | { readonly keepRenditions: readonly MadeRendition[] }
  | { readonly close: true };

/** What is asked of the queue of announcements. */
export type QueueMessage =
  | { readonly take: Wanted }
  | { readonly settle: Settlement }
  | { readonly sweep: true }
  | { readonly numbers: true };
