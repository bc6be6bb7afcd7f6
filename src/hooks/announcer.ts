import { Pauses } from "../async/pauses.ts";
import type { Log } from "../logging/log.ts";
import type { HookNumbers, HookQueue, TakenDelivery, Wanted } from "../store/hook-queue.ts";
import { messageFor } from "./message.ts";
import { type PostOptions, post } from "./post.ts";
import { settlementOf } from "./schedule.ts";

/** How often it is looked for what is due. */
const LOOK_MS = 1000;

/** How often it is looked for keys that expire soon. */
const SWEEP_MS = 60_000;

/** Before a database that fails is asked again. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;

/** How many messages are under way at a time. */
const MAX_UNDER_WAY = 4;

/** How many of these are one user's: receivers that hang hold up nobody else's. */
const MAX_OF_USER = 2;

/** How long a stop waits for the messages that are under way. */
const STOP_MS = 5000;

interface AnnouncerOptions extends Pick<PostOptions, "allowPrivate" | "ca"> {
  /** How long changes wait for others to join them. */
  readonly delayMs: number;
  readonly lookMs?: number;
}

/** How tries have ended since the process began. */
interface Tries {
  delivered: number;
  failed: number;
}

/**
 * Delivers what is to be announced, beside the requests of a server. Several servers may do it on one database: each
 * delivery is held by one of them, and what a killed one held is taken over.
 */
export class Announcer {
  readonly #queue: HookQueue;
  readonly #log: Log;
  readonly #options: AnnouncerOptions;
  /** By whose they are. */
  readonly #underWay = new Map<Promise<void>, string>();
  readonly #stopping = new AbortController();
  readonly #timers: readonly ReturnType<typeof setInterval>[];
  readonly #pauses = new Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  readonly tries: Tries = { delivered: 0, failed: 0 };
  #looking: Promise<void> | undefined;
  #isClosed = false;
  #isFailing = false;
  #pausedUntil = 0;

  constructor(queue: HookQueue, log: Log, options: AnnouncerOptions) {
    this.#queue = queue;
    this.#log = log;
    this.#options = options;
    this.#timers = [
      setInterval(() => this.#look(), options.lookMs ?? LOOK_MS),
      setInterval(() => void this.#try(() => this.#queue.sweep()), SWEEP_MS),
    ];
    for (const timer of this.#timers) timer.unref();
    void this.#try(() => this.#queue.sweep());
    this.#look();
  }

  /** Nothing where the database does not tell. */
  async numbers(): Promise<HookNumbers | undefined> {
    try {
      return await this.#queue.numbers();
    } catch {
      return undefined;
    }
  }

  #look(): void {
    if (this.#isClosed || this.#underWay.size >= MAX_UNDER_WAY || performance.now() < this.#pausedUntil)
      return;
    this.#looking ??= this.#take().finally(() => {
      this.#looking = undefined;
    });
  }

  async #take(): Promise<void> {
    const most = MAX_UNDER_WAY - this.#underWay.size;
    const wanted: Wanted = {
      most,
      mostOfUser: MAX_OF_USER,
      exceptOf: [...new Set(this.#underWay.values())],
      delayMs: this.#options.delayMs,
    };
    const taken = await this.#try(() => this.#queue.take(wanted));
    if (taken) this.#pauses.startAgain();
    else this.#pausedUntil = performance.now() + this.#pauses.next();
    for (const delivery of taken ?? []) this.#begin(delivery);
  }

  #begin(delivery: TakenDelivery): void {
    const delivering = this.#deliver(delivery).finally(() => {
      this.#underWay.delete(delivering);
      // There may be more than could be taken.
      this.#look();
    });
    this.#underWay.set(delivering, delivery.userId);
  }

  async #deliver(delivery: TakenDelivery): Promise<void> {
    const { allowPrivate, ca } = this.#options;
    const { signal } = this.#stopping;
    const { id, hookId, attempt } = delivery;
    try {
      const options = { allowPrivate, signal, ...(ca !== undefined && { ca }) };
      const answer = await post(messageFor(delivery, Date.now()), options);
      const settlement = settlementOf(delivery, answer);
      this.tries[settlement.state === "delivered" ? "delivered" : "failed"]++;
      await this.#try(() => this.#queue.settle(settlement));
      const { state, status, fault } = settlement;
      const fields = { hookId, deliveryId: id, attempt, status, fault };
      if (settlement.disables) this.#log.warn("a hook is disabled: its receiver is gone for good", fields);
      else if (state === "failed") this.#log.warn("a hook is failing: a delivery was given up", fields);
      else this.#log.info(state === "delivered" ? "delivered to a hook" : "a delivery failed", fields);
    } catch (error) {
      // Stopped in the middle of it: the lease ends by itself, and another server goes on.
      if (!signal.aborted) this.#log.error("a delivery broke off", { hookId, reason: (error as Error).name });
    }
  }

  /** The database may be away. What is not written now is done again when its lease ends. */
  async #try<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      if (this.#isFailing) this.#log.info("changes are announced again");
      this.#isFailing = false;
      return result;
    } catch (error) {
      if (!this.#isFailing && !this.#isClosed)
        this.#log.warn("changes cannot be announced for now", { reason: (error as Error).message });
      this.#isFailing = true;
      return undefined;
    }
  }

  /** Begins nothing more, and gives what is under way some time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
    const late = setTimeout(() => this.#stopping.abort(), STOP_MS);
    await Promise.all(this.#underWay.keys());
    clearTimeout(late);
  }
}
