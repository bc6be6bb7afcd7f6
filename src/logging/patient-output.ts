import { writeSync } from "node:fs";
import { Pauses } from "../async/pauses.ts";
import { countLines, inPieces, NEWLINE } from "./pieces.ts";

/** The most that is kept for a reader that is behind. What comes beyond it is dropped. */
export const MAX_WAITING_BYTES = 1024 * 1024;

/** Between attempts to write what waits, from the first to the longest. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;

/** The longest that a process which ends waits for its log to be taken. */
export const LAST_MOMENT_MS = 1000;

interface Attempt {
  readonly rest: Uint8Array;
  readonly isRefused: boolean;
}

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
  /** Whether what was taken last is not the end of a line. */
  #isMidLine = false;
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
    if (this.#gap > 0 && this.#waiting.length === 0) this.#tellGap();
    if (this.#gap > 0) this.#drop(bytes);
    else if (this.#waiting.length > 0) this.#keep(bytes);
    else {
      const { rest, isRefused } = this.#attempt(bytes);
      if (isRefused) this.#drop(rest);
      else if (rest.length > 0) this.#keep(rest);
    }
  }

  /** Writes what is taken now. The rest may be taken later, or is refused: nobody has the other end, a disk is full. */
  #attempt(bytes: Uint8Array): Attempt {
    let rest = bytes;
    try {
      this.#descriptor ??= this.#open();
      for (const piece of this.#isShared ? inPieces(bytes) : [bytes]) {
        const taken = writeSync(this.#descriptor, piece);
        rest = rest.subarray(taken);
        if (taken > 0) this.#isMidLine = piece[taken - 1] !== NEWLINE;
        if (taken < piece.length) break;
      }
      return { rest, isRefused: false };
    } catch (error) {
      return { rest, isRefused: (error as NodeJS.ErrnoException).code !== "EAGAIN" };
    }
  }

  #keep(bytes: Uint8Array): void {
    const isFull = this.#waitingBytes + bytes.length > MAX_WAITING_BYTES;
    if (isFull || this.#isClosed) {
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
      const { rest, isRefused } = this.#attempt(first);
      this.#waitingBytes -= first.length - rest.length;
      this.#waiting[0] = rest;
      if (rest.length < first.length) this.#pauses.startAgain();
      if (isRefused) this.#dropWaiting();
      else if (rest.length === 0) this.#waiting.shift();
      else {
        this.#retry = setTimeout(this.#sendWaiting, this.#pauses.next());
        return;
      }
    }
    if (this.#gap > 0) this.#tellGap();
    if (this.#waiting.length === 0) this.#onTaken();
  };

  #dropWaiting(): void {
    for (const bytes of this.#waiting.splice(0)) this.#drop(bytes);
    this.#waitingBytes = 0;
  }

  /** Says how many lines are missing, on a line of its own also where the last one before them was cut off. */
  #tellGap(): void {
    const line = Buffer.from(`${this.#isMidLine ? "\n" : ""}${this.#gapLine(this.#gap)}\n`);
    const { rest, isRefused } = this.#attempt(line);
    const isUntouched = rest.length === line.length;
    // Where only a part of it was taken, nothing has been said: it is told anew before the next line.
    if (isRefused || (rest.length > 0 && !isUntouched)) return;
    this.#gap = 0;
    if (isUntouched) this.#keep(line);
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
    this.#dropWaiting();
  }
}
