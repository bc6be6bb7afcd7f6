import { VITRINE_KEY, VITRINE_URL } from "astro:env/server";
import { publicProfile, vitrine } from "vitrine-client";

const me = vitrine({ url: VITRINE_URL, key: VITRINE_KEY, view: "public" });
const read = async () => publicProfile(await me.full());

let shown: ReturnType<typeof read> | undefined;

/**
 * What may be shown, or null where the profile is private, by a key that sees nothing private. A build reads it once,
 * for all pages. `npm run dev` reads it for every view, since it may have changed.
 */
export function shownProfile(): ReturnType<typeof read> {
  if (import.meta.env.DEV) return read();
  shown ??= read();
  return shown;
}
