import { RETRIES_MS, type Settlement, type TakenDelivery } from "../store/hook-queue.ts";
import type { Answer } from "../store/hooks.ts";

/** By this status a receiver says that it is gone for good. */
const GONE = 410;

export function wentWell({ status }: Answer): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** What becomes of a delivery after a try. */
export function settlementOf(
  { id, attempt }: Pick<TakenDelivery, "id" | "attempt">,
  answer: Answer,
): Settlement {
  const settled = { id, attempt, ...answer, retryMs: 0, disables: false };
  if (wentWell(answer)) return { ...settled, state: "delivered" };
  if (answer.status === GONE) return { ...settled, state: "failed", disables: true };
  const retryMs = RETRIES_MS[attempt - 1];
  return retryMs === undefined ? { ...settled, state: "failed" } : { ...settled, state: "waiting", retryMs };
}
