import type { Log } from "../logging/log.ts";
import { type MaybePromise, withDeadline } from "../maybe-promise.ts";
import { Pauses } from "../pauses.ts";
import type { LimiterState, RunningLimiter, Standing } from "./limiter.ts";
import { OwnLimiter } from "./own.ts";
import { RedisLimiter } from "./redis.ts";

/**
 * So long a request waits for Redis: five ticks of ten milliseconds. They are counted and not measured, because a
 * moment in which this process itself stood still is not Redis's.
 */
const TICK_MS = 10;
const MOST_TICKS = 5;
export const MOST_WAIT_MS = TICK_MS * MOST_TICKS;

const FIRST_WAIT_MS = 500;

/** Between attempts to get Redis back. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** A connection that lasted this long was a good one, and the next pause is a short one again. */
const GOOD_MS = 10_000;

interface Waiting {
  readonly userNumber: number;
  readonly endpoint: number;
  readonly limit: number;
  readonly since: number;
  readonly answer: (standing: Standing) => void;
}

/**
 * Counts in Redis together with all other instances. When Redis is slow or away this one counts by itself, because
 * a service that refuses everybody is worse than one that lets some in too often; and it tries to get Redis back.
 * What Redis lets in is counted here as well, so that counting by itself does not begin at nought.
 */
export class SharedLimiter implements RunningLimiter {
  readonly #url: string;
  readonly #windowSeconds: number;
  readonly #log: Log;
  readonly #own: OwnLimiter;
  /** In the order in which they were asked, so that the first has waited longest. */
  readonly #waiting = new Set<Waiting>();
  #redis: RedisLimiter | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #ticks = 0;
  #sharedSince = 0;
  readonly #pauses = new Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #retry: ReturnType<typeof setTimeout> | undefined;
  #saidAway = false;
  #closed = false;
  #fallbacks = 0;

  private constructor(url: string, windowSeconds: number, log: Log) {
    this.#url = url;
    this.#windowSeconds = windowSeconds;
    this.#log = log;
    this.#own = new OwnLimiter(windowSeconds);
  }

  /** Tries to connect once. Without Redis it begins by counting by itself. */
  static async open(url: string, windowSeconds: number, log: Log): Promise<SharedLimiter> {
    const limiter = new SharedLimiter(url, windowSeconds, log);
    await limiter.#connect();
    return limiter;
  }

  get state(): LimiterState {
    return this.#redis ? "shared" : "own";
  }

  get fallbacks(): number {
    return this.#fallbacks;
  }

  take(userNumber: number, endpoint: number, limit: number): MaybePromise<Standing> {
    const redis = this.#redis;
    if (!redis) return this.#own.take(userNumber, endpoint, limit);
    return new Promise((answer) => {
      const waiting: Waiting = { userNumber, endpoint, limit, since: this.#ticks, answer };
      this.#waiting.add(waiting);
      this.#ticker ??= setInterval(this.#tick, TICK_MS);
      redis.take(userNumber, endpoint, limit).then(
        (standing) => {
          // Who has waited too long was answered without Redis.
          if (!this.#waiting.delete(waiting)) return;
          if (standing.allowed) this.#own.take(userNumber, endpoint, Number.POSITIVE_INFINITY);
          answer(standing);
        },
        (error: Error) => this.#fallBack(redis, error.message),
      );
    });
  }

  readonly #tick = (): void => {
    this.#ticks++;
    const [oldest] = this.#waiting;
    if (oldest === undefined) this.#stopTicking();
    else if (this.#redis && this.#ticks - oldest.since > MOST_TICKS) {
      this.#fallBack(this.#redis, `no answer within ${MOST_WAIT_MS} ms`);
    }
  };

  #stopTicking(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  /** One late or failed answer is enough, so that no other request waits in vain. */
  #fallBack(redis: RedisLimiter, reason: string): void {
    if (redis !== this.#redis) return;
    this.#redis = undefined;
    this.#fallbacks++;
    redis.close();
    this.#stopTicking();
    if (performance.now() - this.#sharedSince > GOOD_MS) this.#pauses.startAgain();
    this.#sayAway(reason);
    this.#tryLater();
    for (const { userNumber, endpoint, limit, answer } of this.#waiting) {
      answer(this.#own.take(userNumber, endpoint, limit));
    }
    this.#waiting.clear();
  }

  #tryLater(): void {
    if (this.#closed) return;
    this.#retry = setTimeout(() => void this.#connect(), this.#pauses.nextSpread());
    this.#retry.unref();
  }

  async #connect(): Promise<void> {
    let redis: RedisLimiter | undefined;
    try {
      redis = await RedisLimiter.connect(this.#url, this.#windowSeconds, {
        onClose: () => redis && this.#fallBack(redis, "the connection ended"),
      });
      // The first answer may take longer: Redis reads the script, and this process may have only just begun.
      await withDeadline(redis.probe(), FIRST_WAIT_MS);
      await withDeadline(redis.probe(), MOST_WAIT_MS);
    } catch (error) {
      redis?.close();
      this.#sayAway((error as Error).message);
      this.#tryLater();
      return;
    }
    if (this.#closed) {
      redis.close();
      return;
    }
    this.#redis = redis;
    this.#sharedSince = performance.now();
    if (this.#saidAway) this.#log.info("limits are counted in Redis again");
    this.#saidAway = false;
  }

  #sayAway(reason: string): void {
    if (this.#saidAway || this.#closed) return;
    this.#saidAway = true;
    this.#log.warn("Redis is away; limits are counted by this process alone for now", { reason });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#own.close();
    this.#stopTicking();
    this.#redis?.close();
    this.#redis = undefined;
  }
}
