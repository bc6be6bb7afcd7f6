import { VITRINE_KEY, VITRINE_URL } from "astro:env/server";
import { publicProfile, vitrine } from "vitrine-client";

/**
 * What may be shown, or null where the profile is private. Read once, when the site is built; what is private goes no
 * further than this file.
 */
export const shown = publicProfile(await vitrine({ url: VITRINE_URL, key: VITRINE_KEY }).full());
