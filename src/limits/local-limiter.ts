import type { Limiter } from "./limiter.ts";
import { MemoryWindow } from "./memory-window.ts";

const SWEEP_MS = 1000;

/** Counts in this process alone, and gives back the memory of callers that went quiet. */
export class LocalLimiter extends MemoryWindow implements Limiter {
  readonly isShared = false;
  readonly fallbacks = 0;
  readonly #sweeper = setInterval(() => this.sweep(), SWEEP_MS);

  close(): void {
    clearInterval(this.#sweeper);
  }
}
