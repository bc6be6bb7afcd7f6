import { describe, test } from "bun:test";

/**
 * What becomes of sentences that need a tool which is not there: they are skipped by name or, with
 * VITRINE_NO_SKIPS, fail.
 */
export function withoutTool(
  title: string,
  reason: string,
  sentences: (fail: () => Promise<never>) => void,
): void {
  const fail = () => Promise.reject(new Error(reason));
  if (process.env.VITRINE_NO_SKIPS) test(title, fail);
  else describe.skip(`${title} (SKIPPED, ${reason})`, () => sentences(fail));
}
