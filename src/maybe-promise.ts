/** An embedded store answers at once, a server later. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Goes on with a value as soon as it is there: right away where it can, without the cost of a promise. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Runs work that may fail now or later, and turns either failure into a result. */
export function orElse<Result>(
  work: () => MaybePromise<Result>,
  recover: (error: unknown) => Result,
): MaybePromise<Result> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
