import type { Log } from "../logging/log.ts";
import type { RunningLimiter } from "./limiter.ts";
import { OwnLimiter } from "./own.ts";

/** Counts in Redis where there is a URL of one, and else in this process. */
export async function openLimiter(redis: string, windowSeconds: number, log: Log): Promise<RunningLimiter> {
  if (!redis) return new OwnLimiter(windowSeconds);
  const { SharedLimiter } = await import("./shared.ts");
  return SharedLimiter.open(redis, windowSeconds, log);
}
