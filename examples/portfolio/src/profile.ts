import { VITRINE_KEY, VITRINE_URL } from "astro:env/server";
import { publicProfile, vitrine } from "vitrine-client";

/**
 * What may be shown, or null where the profile is private. Read once, when the site is built, with a key that sees
 * nothing private.
 */
export const shown = publicProfile(
  await vitrine({ url: VITRINE_URL, key: VITRINE_KEY, view: "public" }).full(),
);
