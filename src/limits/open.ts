import type { Log } from "../logging/log.ts";
import type { Limiter } from "./limiter.ts";
import { LocalLimiter } from "./local-limiter.ts";

/** Counts in Redis where there is a URL of one, and else in this process. */
export async function openLimiter(
  redis: string,
  endpoints: readonly string[],
  windowSeconds: number,
  log: Log,
): Promise<Limiter> {
  if (!redis) return new LocalLimiter(endpoints, windowSeconds);
  const { SharedLimiter } = await import("./shared-limiter.ts");
  return SharedLimiter.open(redis, endpoints, windowSeconds, log);
}
