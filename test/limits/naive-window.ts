import type { Standing } from "../../src/limits/limiter.ts";

/** A sliding window as one would first write it: every caller's accepted times in a list. */
export class NaiveWindow {
  readonly #windowMs: number;
  readonly #accepted = new Map<string, number[]>();

  constructor(windowSeconds: number) {
    this.#windowMs = windowSeconds * 1000;
  }

  take(userNumber: number, endpoint: string, limit: number, now: number): Standing {
    const caller = `${userNumber} ${endpoint}`;
    const counted = (this.#accepted.get(caller) ?? []).filter((time) => now - time < this.#windowMs);
    const allowed = counted.length < limit;
    if (allowed) counted.push(now);
    this.#accepted.set(caller, counted);
    const oldest = counted[0] ?? now;
    return {
      allowed,
      remaining: limit - counted.length,
      resetSeconds: Math.ceil((oldest + this.#windowMs - now) / 1000),
    };
  }

  /** How many requests count at a time. */
  sizeAt(now: number): number {
    return this.#accepted
      .values()
      .map((times) => times.filter((time) => now - time < this.#windowMs).length)
      .reduce((sum, count) => sum + count, 0);
  }
}
