import type { Job, Link, LinkTree } from "./record.ts";
import type { RecordInput } from "./schema.ts";

type JobInput = RecordInput["jobs"][number];
type LinkTreeInput = RecordInput["linkTrees"][number];
type LinkInput = LinkTreeInput["links"][number];

/** For each job the stored one that it is. Of jobs with one title, company and start, those alike in all match first. */
export function matchJobs(jobs: readonly JobInput[], earlier: readonly Job[]): (Job | undefined)[] {
  return matchEarlier(jobs, earlier, [
    (job) => job.id,
    ({ id, userId, createdAt, updatedAt, ...content }) => JSON.stringify(content),
    (job) => JSON.stringify([job.title, job.companyName, job.startDate]),
  ]);
}

export function matchTrees(
  trees: readonly LinkTreeInput[],
  earlier: readonly LinkTree[],
): (LinkTree | undefined)[] {
  return matchEarlier(trees, earlier, [(tree) => tree.id, (tree) => tree.slug]);
}

export function matchLinks(links: readonly LinkInput[], earlier: readonly Link[]): (Link | undefined)[] {
  return matchEarlier(links, earlier, [
    (link) => link.id,
    (link) => JSON.stringify([link.url, link.label]),
    (link) => link.url,
  ]);
}

/** What tells two versions of the same thing; `undefined` says nothing. */
type Trait<Item> = (item: Item) => string | undefined;

/**
 * For each item the earlier version of it, if there is one. The first trait goes over all items before the
 * second is asked, so a certain match is never lost to a likely one, and no earlier item is matched twice.
 */
function matchEarlier<Item, Earlier extends Item>(
  items: readonly Item[],
  earlier: readonly Earlier[],
  traits: readonly Trait<Item>[],
): (Earlier | undefined)[] {
  const matches: (Earlier | undefined)[] = new Array(items.length).fill(undefined);
  if (earlier.length === 0) return matches;
  const taken = new Set<Earlier>();
  for (const trait of traits) {
    const waiting = Map.groupBy(
      earlier.filter((candidate) => !taken.has(candidate)),
      trait,
    );
    for (const [index, item] of items.entries()) {
      if (matches[index]) continue;
      const value = trait(item);
      const match = value === undefined ? undefined : waiting.get(value)?.shift();
      if (!match) continue;
      matches[index] = match;
      taken.add(match);
    }
  }
  return matches;
}
