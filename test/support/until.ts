const POLL_MS = 2;

/** Waits for a condition rather than for a time: the first result that is neither undefined nor false. */
export async function until<Result>(
  what: string,
  look: () => Result | Promise<Result>,
  deadlineMs = 100_000,
): Promise<Exclude<Result, undefined | false>> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen as Exclude<Result, undefined | false>;
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`);
    await Bun.sleep(POLL_MS);
  }
}
