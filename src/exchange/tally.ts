import type { Change, Saved } from "../store/store.ts";

/** Up to this many records are told one by one. */
export const MAX_LISTED = 20;

/** What became of the records of an import. */
export interface ImportSummary {
  readonly records: number;
  readonly counts: Readonly<Record<Change, number>>;
  /** The first of them, up to `MAX_LISTED`. */
  readonly first: readonly Saved[];
  /** The files that have no record, which is hardly what was meant. */
  readonly empty: readonly string[];
}

export class Tally implements ImportSummary {
  readonly counts: Record<Change, number> = { created: 0, updated: 0, unchanged: 0 };
  readonly first: Saved[] = [];
  readonly empty: string[] = [];
  records = 0;

  add(saved: readonly Saved[]): void {
    for (const { change } of saved) this.counts[change]++;
    this.records += saved.length;
    this.first.push(...saved.slice(0, MAX_LISTED - this.first.length));
  }
}
