import type { LimiterState, RunningLimiter } from "./limiter.ts";
import { MemoryLimiter } from "./memory.ts";

const SWEEP_MS = 1000;

/** Counts in this process, and gives back the memory of callers that went quiet. */
export class OwnLimiter extends MemoryLimiter implements RunningLimiter {
  readonly state: LimiterState = "own";
  readonly fallbacks = 0;
  readonly #sweeper = setInterval(() => this.sweep(), SWEEP_MS);

  close(): void {
    clearInterval(this.#sweeper);
  }
}
