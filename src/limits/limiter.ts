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
