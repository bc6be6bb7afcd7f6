/** An embedded store or limiter answers at once, one behind a network later. */
export type MaybePromise<Value> = Value | Promise<Value>;
