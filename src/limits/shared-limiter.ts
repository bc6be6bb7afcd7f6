import { type MaybePromise, withDeadline } from "../async/maybe-promise.ts";
import { WaitingRoom } from "../async/waiting-room.ts";
import type { Log } from "../logging/log.ts";
import type { Limiter, Standing } from "./limiter.ts";
import { LocalLimiter } from "./local-limiter.ts";
import { RedisWindow } from "./redis-window.ts";

const TICK_MS = 10;
const MAX_TICKS = 5;

/** The longest that a request waits for Redis. */
export const MAX_WAIT_MS = TICK_MS * MAX_TICKS;

/** The longest that the first answer on a new connection may take. */
const MAX_FIRST_WAIT_MS = 500;

/** Less than the shortest time after which Redis (its `timeout`) or a firewall commonly ends what nobody uses. */
const IN_USE_MS = 30_000;

const PATIENCE = {
  tickMs: TICK_MS,
  maxTicks: MAX_TICKS,
  firstPauseMs: 100,
  maxPauseMs: 2000,
  goodMs: 10_000,
};

interface Asked {
  readonly how: "take" | "look";
  readonly userNumber: number;
  readonly endpoint: string;
  readonly limit: number;
  readonly answer: (standing: Standing) => void;
}

/**
 * Counts in Redis together with all other instances. When Redis is slow or away this one counts by itself, because
 * a service that refuses everybody is worse than one that lets some in too often; and it tries to get Redis back.
 * What Redis lets in is counted here as well, so that counting by itself does not begin at zero. For a window after
 * Redis is back both counts hold, since Redis does not know what was let in without it.
 */
export class SharedLimiter implements Limiter {
  readonly #url: string;
  readonly #windowSeconds: number;
  readonly #local: LocalLimiter;
  readonly #room: WaitingRoom<RedisWindow, Asked>;
  readonly #inUse: ReturnType<typeof setInterval>;
  #fallbacks = 0;
  /** Until when Redis may lack what was let in without it. */
  #apartUntil = 0;

  private constructor(
    url: string,
    endpoints: readonly string[],
    windowSeconds: number,
    log: Log,
    inUseMs: number,
  ) {
    this.#url = url;
    this.#windowSeconds = windowSeconds;
    this.#local = new LocalLimiter(endpoints, windowSeconds);
    this.#room = new WaitingRoom(
      {
        connect: () => this.#connect(),
        disconnect: (redis) => redis.close(),
        onLate: (reason) => this.#fallBack(this.#room.connection, reason),
        onAway: ({ message: reason }) =>
          log.warn("Redis is away; limits are counted by this process alone for now", { reason }),
        onConnected: (_, wasAway) => {
          if (!wasAway) return;
          this.#apartUntil = performance.now() + windowSeconds * 1000;
          log.info("limits are counted in Redis again");
        },
      },
      PATIENCE,
    );
    // Nobody waits for this answer. Where there is none, the next request finds out.
    this.#inUse = setInterval(() => void this.#room.connection?.stayInUse().catch(() => {}), inUseMs);
    this.#inUse.unref();
  }

  /** Tries to connect once. Without Redis it begins by counting by itself. Only tests say how often it is used. */
  static async open(
    url: string,
    endpoints: readonly string[],
    windowSeconds: number,
    log: Log,
    inUseMs = IN_USE_MS,
  ): Promise<SharedLimiter> {
    const limiter = new SharedLimiter(url, endpoints, windowSeconds, log, inUseMs);
    await limiter.#room.connect();
    if (!limiter.isShared) limiter.#room.goAway();
    return limiter;
  }

  get isShared(): boolean {
    return this.#room.connection !== undefined;
  }

  get fallbacks(): number {
    return this.#fallbacks;
  }

  take(userNumber: number, endpoint: string, limit: number): MaybePromise<Standing> {
    return this.#ask("take", userNumber, endpoint, limit);
  }

  look(userNumber: number, endpoint: string, limit: number): MaybePromise<Standing> {
    return this.#ask("look", userNumber, endpoint, limit);
  }

  #ask(how: Asked["how"], userNumber: number, endpoint: string, limit: number): MaybePromise<Standing> {
    const redis = this.#room.connection;
    if (!redis) return this.#local[how](userNumber, endpoint, limit);
    if (this.#isApart) {
      const standing = this.#local.look(userNumber, endpoint, limit);
      if (!standing.allowed) return standing;
    }
    return new Promise((answer) => {
      const asked: Asked = { how, userNumber, endpoint, limit, answer };
      this.#room.enter(asked);
      redis[how](userNumber, endpoint, limit).then(
        (standing) => {
          // A request that has waited too long was answered without Redis.
          if (!this.#room.answered(asked)) return;
          answer(standing.allowed ? this.#standingHere(asked, standing) : standing);
        },
        (error: Error) => this.#fallBack(redis, error),
      );
    });
  }

  get #isApart(): boolean {
    return performance.now() < this.#apartUntil;
  }

  /** Counts here, too, what Redis has let in, and tells the narrower of the two counts. */
  #standingHere({ how, userNumber, endpoint, limit }: Asked, standing: Standing): Standing {
    const own = this.#local[how](userNumber, endpoint, this.#isApart ? limit : Number.POSITIVE_INFINITY);
    return own.allowed && own.remaining >= standing.remaining ? standing : own;
  }

  /** One late or failed answer is enough, so that no other request waits in vain. */
  #fallBack(redis: RedisWindow | undefined, reason: Error): void {
    if (!redis || !this.#room.lose(redis, reason)) return;
    this.#fallbacks++;
    this.#room.goAway();
    this.#room.connectLater();
    for (const { how, userNumber, endpoint, limit, answer } of this.#room.takeAll()) {
      answer(this.#local[how](userNumber, endpoint, limit));
    }
  }

  async #connect(): Promise<RedisWindow> {
    let redis: RedisWindow | undefined;
    try {
      redis = await RedisWindow.connect(this.#url, this.#windowSeconds, {
        onClose: () => this.#fallBack(redis, new Error("the connection ended")),
      });
      // The first answer may take longer: Redis reads the script, and this process may have only just begun.
      await withDeadline(redis.probe(), MAX_FIRST_WAIT_MS);
      await withDeadline(redis.probe(), MAX_WAIT_MS);
      return redis;
    } catch (error) {
      redis?.close();
      throw error;
    }
  }

  close(): void {
    clearInterval(this.#inUse);
    this.#local.close();
    void this.#room.close();
  }
}
