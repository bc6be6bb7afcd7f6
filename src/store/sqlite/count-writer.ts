import type { CountBatch } from "../count-writer.ts";
import { faultOf } from "../faults.ts";
import type { HookQueue, ServingWriter } from "../hook-queue.ts";
import type { PreviewWriter } from "../preview-writer.ts";
import type { RenditionWriter } from "../rendition-writer.ts";
import { CountConnection } from "./count-connection.ts";
import { FollowedFile, LOOK_MS } from "./followed-file.ts";

/** How often what was committed, by any process, is moved from the log to its place. */
const SETTLE_MS = 5000;

/** Counts in the file that is at a path, and keeps its queue of announcements, also when that becomes another one. */
export class SqliteCountWriter implements ServingWriter {
  readonly hooks: HookQueue = {
    take: (wanted) => this.#use(({ hooks }) => hooks.take(wanted)),
    settle: (settlement) => this.#use(({ hooks }) => hooks.settle(settlement)),
    sweep: () => this.#use(({ hooks }) => hooks.sweep()),
    numbers: () => this.#use(({ hooks }) => hooks.numbers()),
  };
  readonly previews: PreviewWriter = {
    keep: (preview) => this.#use((counting) => counting.keepPreview(preview)),
  };
  readonly renditions: RenditionWriter = {
    keep: (renditions) => this.#use((counting) => counting.keepRenditions(renditions)),
  };
  readonly #file: FollowedFile<CountConnection>;
  readonly #timers: readonly ReturnType<typeof setInterval>[];
  #instance: string | undefined;

  constructor(file: string, { settleMs = SETTLE_MS, now = Date.now } = {}) {
    this.#file = new FollowedFile(file, () => new CountConnection(file, now));
    this.#timers = [
      setInterval(() => this.#file.look(), LOOK_MS),
      setInterval(() => this.#settle(), settleMs),
    ];
  }

  write(batch: CountBatch): void {
    this.#use((counting) => counting.write(batch));
  }

  meet(instance: string): number {
    const others = this.#use((counting) => counting.meet(instance, Date.now()));
    this.#instance = instance;
    return others;
  }

  expiringKeys(withinMs: number): number {
    const now = Date.now();
    return this.#use((counting) => counting.expiringKeys(now, now + withinMs));
  }

  #use<Result>(work: (counting: CountConnection) => Result): Result {
    this.#file.look();
    try {
      return work(this.#file.connection);
    } catch (error) {
      if (faultOf(error) !== "locked") this.#file.doubt();
      throw error;
    }
  }

  #settle(): void {
    this.#file.look();
    try {
      this.#file.connection.settle();
    } catch {
      // The next write tells of a disk that fails, and until then nothing is lost.
    }
  }

  #forgetInstance(): void {
    const instance = this.#instance;
    if (instance === undefined) return;
    try {
      this.#use((counting) => counting.forget(instance));
    } catch {
      // The note is forgotten by the others, when it has become old.
    }
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#forgetInstance();
    this.#file.close();
  }
}
