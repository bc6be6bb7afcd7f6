import type { Log } from "../logging/log.ts";
import type { KeyUseWriter } from "../store/reader.ts";

/** A key's last use is kept to the hour: at most one write per key in this time. */
const GRANULARITY_MS = 60 * 60 * 1000;
const FLUSH_INTERVAL_MS = 250;
const MOST_PER_FLUSH = 1000;

/** Gathers the keys in use and notes them together, beside the requests and not within them. */
export class KeyUse {
  readonly #writer: KeyUseWriter;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #waiting = new Set<string>();
  readonly #timer: ReturnType<typeof setInterval>;
  #failing = false;
  #underWay: Promise<void> | undefined;

  constructor(writer: KeyUseWriter, log: Log, now: () => number = Date.now) {
    this.#writer = writer;
    this.#log = log;
    this.#now = now;
    this.#timer = setInterval(() => this.flush(), FLUSH_INTERVAL_MS);
    this.#timer.unref();
  }

  note(keyId: string, lastUsedAt: number | null): void {
    if (lastUsedAt === null || this.#now() - lastUsedAt >= GRANULARITY_MS) this.#waiting.add(keyId);
  }

  /** Writes a part of what is waiting; whoever asks while that is under way waits for the same. */
  flush(): Promise<void> {
    this.#underWay ??= this.#writeSome().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  /** A failure is no reason to bother a caller: the keys wait for the next time, and the log says so once. */
  async #writeSome(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const ids = this.#waiting.values().take(MOST_PER_FLUSH).toArray();
    try {
      await this.#writer.touch(ids, this.#now());
      for (const id of ids) this.#waiting.delete(id);
      if (this.#failing) this.#log.info("the last use of keys is noted again");
      this.#failing = false;
    } catch (error) {
      if (!this.#failing)
        this.#log.warn("the last use of keys cannot be noted for now", { reason: String(error) });
      this.#failing = true;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    do await this.flush();
    while (this.#waiting.size > 0 && !this.#failing);
    await this.#writer.close();
  }
}
