import type { UserRecord } from "./record.ts";

/** A slug that was given up for another, as the beginning of the path that it had: `t/ada`, `p/ada`. */
export interface FormerSlug {
  readonly path: string;
  /** Whose page it leads to: that of a link tree, or, where this is empty, of the profile. */
  readonly treeId: string;
}

/** How many are kept of one owner, the latest. Nobody needs as many, but a script could give up millions. */
export const KEPT_FORMER_SLUGS = 10_000;

/** The slugs that a record has given up. A tree that is gone leaves none, for it has no page to lead to. */
export function formerSlugs(record: UserRecord, earlier: UserRecord | undefined): FormerSlug[] {
  if (!earlier) return [];
  const now = new Map(record.linkTrees.map(({ id, slug }) => [id, slug]));
  const trees = earlier.linkTrees
    .filter(({ id, slug }) => now.has(id) && now.get(id) !== slug)
    .map(({ id, slug }) => ({ path: `t/${slug}`, treeId: id }));
  if (earlier.profile.slug === record.profile.slug) return trees;
  return [...trees, { path: `p/${earlier.profile.slug}`, treeId: "" }];
}
