import type { Limiter, Standing } from "./limiter.ts";

/**
 * One caller's accepted times, in microseconds, as a list with the oldest in front. A list costs the same whatever
 * the limit, and takes two thirds of the memory of a sorted set. Without a third argument the time is Redis's own.
 * It may be set back: a caller then waits a little longer, or starts afresh where it would be more than a window.
 */
const SCRIPT = `
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local oldest = tonumber(redis.call('LINDEX', key, 0) or now)
while oldest <= now - window or oldest > now + window do
  redis.call('LPOP', key)
  oldest = tonumber(redis.call('LINDEX', key, 0) or now)
end
local reset = math.ceil((oldest + window - now) / 1000000)
local count = redis.call('LLEN', key)
if count >= limit then return { -1, reset } end
redis.call('RPUSH', key, string.format('%.0f', now))
redis.call('PEXPIRE', key, window / 1000)
return { limit - count - 1, reset }`;

const SCRIPT_HASH = new Bun.CryptoHasher("sha1").update(SCRIPT).digest("hex");

const KEY_PREFIX = "vitrine:";

/** So long a connection may take to come about. */
const CONNECT_MS = 1000;

/** An exact sliding window in Redis, shared by all who are connected to it: one script, one round trip. */
export class RedisLimiter implements Limiter {
  readonly #client: Bun.RedisClient;
  readonly #windowMicroseconds: string;
  readonly #now: (() => number) | undefined;

  private constructor(client: Bun.RedisClient, windowSeconds: number, now: (() => number) | undefined) {
    this.#client = client;
    this.#windowMicroseconds = String(windowSeconds * 1e6);
    this.#now = now;
  }

  /** A connection that ends stays ended: whoever lost one makes another. Only tests bring a clock along. */
  static async connect(
    url: string,
    windowSeconds: number,
    { now, onClose }: { now?: () => number; onClose?: () => void } = {},
  ): Promise<RedisLimiter> {
    const client = new Bun.RedisClient(url, {
      connectionTimeout: CONNECT_MS,
      autoReconnect: false,
      enableOfflineQueue: false,
    });
    client.onclose = () => onClose?.();
    try {
      await client.connect();
    } catch (error) {
      client.close();
      throw error;
    }
    return new RedisLimiter(client, windowSeconds, now);
  }

  take(userNumber: number, endpoint: number, limit: number): Promise<Standing> {
    return this.#run(`${KEY_PREFIX}${userNumber}:${endpoint}`, limit);
  }

  /** Counts for nobody: shows that Redis answers and takes writes, and leaves the script with it. */
  async probe(): Promise<void> {
    await this.#run(`${KEY_PREFIX}probe`, 1);
  }

  /** By the script's hash. Redis forgets scripts when it restarts, and is then sent the whole. */
  #run(key: string, limit: number): Promise<Standing> {
    const args = ["1", key, String(limit), this.#windowMicroseconds];
    if (this.#now) args.push(String(this.#now() * 1000));
    return this.#client.send("EVALSHA", [SCRIPT_HASH, ...args]).then(toStanding, (error: Error) => {
      if (!error.message.startsWith("NOSCRIPT")) throw error;
      return this.#client.send("EVAL", [SCRIPT, ...args]).then(toStanding);
    });
  }

  close(): void {
    this.#client.onclose = null;
    this.#client.close();
  }
}

function toStanding([remaining, resetSeconds]: [number, number]): Standing {
  return { allowed: remaining >= 0, remaining: Math.max(remaining, 0), resetSeconds };
}

/** Fails where a Redis could not be used. */
export async function tryRedis(url: string): Promise<void> {
  const limiter = await RedisLimiter.connect(url, 1);
  try {
    await limiter.probe();
  } finally {
    limiter.close();
  }
}
