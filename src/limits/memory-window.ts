import type { SlidingWindow, Standing } from "./limiter.ts";

/** A user and an endpoint are one number together: that leaves room for users up to 2^49. */
export const MAX_ENDPOINTS = 16;
const SMALLEST_CAPACITY = 1024;
const NONE = -1;

/**
 * An exact sliding window in a few flat arrays. Every accepted request is an entry in a ring ordered by time;
 * entries of one caller form a circular chain from its newest entry, whose next is the oldest. Entries leave at
 * the old end of the ring as they age, which keeps each caller's count exact. Memory follows the requests of the
 * last window, by 16 bytes for each, and nothing else: not the users, not the limits.
 */
export class MemoryWindow implements SlidingWindow {
  /** A small number for each name. Only this window knows it, so the order of the names does not matter. */
  readonly #endpoints: ReadonlyMap<string, number>;
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #mostEntries: number;
  #entries = new Entries(SMALLEST_CAPACITY);
  #callers = new Callers(SMALLEST_CAPACITY);

  /**
   * `now` must never run backwards: a clock set by hand is not a measure of time. Where there is a most of entries,
   * the oldest make room for further ones, and the count is no longer exact.
   */
  constructor(
    endpoints: readonly string[],
    windowSeconds: number,
    now: () => number = () => performance.now(),
    mostEntries = Number.POSITIVE_INFINITY,
  ) {
    if (endpoints.length > MAX_ENDPOINTS)
      throw new RangeError(`${endpoints.length} endpoints, where ${MAX_ENDPOINTS} have room`);
    this.#endpoints = new Map(endpoints.map((name, number) => [name, number]));
    this.#windowMs = windowSeconds * 1000;
    this.#now = now;
    this.#mostEntries = mostEntries;
  }

