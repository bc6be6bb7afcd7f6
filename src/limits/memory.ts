import type { Limiter, Standing } from "./limiter.ts";

/** Endpoints share one number space with users: this many of them at most. */
const MAX_ENDPOINTS = 16;
const SMALLEST_CAPACITY = 1024;
const NONE = -1;

/**
 * An exact sliding window in a few flat arrays. Every accepted request is an entry in a ring ordered by time;
 * entries of one caller form a circular chain whose newest entry is found through a hash table, so its next is
 * the oldest. Entries leave at the old end of the ring as they age, which keeps each chain's count exact.
 * Memory follows the requests of the last window and nothing else: not the users, not the limits.
 */
export class MemoryLimiter implements Limiter {
  readonly #windowMs: number;
  readonly #now: () => number;

  #capacity = 0;
  #oldest = 0;
  #size = 0;
  #times = new Float64Array(0);
  #callers = new Float64Array(0);
  /** The caller's next newer entry; of its newest entry, the oldest. */
  #next = new Uint32Array(0);
  /** How many entries the caller has. Kept at its newest entry only. */
  #counts = new Uint32Array(0);
  /** Hash table from caller to its newest entry, twice as long as the ring, probed linearly. */
  #newest = new Int32Array(0);

  /** `now` must never run backwards: a clock set by hand is not a measure of time. */
  constructor(windowSeconds: number, now: () => number = () => performance.now()) {
    this.#windowMs = windowSeconds * 1000;
    this.#now = now;
    this.#resize(SMALLEST_CAPACITY);
  }

  take(userNumber: number, endpoint: number, limit: number): Standing {
    const now = this.#now();
    this.#forgetBefore(now - this.#windowMs);

    const caller = userNumber * MAX_ENDPOINTS + endpoint;
    const slot = this.#slotOf(caller);
    const newest = this.#newest[slot] as number;
    const count = newest === NONE ? 0 : (this.#counts[newest] as number);
    const oldestTime = newest === NONE ? now : (this.#times[this.#next[newest] as number] as number);
    const allowed = count < limit;
    if (allowed) {
      const isFull = this.#size === this.#capacity;
      if (isFull) this.#resize(this.#capacity * 2);
      this.#append(caller, now, isFull ? this.#slotOf(caller) : slot);
    }
    return {
      allowed,
      remaining: allowed ? limit - count - 1 : 0,
      resetSeconds: Math.ceil((oldestTime + this.#windowMs - now) / 1000),
    };
  }

  /** Gives back the memory of callers that went quiet. Called now and then, so that no request pays for all. */
  sweep(): void {
    this.#forgetBefore(this.#now() - this.#windowMs);
    if (this.#capacity > SMALLEST_CAPACITY && this.#size <= this.#capacity / 4)
      this.#resize(this.#capacity / 2);
  }

  /** How many requests are counted at present. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#capacity * (8 + 8 + 4 + 4) + this.#newest.byteLength;
  }

  #append(caller: number, time: number, slot: number): void {
    const entry = (this.#oldest + this.#size) & (this.#capacity - 1);
    this.#size++;
    this.#times[entry] = time;
    this.#callers[entry] = caller;
    const before = this.#newest[slot] as number;
    if (before === NONE) {
      this.#next[entry] = entry;
      this.#counts[entry] = 1;
    } else {
      this.#next[entry] = this.#next[before] as number;
      this.#next[before] = entry;
      this.#counts[entry] = (this.#counts[before] as number) + 1;
    }
    this.#newest[slot] = entry;
  }

  /** An entry that is exactly a window old no longer counts. */
  #forgetBefore(horizon: number): void {
    while (this.#size > 0 && (this.#times[this.#oldest] as number) <= horizon) {
      const entry = this.#oldest;
      const slot = this.#slotOf(this.#callers[entry] as number);
      const newest = this.#newest[slot] as number;
      if (newest === entry) this.#vacate(slot);
      else {
        // The oldest entry of the ring is also the oldest of its caller.
        this.#next[newest] = this.#next[entry] as number;
        this.#counts[newest] = (this.#counts[newest] as number) - 1;
      }
      this.#oldest = (entry + 1) & (this.#capacity - 1);
      this.#size--;
    }
  }

  /** The slot that holds a caller, or the empty one where it belongs. */
  #slotOf(caller: number): number {
    const mask = this.#newest.length - 1;
    let slot = hash(caller) & mask;
    for (;;) {
      const entry = this.#newest[slot] as number;
      if (entry === NONE || this.#callers[entry] === caller) return slot;
      slot = (slot + 1) & mask;
    }
  }

  /** Empties a slot and moves up those behind it that would no longer be found. */
  #vacate(slot: number): void {
    const mask = this.#newest.length - 1;
    let hole = slot;
    for (let probe = (hole + 1) & mask; this.#newest[probe] !== NONE; probe = (probe + 1) & mask) {
      const entry = this.#newest[probe] as number;
      const home = hash(this.#callers[entry] as number) & mask;
      const reachable = ((probe - home) & mask) < ((probe - hole) & mask);
      if (reachable) continue;
      this.#newest[hole] = entry;
      hole = probe;
    }
    this.#newest[hole] = NONE;
  }

  #resize(capacity: number): void {
    const { times, callers, oldest, size, mask } = {
      times: this.#times,
      callers: this.#callers,
      oldest: this.#oldest,
      size: this.#size,
      mask: this.#capacity - 1,
    };
    this.#capacity = capacity;
    this.#oldest = 0;
    this.#size = 0;
    this.#times = new Float64Array(capacity);
    this.#callers = new Float64Array(capacity);
    this.#next = new Uint32Array(capacity);
    this.#counts = new Uint32Array(capacity);
    this.#newest = new Int32Array(capacity * 2).fill(NONE);
    for (let index = 0; index < size; index++) {
      const entry = (oldest + index) & mask;
      const caller = callers[entry] as number;
      this.#append(caller, times[entry] as number, this.#slotOf(caller));
    }
  }
}

/** Spreads neighbouring numbers over the table (Fibonacci hashing of both halves). */
function hash(caller: number): number {
  const low = caller >>> 0;
  const high = Math.floor(caller / 2 ** 32);
  const mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
