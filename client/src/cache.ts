/** An answer as a cache keeps it: plain text, so that it can go to a file or a key-value store as it is. */
export interface CachedAnswer {
  readonly etag: string;
  /** The JSON text of the answer. It is private data if the answer is. */
  readonly body: string;
}

/** Where answers are kept between calls. Anything with these two methods will do, a `Map` for one. */
export interface VitrineCache {
  get(key: string): CachedAnswer | null | undefined | Promise<CachedAnswer | null | undefined>;
  set(key: string, answer: CachedAnswer): unknown;
}

/** A cache that lasts as long as the process. It holds one answer for each thing that was read. */
export function memoryCache(): VitrineCache {
  return new Map<string, CachedAnswer>();
}

/**
 * Tells the answers of several keys apart without holding a key (FNV-1a, 64 bits). Should two keys ever meet, no
 * answer is mixed up: the server confirms by the ETag that what is kept is what it would send.
 */
export function cacheKey(key: string, url: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < key.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(key.charCodeAt(index))) * 0x100000001b3n);
  }
  return `${hash.toString(16).padStart(16, "0")} ${url}`;
}
