import { entryName, fieldName } from "../words.ts";
import { keyOf, nameOf } from "./draft.ts";
import { isSame } from "./paths.ts";

export type Side = "mine" | "theirs";

/** A place where two versions differ from each other and both from what they began with. */
export interface Clash {
  readonly key: string;
  /** The place in words: "Link trees", "Find me", "Title". */
  readonly where: readonly string[];
  readonly mine: unknown;
  readonly theirs: unknown;
}

interface Merged<Whole> {
  readonly whole: Whole;
  readonly clashes: readonly Clash[];
  /** Places that only the others changed, in words. */
  readonly fromThem: readonly (readonly string[])[];
}

type Entry = Record<string, unknown>;

/** What the server sets by itself: nobody has changed it. */
const STAMPS = new Set(["createdAt", "updatedAt", "userId"]);

/**
 * Joins two versions that began from the same one. What one of them left alone is taken from the other; where both
 * changed the same place differently, the chosen side holds, or mine.
 */
export function merge<Whole>(
  base: Whole,
  mine: Whole,
  theirs: Whole,
  choices: ReadonlyMap<string, Side> = new Map(),
): Merged<Whole> {
  const clashes: Clash[] = [];
  const fromThem: (readonly string[])[] = [];

  function joined(
    base: unknown,
    mine: unknown,
    theirs: unknown,
    key: string,
    where: readonly string[],
  ): unknown {
    // Of two that say the same theirs is taken: whoever compares the whole with it then finds most of it at once.
    if (isSame(mine, theirs)) return theirs;
    if (isSame(base, theirs)) return mine;
    if (isEntry(base) && isEntry(mine) && isEntry(theirs)) return entry(base, mine, theirs, key, where);
    if (isNamedList(mine) && isNamedList(theirs) && isNamedList(base))
      return list(base, mine, theirs, key, where);
    if (isSame(base, mine)) {
      fromThem.push(where);
      return theirs;
    }
    clashes.push({ key, where, mine, theirs });
    return choices.get(key) === "theirs" ? theirs : mine;
  }

  function entry(base: Entry, mine: Entry, theirs: Entry, key: string, where: readonly string[]): Entry {
    // The spread keeps what tells entries apart on the screen.
    const whole: Entry = { ...mine };
    for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
      const value = STAMPS.has(name)
        ? theirs[name]
        : joined(
            base[name],
            mine[name],
            theirs[name],
            `${key}/${name}`,
            whereIn(where, name, key.includes("/links/")),
          );
      if (value === undefined) delete whole[name];
      else whole[name] = value;
    }
    return whole;
  }

  function list(
    base: readonly Entry[],
    mine: readonly Entry[],
    theirs: readonly Entry[],
    key: string,
    where: readonly string[],
  ): Entry[] {
    const [was, ours, others] = [base, mine, theirs].map(
      (entries) => new Map(entries.map((one) => [identityOf(one), one])),
    ) as [Map<string, Entry>, Map<string, Entry>, Map<string, Entry>];
    const isMovedHere = !isSame(orderOf(base, ours), orderOf(mine, was));
    const isMovedThere = !isSame(orderOf(base, others), orderOf(theirs, was));
    const orderKey = `${key} order`;
    // Links alone are in their owner's order: the server sorts all else.
    if (isMovedThere && key.endsWith("/links")) {
      const place = [...where, "Order"];
      if (!isMovedHere) fromThem.push(place);
      else if (!isSame(orderOf(mine, others), orderOf(theirs, ours)))
        clashes.push({
          key: orderKey,
          where: place,
          mine: mine.map(entryName),
          theirs: theirs.map(entryName),
        });
    }
    const isMine = isMovedHere && choices.get(orderKey) !== "theirs";
    const [leading, following] = isMine ? [mine, theirs] : [theirs, mine];
    return inOrder(leading.map(identityOf), following.map(identityOf)).flatMap((identity) => {
      const [one, other] = [ours.get(identity), others.get(identity)];
      const name = entryName(one ?? other ?? {});
      const result = joined(was.get(identity), one, other, `${key}/${identity}`, [...where, name]);
      return result === undefined ? [] : [result as Entry];
    });
  }

  return { whole: joined(base, mine, theirs, "", []) as Whole, clashes, fromThem };
}

/** A field's place in words. The text of a value is called by the value's own name. */
function whereIn(where: readonly string[], field: string, isOfLink: boolean): readonly string[] {
  return field === "value" ? where : [...where, fieldName(field, isOfLink)];
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of entries that can be told apart. Any other list is a value like a text. */
function isNamedList(value: unknown): value is readonly Entry[] {
  if (!Array.isArray(value) || !value.every(isEntry)) return false;
  return new Set(value.map(identityOf)).size === value.length;
}

/** What stays when an entry is edited: its id or key, or of those that have none what they are called. */
function identityOf(entry: Entry): string {
  return keyOf(entry) || nameOf(entry);
}

/** The identities of entries that are in another list as well, in their order. */
function orderOf(entries: readonly Entry[], others: ReadonlyMap<string, unknown>): string[] {
  return entries.map(identityOf).filter((identity) => others.has(identity));
}

/** The identities of one list, and those that only the other has behind whatever they stood behind there. */
function inOrder(leading: readonly string[], following: readonly string[]): string[] {
  const all = [...leading];
  const known = new Set(leading);
  let behind = -1;
  for (const identity of following) {
    if (known.has(identity)) behind = all.indexOf(identity);
    else all.splice(++behind, 0, identity);
  }
  return all;
}
