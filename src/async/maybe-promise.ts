/** An embedded store or limiter answers at once, one behind a network later. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** A timer that is so late tells of a process that stood still itself, as after Ctrl+Z. */
const STOOD_STILL_MS = 100;

/**
 * The same value, or a failure where it takes too long. What comes later is dropped. While the process itself stood
 * still, nobody waited: what came meanwhile is still to be read, so the time begins anew. It does so once, since there
 * are machines on which every timer is late.
 */
export function withDeadline<Value>(
  value: MaybePromise<Value>,
  milliseconds: number,
  late = () => new Error(`no answer within ${milliseconds} ms`),
): MaybePromise<Value> {
  if (!(value instanceof Promise)) return value;
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  let timer: ReturnType<typeof setTimeout>;
  const wait = (mayBeginAnew: boolean) => {
    const end = performance.now() + milliseconds;
    timer = setTimeout(() => {
      if (mayBeginAnew && performance.now() > end + STOOD_STILL_MS) wait(false);
      else reject(late());
    }, milliseconds);
  };
  wait(true);
  value.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
