import type { MaybePromise } from "../async/maybe-promise.ts";
import type { Log } from "../logging/log.ts";
import type { CountWriter } from "../store/count-writer.ts";
import { Batch, type Counter } from "./batch.ts";

/** The longest a visitor waits for a commit. */
export const MAX_WAIT_MS = 250;

/** The time for which a transaction gathers before it is written. */
const GATHER_MS = 1;

/** How often what is not urgent is written, and what could not be written is tried again. */
const INTERVAL_MS = 250;

/** How long a stop goes on trying to write what is waiting. Another writer's transaction is mostly over by then. */
export const STOP_MS = 10_000;

/** The most counters, and the most keys, that wait: a few megabytes. */
export const MAX_ENTRIES = 50_000;

/** A view or a click of this moment. Whether its visitor is still there shows when the moment is over. */
interface Latest {
  readonly counter: Counter;
  readonly isGone: () => boolean;
}

type BatchWriter = Pick<CountWriter, "write" | "close">;

/** Visitors of the same moment, who wait together: for the commit, or until the longest wait is over. */
class Wave {
  readonly #done = Promise.withResolvers<void>();
  readonly #timer = setTimeout(this.#done.resolve, MAX_WAIT_MS);
  readonly promise = this.#done.promise;

  end(): void {
    clearTimeout(this.#timer);
    this.#done.resolve();
  }
}

/** Thrown where a stop could not write views and clicks that visitors had been answered for. */
export class CountsLost extends Error {
  override readonly name = "CountsLost";

  constructor(events: number) {
    super(`${events} of the views and clicks could not be written, and were lost`);
  }
}

/** What has become of views and clicks since the start. */
interface CommitNumbers {
  committed: number;
  dropped: number;
  transactions: number;
  failures: number;
}

/**
 * Writes what happens at about the same time in one transaction. While one is being written, the next one
 * gathers; so an idle server commits almost at once, and a busy one seldom.
 */
export class GroupCommit {
  readonly numbers: CommitNumbers = { committed: 0, dropped: 0, transactions: 0, failures: 0 };
  readonly #writer: BatchWriter;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #maxEntries: number;
  readonly #stopMs: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #gathering: Batch;
  #latest: Latest[] = [];
  #waves: Wave[] = [];
  #openWave: Wave | undefined;
  #underWay: Promise<void> | undefined;
  #scheduled = false;
  #failing = false;
  #dropping = false;

  constructor(
    writer: BatchWriter,
    log: Log,
    {
      now = Date.now,
      maxEntries = MAX_ENTRIES,
      stopMs = STOP_MS,
    }: { now?: () => number; maxEntries?: number; stopMs?: number } = {},
  ) {
    this.#writer = writer;
    this.#log = log;
    this.#now = now;
    this.#maxEntries = maxEntries;
    this.#stopMs = stopMs;
    this.#gathering = new Batch(maxEntries);
    this.#timer = setInterval(() => {
      this.#takeLatest();
      void this.flush();
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /**
   * Adds one to a counter, unless the visitor turns out to be gone. What it returns is over when that is committed, or
   * when waiting must end.
   */
  count(counter: Counter, isGone?: () => boolean): MaybePromise<void> {
    if (isGone) this.#latest.push({ counter, isGone });
    else if (!this.#gathering.add(counter)) {
      this.#drop(1);
      return;
    }
    // Nobody waits for a store that is away: the interval tries again, and the visitor is served now.
    if (this.#failing) return;
    this.#schedule();
    if (!this.#openWave) {
      this.#openWave = new Wave();
      this.#waves.push(this.#openWave);
    }
    return this.#openWave.promise;
  }

  /** Notes that a key was in use. It can wait for the next transaction. */
  noteKey(id: string): void {
    this.#gathering.addKey(id);
  }

  /** By a timer, and so in another turn of the event loop than the visits that it takes. */
  #takeLatest(): void {
    for (const { counter, isGone } of this.#latest.splice(0))
      if (!isGone() && !this.#gathering.add(counter)) this.#drop(1);
  }

  /** In a moment, so that what happens at the same time is in. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setTimeout(() => {
      this.#scheduled = false;
      this.#openWave = undefined;
      this.flush();
    }, GATHER_MS);
  }

  /** Writes what is waiting. A caller that asks while that is under way waits for the same. */
  flush(): Promise<void> {
    this.#underWay ??= this.#commitAndRelease();
    return this.#underWay;
  }

  async #commitAndRelease(): Promise<void> {
    const waves = await this.#commit();
    // Cleared first: a visitor that goes on now may ask for the next transaction.
    this.#underWay = undefined;
    for (const wave of waves) wave.end();
    if (this.#waves.length > 0) this.#schedule();
  }

  /** Returns those who need wait no longer. */
  async #commit(): Promise<readonly Wave[]> {
    this.#takeLatest();
    const [batch, waves] = [this.#gathering, this.#waves];
    this.#waves = [];
    this.#openWave = undefined;
    if (batch.isEmpty) return waves;
    this.#gathering = new Batch(this.#maxEntries);
    try {
      await this.#writer.write(batch.plain(this.#now()));
      this.numbers.transactions++;
      this.numbers.committed += batch.events;
      this.#recover();
    } catch (error) {
      this.numbers.failures++;
      this.#fail(error);
      const lost = this.#gathering.takeBack(batch);
      if (lost > 0) this.#drop(lost);
    }
    return waves;
  }

  #fail(error: unknown): void {
    if (!this.#failing)
      this.#log.warn("views and clicks cannot be written for now; they wait", { reason: String(error) });
    this.#failing = true;
    // Visitors that came while it failed are served as well.
    for (const wave of this.#waves.splice(0)) wave.end();
    this.#openWave = undefined;
  }

  #recover(): void {
    if (this.#failing)
      this.#log.info("views and clicks are written again", { dropped: this.numbers.dropped });
    this.#failing = false;
    this.#dropping = false;
  }

  #drop(events: number): void {
    this.numbers.dropped += events;
    if (!this.#dropping) this.#log.warn("too many views and clicks are waiting; some are not counted");
    this.#dropping = true;
  }

  /** Whether the last transaction failed, so that what is counted waits. */
  get isFailing(): boolean {
    return this.#failing;
  }

  /**
   * Writes all that is left, and goes on trying for some seconds where that fails. What cannot be written even then
   * is lost: the log says how much that was, and `CountsLost` is thrown.
   */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const deadline = performance.now() + this.#stopMs;
    await this.flush();
    while (this.#latest.length > 0 || !this.#gathering.isEmpty) {
      if (this.#failing) {
        // The last use of keys is not worth a wait.
        if (this.#gathering.events === 0 || performance.now() > deadline) break;
        await Bun.sleep(INTERVAL_MS);
      }
      await this.flush();
    }
    const lost = this.#gathering.events;
    if (lost > 0) this.#log.error("views and clicks were lost", { events: lost });
    await this.#writer.close();
    if (lost > 0) throw new CountsLost(lost);
  }
}
