import type { MaybePromise } from "../maybe-promise.ts";

/** So many views of a tree's page on one day, or clicks on one of its links. */
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
export interface TrackingBatch {
  readonly counts: readonly Count[];
  /** The keys that were in use, and when that was. */
  readonly keyIds: readonly string[];
  readonly usedAt: number;
}

/** Adds to counters and notes when keys were in use. It can write nothing else. */
export interface TrackingWriter {
  /** What was written when this is done survives a power cut; when it fails, nothing was written. */
  write(batch: TrackingBatch): MaybePromise<void>;
  close(): MaybePromise<void>;
}
