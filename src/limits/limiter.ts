import type { MaybePromise } from "../maybe-promise.ts";

/** Where a caller stands with an endpoint after a request. */
export interface Standing {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the oldest counted request leaves the window and makes room for one more. */
  readonly resetSeconds: number;
}

/**
 * Counts requests per user and endpoint, exactly: never more than the limit in any window. A refused request
 * is not counted.
 */
export interface Limiter {
  take(userNumber: number, endpoint: number, limit: number): MaybePromise<Standing>;
}

/** Whether counts are shared with other instances, or are a process's own. */
export type LimiterState = "shared" | "own";

/** A limiter with what it takes to run one. */
export interface RunningLimiter extends Limiter {
  readonly state: LimiterState;
  /** How often it had to begin counting by itself since the start. */
  readonly fallbacks: number;
  close(): void;
}
