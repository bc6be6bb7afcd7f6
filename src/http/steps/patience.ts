/** Bun looks at its connections every four seconds, and so closes some up to four too early. */
const LOOK_SECONDS = 4;

/** How long connections are kept that do not move, in whole seconds. */
export interface Patience {
  /** For one that says nothing, or does not read an ordinary answer. No answer of ours takes longer than one second. */
  readonly idleSeconds: number;
  /** For one that does not read a long answer. */
  readonly longestSeconds: number;
  /** Who reads at least this fast gets every answer whole. */
  readonly slowestBytesPerSecond: number;
}

export const PATIENCE: Patience = { idleSeconds: 10, longestSeconds: 60, slowestBytesPerSecond: 32 * 1024 };

/**
 * How long Bun should wait for somebody who reads an answer of this length, or nothing where its usual time will do.
 * Bun sees that an answer moves only when the system takes more of it, which on Linux is when a third of its buffer has
 * been read: well over a megabyte in the end. A slow reader takes longer for that than a connection may be idle.
 */
export function readingSeconds(
  bytes: number,
  { idleSeconds, longestSeconds, slowestBytesPerSecond }: Patience,
): number | undefined {
  const seconds = Math.ceil(bytes / slowestBytesPerSecond);
  return seconds > idleSeconds ? Math.min(seconds + LOOK_SECONDS, longestSeconds) : undefined;
}
