import type { MaybePromise } from "../async/maybe-promise.ts";

/** The views of a tree's page on one day, or the clicks on one of its links. */
export interface Count {
  readonly userNumber: number;
  readonly treeId: string;
  /** Empty for the page itself. */
  readonly linkId: string;
  /** The day in UTC, such as 2026-04-12. */
  readonly day: string;
  readonly count: number;
}

/** What is written in one transaction. Plain data, so that another thread can write it. */
export interface CountBatch {
  readonly counts: readonly Count[];
  /** The keys that were in use, and when that was. */
  readonly keyIds: readonly string[];
  readonly usedAt: number;
}

/**
 * A server that has not been noted for this long runs no more. Nor does one that was noted at a time to come: those
 * that run are noted again after the clock was set back.
 */
export const INSTANCE_LIFE_MS = 30_000;

/** Adds to counters, notes when keys were in use and which servers run. It can write nothing else. */
export interface CountWriter {
  /** What was written when this is done survives a power cut; when it fails, nothing was written. */
  write(batch: CountBatch): MaybePromise<void>;
  /**
   * Notes that a server runs, and tells how many others were noted since it began. One that was killed before that
   * is none of them. The note goes when the writer is closed.
   */
  meet(instance: string): MaybePromise<number>;
  /** How many keys work and will expire within this many milliseconds. */
  expiringKeys(withinMs: number): MaybePromise<number>;
  close(): MaybePromise<void>;
}
