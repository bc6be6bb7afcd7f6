import { tryRedis } from "../../limits/redis-window.ts";
import type { Finding } from "./finding.ts";

const ASK = 'redis-cli -u "$REDIS_URL"';

/** By the words that a refusal of Redis begins with. */
const REMEDIES: readonly (readonly [refusal: RegExp, remedy: string])[] = [
  [/^OOM/, `make room in it, or raise its maxmemory: ${ASK} info memory`],
  [/^(READONLY|MASTERDOWN)/, `name its primary in REDIS_URL: ${ASK} info replication`],
  [
    /^(NOPERM|ERR The user executing the script)/,
    "grant its user ~vitrine:* +eval +evalsha +time +lindex +lpop +llen +rpush +pexpire",
  ],
];

/** Only where there is one: a process that counts by itself needs none. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  if (!url) return [];
  const check = "Redis";
  try {
    await tryRedis(url);
    return [{ check, ok: true, detail: "answers and takes writes" }];
  } catch (error) {
    const detail = `cannot be used: ${(error as Error).message}`;
    return [{ check, ok: false, detail, remedy: remedyFor(error as Error & { readonly code?: string }) }];
  }
}

function remedyFor({ code, message }: Error & { readonly code?: string }): string {
  if (code === "ERR_REDIS_SERVER_ERROR")
    return REMEDIES.find(([refusal]) => refusal.test(message))?.[1] ?? `look at its log, and at: ${ASK} info`;
  // The client says nothing more of a password or a certificate that is refused; the tool does.
  return `start it, or correct REDIS_URL: ${ASK} ping`;
}
