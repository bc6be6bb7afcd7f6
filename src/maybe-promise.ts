/** An embedded store or limiter answers at once, one behind a network later. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Goes on with a value as soon as it is there: right away where it can, without the cost of a promise. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
