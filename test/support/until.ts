/** Looking is not free, and others run meanwhile: who has waited for long waits a twentieth of that more. */
const MIN_PAUSE_MS = 2;
const MAX_PAUSE_MS = 20;

function pauseAfter(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 20, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

/** Waits for a condition rather than for a time: the first result that is neither undefined nor false. */
export async function until<Result>(
  what: string,
  look: () => Result | Promise<Result>,
  deadlineMs = 100_000,
): Promise<Exclude<Result, undefined | false>> {
  const since = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen as Exclude<Result, undefined | false>;
    const waitedMs = performance.now() - since;
    if (waitedMs > deadlineMs) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`);
    await Bun.sleep(pauseAfter(waitedMs));
  }
}
