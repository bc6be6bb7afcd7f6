import type { UserSummary } from "./store.ts";

/** What a statement selects for a summary. */
export interface SummaryRow extends UserSummary {
  readonly number: number;
  /** The first characters of the record, where that is still a text. */
  readonly head: string;
}

/** How much of a record tells when it was last changed, however long or damaged the rest is. */
export const HEAD_LENGTH = 300;

/** A record begins with its id, which has at most 100 characters, and its times: `compile` writes it so. */
const HEAD = /^\{"id":"[^"]*","createdAt":"[^"]*","updatedAt":"([^"]*)"/;

export function summaryOf({ number, head, ...summary }: SummaryRow): UserSummary {
  return { ...summary, updatedAt: summary.updatedAt ?? HEAD.exec(head)?.[1] ?? null };
}
