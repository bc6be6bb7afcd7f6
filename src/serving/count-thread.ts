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
    take: async (wanted) => (await this.#ask({ takeDeliveries: wanted })) as TakenDelivery[],
    settle: async (settlement) => void (await this.#ask({ settleDelivery: settlement })),
    sweep: async () => void (await this.#ask({ sweepDeliveries: true })),
    numbers: async () => (await this.#ask({ countHooks: true })) as HookNumbers,
  };

  readonly previews: PreviewWriter = {
    keep: async (preview) => void (await this.#ask({ keepPreview: preview })),
  };
  readonly renditions: RenditionWriter = {
    keep: async (made) => void (await this.#ask({ keepRenditions: made })),
  };

  /** Serving need not wait for the thread: it opens the database while the first requests come in. */
  constructor(location: DatabaseLocation) {
    this.#worker.tell({ open: location } satisfies CountMessage);
  }

  async write(batch: CountBatch): Promise<void> {
    // As one text: cloning hundreds of small objects into another thread costs ten times as much.
    await this.#ask({ write: JSON.stringify(batch) });
  }

  async meet(instance: string): Promise<number> {
    return (await this.#ask({ meet: instance })) as number;
  }

  async expiringKeys(withinMs: number): Promise<number> {
    return (await this.#ask({ expiringKeys: withinMs })) as number;
  }

  #ask(message: CountMessage): Promise<unknown> {
    return this.#worker.ask(message);
  }

  async close(): Promise<void> {
    if (this.#worker.isAlive) await this.#ask({ close: true });
    this.#worker.end();
  }
}

export type CountMessage =
  | { readonly open: DatabaseLocation }
  | { readonly write: string }
  | { readonly meet: string }
  | { readonly expiringKeys: number }
  | { readonly takeDeliveries: Wanted }
  | { readonly settleDelivery: Settlement }
  | { readonly sweepDeliveries: true }
  | { readonly countHooks: true }
  | { readonly keepPreview: DrawnPreview }
  | { readonly keepRenditions: readonly MadeRendition[] }
  | { readonly close: true };
