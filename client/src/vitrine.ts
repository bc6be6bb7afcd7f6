import { makeClient, type Vitrine } from "./client.ts";
import type { VitrineOptions } from "./options.ts";
import { realTime } from "./time.ts";
import type { PublicUser } from "./types.ts";

/**
 * A client for the user whose key it is given. Throws a `TypeError` or a `RangeError` where an option cannot be used.
 *
 * ```js
 * const me = await vitrine({ url: "https://vitrine.example", key: process.env.VITRINE_KEY }).full();
 * ```
 */
export function vitrine(options: VitrineOptions & { view: "public" }): Vitrine<PublicUser>;
export function vitrine(options: VitrineOptions): Vitrine;
export function vitrine(options: VitrineOptions): Vitrine {
  return makeClient(options, realTime);
}
