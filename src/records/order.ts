interface Created {
  readonly createdAt: string;
}

interface Dated {
  readonly isCurrent: boolean;
  readonly startDate?: string;
}

/** The order of link trees. */
export function oldestFirst(one: Created, other: Created): number {
  return compare(one.createdAt, other.createdAt);
}

/**
 * The order of jobs, projects and education: current ones first, then by their start, newest first, and last what has
 * none.
 */
export function currentThenNewest(one: Dated, other: Dated): number {
  return (
    Number(other.isCurrent) - Number(one.isCurrent) || compare(other.startDate ?? "", one.startDate ?? "")
  );
}

/** Timestamps of one form compare as text. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
