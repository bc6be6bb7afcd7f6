import type { SlidingWindow, Standing } from "./limiter.ts";

/**
 * A caller's accepted times, in microseconds, as a list with the oldest in front. A list costs the same with any
 * limit, and takes two thirds of the memory of a sorted set. Where no time is given it is Redis's own. That may be
 * set back: a caller then waits a little longer, or starts afresh where it would be more than a window. A limit below
 * zero is one that is only looked at.
 */
const SCRIPT = `
local window, now = tonumber(ARGV[1]), tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local standings = {}
for index, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[index + 2])
  local oldest = tonumber(redis.call('LINDEX', key, 0) or now)
  while oldest <= now - window or oldest > now + window do
    redis.call('LPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, 0) or now)
  end
  local remaining = math.abs(limit) - redis.call('LLEN', key) - 1
  if remaining >= 0 and limit > 0 then
    redis.call('RPUSH', key, string.format('%.0f', now))
    redis.call('PEXPIRE', key, window / 1000)
  end
  standings[index * 2 - 1] = math.max(remaining, -1)
  standings[index * 2] = math.ceil((oldest + window - now) / 1000000)
end
return standings`;

const SCRIPT_HASH = new Bun.CryptoHasher("sha1").update(SCRIPT).digest("hex");

const KEY_PREFIX = "vitrine:";

/** The most callers that one call asks about, so that no call holds up Redis for long. */
const MAX_AT_ONCE = 100;

/** The longest that connecting may take. */
const MAX_CONNECT_MS = 1000;

interface Asked {
  readonly key: string;
  readonly limit: number;
  readonly resolve: (standing: Standing) => void;
  readonly reject: (error: Error) => void;
}

/**
 * An exact sliding window in Redis, shared by all that are connected to it: one script, one round trip. Requests of
 * one turn of the event loop share a call, which costs both sides a fraction of a call for each.
 */
export class RedisWindow implements SlidingWindow {
  readonly #client: Bun.RedisClient;
  readonly #windowMicroseconds: string;
  readonly #now: (() => number) | undefined;
  #asked: Asked[] = [];

  private constructor(client: Bun.RedisClient, windowSeconds: number, now: (() => number) | undefined) {
    this.#client = client;
    this.#windowMicroseconds = String(windowSeconds * 1e6);
    this.#now = now;
  }

  /** A connection that ends stays ended, and is replaced by another. Only tests bring a clock along. */
  static async connect(
    url: string,
    windowSeconds: number,
    { now, onClose }: { now?: () => number; onClose?: () => void } = {},
  ): Promise<RedisWindow> {
    const client = new Bun.RedisClient(url, {
      connectionTimeout: MAX_CONNECT_MS,
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
    return new RedisWindow(client, windowSeconds, now);
  }

  take(userNumber: number, endpoint: string, limit: number): Promise<Standing> {
    return this.#ask(`${KEY_PREFIX}${userNumber}:${endpoint}`, limit);
  }

  /** What the script tells is what a request would leave. */
  async look(userNumber: number, endpoint: string, limit: number): Promise<Standing> {
    const standing = await this.#ask(`${KEY_PREFIX}${userNumber}:${endpoint}`, -limit);
    return standing.allowed ? { ...standing, remaining: standing.remaining + 1 } : standing;
  }

  /**
   * Counts for nobody: shows that Redis answers and takes writes, and leaves the script with it. The key is a new one
   * each time: under one that is there already nothing would be written, or only in the place of what is taken away,
   * which a full Redis allows. What the script would need only a minute later is asked for beside it.
   */
  async probe(): Promise<void> {
    const key = `${KEY_PREFIX}probe:${crypto.randomUUID()}`;
    await Promise.all([this.#ask(key, 1), this.#client.send("LPOP", [key])]);
  }

  /** Asks about nobody, so that neither Redis nor a firewall on the way takes the connection for forgotten. */
  async stayInUse(): Promise<void> {
    await this.#ask(`${KEY_PREFIX}nobody`, -1);
  }

  #ask(key: string, limit: number): Promise<Standing> {
    if (this.#asked.length === 0) setImmediate(this.#send);
    return new Promise((resolve, reject) => this.#asked.push({ key, limit, resolve, reject }));
  }

  readonly #send = (): void => {
    const asked = this.#asked;
    this.#asked = [];
    for (let first = 0; first < asked.length; first += MAX_AT_ONCE) {
      void this.#answer(asked.slice(first, first + MAX_AT_ONCE));
    }
  };

  async #answer(asked: readonly Asked[]): Promise<void> {
    try {
      const standings = await this.#run(asked);
      for (const [index, { resolve }] of asked.entries()) {
        const remaining = standings[2 * index] as number;
        const resetSeconds = standings[2 * index + 1] as number;
        resolve({ allowed: remaining >= 0, remaining: Math.max(remaining, 0), resetSeconds });
      }
    } catch (error) {
      for (const { reject } of asked) reject(error as Error);
    }
  }

  /** By the script's hash. Redis forgets scripts when it restarts, and is then sent the whole. */
  async #run(asked: readonly Asked[]): Promise<number[]> {
    const args = [
      String(asked.length),
      ...asked.map(({ key }) => key),
      this.#windowMicroseconds,
      this.#now ? String(this.#now() * 1000) : "",
      ...asked.map(({ limit }) => String(limit)),
    ];
    try {
      return await this.#client.send("EVALSHA", [SCRIPT_HASH, ...args]);
    } catch (error) {
      if (!(error as Error).message.startsWith("NOSCRIPT")) throw error;
      return await this.#client.send("EVAL", [SCRIPT, ...args]);
    }
  }

  close(): void {
    this.#client.onclose = null;
    this.#client.close();
  }
}

/** Fails where a Redis could not be used. */
export async function tryRedis(url: string): Promise<void> {
  const window = await RedisWindow.connect(url, 1);
  try {
    await window.probe();
  } finally {
    window.close();
  }
}
