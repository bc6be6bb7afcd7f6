import type { MaybePromise } from "../async/maybe-promise.ts";

/** Where a caller stands with an endpoint. */
export interface Standing {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the oldest counted request leaves the window and makes room for one more. */
  readonly resetSeconds: number;
}

/**
 * Counts requests per user and endpoint, exactly: never more than the limit in any window. A refused request
 * is not counted. An endpoint is known by its name.
 */
export interface SlidingWindow {
  take(userNumber: number, endpoint: string, limit: number): MaybePromise<Standing>;
  /** Tells where a caller stands, and whether a request would be let in, without counting one. */
  look(userNumber: number, endpoint: string, limit: number): MaybePromise<Standing>;
}

/** A sliding window with what it takes to run one. */
export interface Limiter extends SlidingWindow {
  /** Whether requests are counted together with other processes at present. */
  readonly isShared: boolean;
  /** How often it had to begin counting by itself since the start. */
  readonly fallbacks: number;
  close(): void;
}
