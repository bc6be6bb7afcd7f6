import { writeSync } from "node:fs";
import { Pauses } from "../async/pauses.ts";
import { countLines, inPieces } from "./pieces.ts";

/** The most that is kept for a reader that is behind. What comes beyond it is dropped. */
export const MAX_WAITING_BYTES = 1024 * 1024;

/** Between attempts to write what waits, from the first to the longest. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;

/** The longest that a process which ends waits for its log to be taken. */
export const LAST_MOMENT_MS = 1000;

/**
 * Writes lines to what may take them later, or never, and waits for nobody. What is not taken is kept and tried again.
 * Once too much is kept, every line is dropped until all of that has been written; so those that are missing are
 * missing in one place, and a line says there how many they were.
 */
export class PatientOutput {
  readonly #open: () => number;
  readonly #gapLine: (lines: number) => string;
  readonly #isShared: boolean;
  readonly #pauses = new Pauses(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #descriptor: number | undefined;
  #dropped = 0;
  /** Lines that were dropped and of which nothing has been said yet. */
  #gap = 0;
  #isClosed = false;
  #onTaken = () => {};

  constructor(options: {
    /** For the first line. The descriptor fails with EAGAIN where it would make a writer wait. */
    open: () => number;
    gapLine: (lines: number) => string;
    /** Whether other processes write to the same. */
    isShared: boolean;
  }) {
    this.#open = options.open;
    this.#gapLine = options.gapLine;
    this.#isShared = options.isShared;
  }

  /** How many lines were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes whole lines. The bytes are the caller's again when it returns. */
  write(bytes: Uint8Array): void {
    const rest = this.#waiting.length === 0 ? this.#attempt(bytes) : bytes;
    if (rest === undefined) return;
    if (rest.length > 0) this.#keep(rest);
    else if (this.#gap > 0) this.#tellGap();
  }

  /** Returns what was not taken yet. What never will be (nobody has the other end, a disk is full) is dropped. */
  #attempt(bytes: Uint8Array): Uint8Array | undefined {
    let rest = bytes;
    try {
      this.#descriptor ??= this.#open();
      for (const piece of this.#isShared ? inPieces(bytes) : [bytes]) {
        const taken = writeSync(this.#descriptor, piece);
        rest = rest.subarray(taken);
        if (taken < piece.length) break;
      }
      return rest;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return rest;
      this.#drop(rest);
      return undefined;
    }
  }

  #keep(bytes: Uint8Array): void {
    const isFull = this.#waitingBytes + bytes.length > MAX_WAITING_BYTES;
    const isBehindGap = this.#gap > 0 && this.#waiting.length > 0;
    if (isFull || isBehindGap || this.#isClosed) {
      this.#drop(bytes);
      return;
    }
    this.#waiting.push(new Uint8Array(bytes));
    this.#waitingBytes += bytes.length;
    this.#retry ??= setTimeout(this.#sendWaiting, this.#pauses.next());
  }

  #drop(bytes: Uint8Array): void {
    const lines = countLines(bytes);
    this.#dropped += lines;
    this.#gap += lines;
  }

  readonly #sendWaiting = (): void => {
    this.#retry = undefined;
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      const rest = this.#attempt(first);
      const left = rest?.length ?? 0;
      this.#waitingBytes -= first.length - left;
      if (left < first.length) this.#pauses.startAgain();
      if (rest && left > 0) {
        this.#waiting[0] = rest;
        this.#retry = setTimeout(this.#sendWaiting, this.#pauses.next());
        return;
      }
      this.#waiting.shift();
    }
    if (this.#gap > 0) this.#tellGap();
    if (this.#waiting.length === 0) this.#onTaken();
  };

  #tellGap(): void {
    const gap = this.#gap;
    this.#gap = 0;
    this.write(Buffer.from(`${this.#gapLine(gap)}\n`));
    // Where that could not be written either, nothing has been said.
    if (this.#gap > 0) this.#gap += gap;
  }

  /** Gives what waits a last moment to be taken, and no more. */
  async close(): Promise<void> {
    if (this.#waiting.length > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onTaken = resolve;
      const timer = setTimeout(resolve, LAST_MOMENT_MS);
      await promise;
      clearTimeout(timer);
    }
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    for (const bytes of this.#waiting.splice(0)) this.#drop(bytes);
    this.#waitingBytes = 0;
  }
}
