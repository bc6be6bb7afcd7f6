import { BOUNDS, slugFaults } from "../contract/texts.ts";
import { plainLetters } from "./letters.ts";
import type { UserRecord } from "./record.ts";

/** A slug that was stored before a rule, and would be refused today. */
export interface RefusedSlug {
  readonly slug: string;
  readonly faults: readonly string[];
}

export function refusedSlugs({ profile, linkTrees }: UserRecord): RefusedSlug[] {
  return [profile, ...linkTrees]
    .map(({ slug }) => ({ slug, faults: slugFaults(slug) }))
    .filter(({ faults }) => faults.length > 0);
}

/** A handle made of a name or the start of an e-mail address. */
export function slugFrom(text: string): string | undefined {
  const slug = plainLetters(text.replace(/(?<=\S)@.*$/, ""))
    .replaceAll(/[^\p{L}\p{N}\p{M}]+|\p{Default_Ignorable_Code_Point}+/gu, "-")
    .replaceAll(/^[-\p{M}]+|-+$/gu, "");
  return [...slug.normalize()].slice(0, BOUNDS.slug).join("") || undefined;
}
