/** What tells two versions of the same thing; `undefined` says nothing. */
export type Trait<Item> = (item: Item) => string | undefined;

/**
 * For each item the earlier version of it, if there is one. The first trait goes over all items before the
 * second is asked, so a certain match is never lost to a likely one, and no earlier item is matched twice.
 */
export function matchEarlier<Item, Earlier extends Item>(
  items: readonly Item[],
  earlier: readonly Earlier[],
  traits: readonly Trait<Item>[],
): (Earlier | undefined)[] {
  const matches: (Earlier | undefined)[] = new Array(items.length).fill(undefined);
  if (earlier.length === 0) return matches;
  const taken = new Set<Earlier>();
  for (const trait of traits) {
    const waiting = new Map<string, Earlier[]>();
    for (const candidate of earlier) {
      const value = trait(candidate);
      if (value === undefined || taken.has(candidate)) continue;
      const others = waiting.get(value);
      if (others) others.push(candidate);
      else waiting.set(value, [candidate]);
    }
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
