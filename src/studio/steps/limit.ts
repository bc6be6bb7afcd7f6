import { callerNumber } from "../../limits/caller-number.ts";
import type { SlidingWindow } from "../../limits/limiter.ts";
import type { StudioRoute } from "../contract.ts";
import { retryAfter, StudioFault } from "../faults.ts";

type LimitName = StudioRoute["limit"];

/** How often each kind of call may be made in a minute, by one address and by one account. */
export const STUDIO_LIMITS: Readonly<Record<LimitName, number>> = {
  // Previews are drawn while somebody types.
  reads: 900,
  saves: 90,
  "sign-ins": 30,
};

/** The names under which calls are counted, apart from those of the API. */
export const STUDIO_ENDPOINTS: readonly string[] = Object.keys(STUDIO_LIMITS).map(endpointOf);

function endpointOf(limit: string): string {
  return `studio-${limit}`;
}

/** Counts a call of somebody, or throws where there were too many. */
export async function countCall(
  limiter: SlidingWindow,
  limit: LimitName,
  who: `address ${string}` | `account ${string}`,
): Promise<void> {
  const standing = await limiter.take(callerNumber(who), endpointOf(limit), STUDIO_LIMITS[limit]);
  if (standing.allowed) return;
  const seconds = standing.resetSeconds;
  const words = `That was too often. It goes on in ${seconds} seconds.`;
  throw new StudioFault("too-many", words, {}, retryAfter(seconds));
}
