/** An embedded store or limiter answers at once, one behind a network later. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** The same value, or a failure where it takes too long. What comes later is dropped. */
export function withDeadline<Value>(
  value: MaybePromise<Value>,
  milliseconds: number,
  late = () => new Error(`no answer within ${milliseconds} ms`),
): MaybePromise<Value> {
  if (!(value instanceof Promise)) return value;
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const timer = setTimeout(() => reject(late()), milliseconds);
  value.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
