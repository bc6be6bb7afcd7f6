import { StoreUnavailable } from "../store/unavailable.ts";

/**
 * From when on a person is told that the database is waited for, and the longest that it may take over one step. A
 * batch takes a second, and another writer's lock ten.
 */
const PATIENCE = { tellMs: 2000, maxMs: 60_000, tickMs: 1000 };

export type OnWaiting = (seconds: number) => void;

/** Waits for a step of the database, and says so where it takes long; a database that stands still is given up. */
export async function answered<Answer>(
  step: Promise<Answer>,
  onWaiting: OnWaiting,
  { tellMs, maxMs, tickMs } = PATIENCE,
): Promise<Answer> {
  let lookedAt = performance.now();
  let waitedMs = 0;
  const late = Promise.withResolvers<never>();
  const watch = setInterval(() => {
    const now = performance.now();
    // While the process itself stood still, as after Ctrl+Z, nobody waited for the database.
    waitedMs += Math.min(now - lookedAt, 2 * tickMs);
    lookedAt = now;
    if (waitedMs >= maxMs)
      late.reject(new StoreUnavailable(`the database gave no answer within ${maxMs / 1000} s`));
    else if (waitedMs >= tellMs) onWaiting(Math.floor(waitedMs / 1000));
  }, tickMs);
  try {
    return await Promise.race([step, late.promise]);
  } finally {
    clearInterval(watch);
  }
}