  take(userNumber: number, endpoint: string, limit: number): Standing {
    const now = this.#now();
    const id = this.#idOf(userNumber, endpoint);
    if (this.#entries.size >= this.#mostEntries) this.#forgetOldest();
    const { caller, count, resetSeconds } = this.#find(id, now);
    const allowed = count < limit;
    if (allowed) this.#append(id, caller, now);
    return { allowed, remaining: allowed ? limit - count - 1 : 0, resetSeconds };
  }

  look(userNumber: number, endpoint: string, limit: number): Standing {
    const { count, resetSeconds } = this.#find(this.#idOf(userNumber, endpoint), this.#now());
    return { allowed: count < limit, remaining: Math.max(limit - count, 0), resetSeconds };
  }

  #find(id: number, now: number) {
    this.#forgetBefore(now - this.#windowMs);
    const caller = this.#callers.find(id);
    const count = caller === NONE ? 0 : (this.#callers.counts[caller] as number);
    const oldestTime =
      caller === NONE ? now : this.#entries.oldestTimeOf(this.#callers.newest[caller] as number);
    // Subtracted first: a window added to a fraction of a millisecond is rounded, and may come out longer.
    const age = now - oldestTime;
    return { caller, count, resetSeconds: Math.ceil((this.#windowMs - age) / 1000) };
  }

  #idOf(userNumber: number, endpoint: string): number {
    return userNumber * MAX_ENDPOINTS + this.#numberOf(endpoint);
  }

  #numberOf(endpoint: string): number {
    const number = this.#endpoints.get(endpoint);
    if (number === undefined) throw new RangeError(`no endpoint ${endpoint}`);
    return number;
  }

  /** Gives back the memory of callers that went quiet. Called now and then, so that no request pays for all. */
  sweep(): void {
    this.#forgetBefore(this.#now() - this.#windowMs);
    const entries = shrunk(this.#entries);
    const callers = shrunk(this.#callers);
    if (entries < this.#entries.capacity || callers < this.#callers.capacity) this.#rebuild(entries, callers);
  }

  /** How many requests are counted at present. */
  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#entries.bytes + this.#callers.bytes;
  }

  #append(id: number, known: number, time: number): void {
    if (this.#entries.isFull || this.#callers.isFull) {
      this.#rebuild(grown(this.#entries), grown(this.#callers));
      known = this.#callers.find(id);
    }
    const { newest, counts } = this.#callers;
    const caller = known === NONE ? this.#callers.add(id) : known;
    const before = known === NONE ? NONE : (newest[caller] as number);
    newest[caller] = this.#entries.append(time, caller, before);
    counts[caller] = (counts[caller] as number) + 1;
  }

  /** An entry that is exactly a window old no longer counts. */
  #forgetBefore(horizon: number): void {
    const entries = this.#entries;
    while (entries.size > 0 && entries.oldestTime <= horizon) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const entries = this.#entries;
    const { newest, counts } = this.#callers;
    const caller = entries.oldestCaller;
    const count = (counts[caller] as number) - 1;
    counts[caller] = count;
    if (count === 0) this.#callers.remove(caller);
    entries.dropOldest(newest[caller] as number);
  }

  #rebuild(entryCapacity: number, callerCapacity: number): void {
    const [entries, callers] = [this.#entries, this.#callers];
    this.#entries = new Entries(entryCapacity);
    this.#callers = new Callers(callerCapacity);
    for (let index = 0; index < entries.size; index++) {
      const { time, caller } = entries.at(index);
      const id = callers.ids[caller] as number;
      this.#append(id, this.#callers.find(id), time);
    }
  }
}

interface Sized {
  readonly capacity: number;
  readonly size: number;
}

function grown({ capacity, size }: Sized): number {
  return size === capacity ? capacity * 2 : capacity;
}

function shrunk({ capacity, size }: Sized): number {
  return capacity > SMALLEST_CAPACITY && size <= capacity / 4 ? capacity / 2 : capacity;
}

/** Accepted requests in the order of time. */
class Entries implements Sized {
  readonly capacity: number;
  size = 0;
  #oldest = 0;
  readonly #times: Float64Array;
  readonly #callers: Uint32Array;
  /** The caller's next newer entry; of its newest entry, the oldest. */
  readonly #next: Uint32Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#times = new Float64Array(capacity);
    this.#callers = new Uint32Array(capacity);
    this.#next = new Uint32Array(capacity);
  }

  get isFull(): boolean {
    return this.size === this.capacity;
  }

  get bytes(): number {
    return this.#times.byteLength + this.#callers.byteLength + this.#next.byteLength;
  }

  get oldestTime(): number {
    return this.#times[this.#oldest] as number;
  }

  get oldestCaller(): number {
    return this.#callers[this.#oldest] as number;
  }

  oldestTimeOf(newest: number): number {
    return this.#times[this.#next[newest] as number] as number;
  }

  at(index: number): { time: number; caller: number } {
    const entry = (this.#oldest + index) & (this.capacity - 1);
    return { time: this.#times[entry] as number, caller: this.#callers[entry] as number };
  }

  /** Adds an entry behind the newest that its caller has had, and returns it. */
  append(time: number, caller: number, before: number): number {
    const entry = (this.#oldest + this.size) & (this.capacity - 1);
    this.size++;
    this.#times[entry] = time;
    this.#callers[entry] = caller;
    this.#next[entry] = before === NONE ? entry : (this.#next[before] as number);
    if (before !== NONE) this.#next[before] = entry;
    return entry;
  }

  /** The oldest entry of all is also the oldest of its caller. */
  dropOldest(newestOfCaller: number): void {
    this.#next[newestOfCaller] = this.#next[this.#oldest] as number;
    this.#oldest = (this.#oldest + 1) & (this.capacity - 1);
    this.size--;
  }
}

/** Callers with entries, each under a small number that it keeps. A hash table leads from its id to the number. */
class Callers implements Sized {
  readonly capacity: number;
  size = 0;
  readonly ids: Float64Array;
  /** A caller's newest entry. */
  readonly newest: Uint32Array;
  /** How many entries a caller has. */
  readonly counts: Uint32Array;
  /** Numbers that are not in use come first. */
  readonly #free: Uint32Array;
  /** Twice as long as there can be callers, and probed linearly. */
  readonly #table: Int32Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.ids = new Float64Array(capacity);
    this.newest = new Uint32Array(capacity);
    this.counts = new Uint32Array(capacity);
    this.#free = Uint32Array.from({ length: capacity }, (_, index) => index);
    this.#table = new Int32Array(capacity * 2).fill(NONE);
  }

  get isFull(): boolean {
    return this.size === this.capacity;
  }

  get bytes(): number {
    const arrays = [this.ids, this.newest, this.counts, this.#free, this.#table];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  find(id: number): number {
    return this.#table[this.#slotOf(id)] as number;
  }

  add(id: number): number {
    const caller = this.#free[this.capacity - ++this.size] as number;
    this.ids[caller] = id;
    this.#table[this.#slotOf(id)] = caller;
    return caller;
  }

  /** Empties the caller's slot and moves up those behind it that would no longer be found. */
  remove(caller: number): void {
    this.#free[this.capacity - this.size--] = caller;
    const mask = this.#table.length - 1;
    let hole = this.#slotOf(this.ids[caller] as number);
    for (let probe = (hole + 1) & mask; this.#table[probe] !== NONE; probe = (probe + 1) & mask) {
      const other = this.#table[probe] as number;
      const home = hash(this.ids[other] as number) & mask;
      const reachable = ((probe - home) & mask) < ((probe - hole) & mask);
      if (reachable) continue;
      this.#table[hole] = other;
      hole = probe;
    }
    this.#table[hole] = NONE;
  }

  /** The slot that holds a caller, or the empty one where it belongs. */
  #slotOf(id: number): number {
    const mask = this.#table.length - 1;
    let slot = hash(id) & mask;
    for (;;) {
      const caller = this.#table[slot] as number;
      if (caller === NONE || this.ids[caller] === id) return slot;
      slot = (slot + 1) & mask;
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
