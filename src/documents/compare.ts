import { type Document, type Documents, type LinkTreeSlice, SLICED_KINDS, type Slice } from "./compile.ts";

/** A document that is not what it should be. */
export interface Difference {
  readonly document: string;
  readonly fault: "missing" | "different" | "unexpected";
}

/** Holds what a store has against what the record compiles to. */
export function differences(
  stored: Omit<Documents, "linkTrees"> | undefined,
  storedTrees: readonly LinkTreeSlice[],
  expected: Documents,
): Difference[] {
  const found: Difference[] = [];
  const expect = (document: string, fault: Difference["fault"], isSame: boolean) => {
    if (!isSame) found.push({ document, fault });
  };
  const fault = stored ? "different" : "missing";
  expect("full", fault, sameDocument(stored?.full, expected.full));
  expect("links", fault, sameDocument(stored?.links, expected.links));
  for (const kind of SLICED_KINDS)
    expect(kind, fault, sameSlice(stored?.slices[kind], expected.slices[kind]));

  const trees = new Map(storedTrees.map((tree) => [tree.slug, tree]));
  for (const wanted of expected.linkTrees) {
    const tree = trees.get(wanted.slug);
    trees.delete(wanted.slug);
    const same = tree?.id === wanted.id && sameSlice(tree, wanted);
    expect(`linktrees/${wanted.slug}`, tree ? "different" : "missing", same);
  }
  for (const slug of trees.keys()) expect(`linktrees/${slug}`, "unexpected", false);
  return found;
}

function sameDocument(stored: Document | undefined, wanted: Document): boolean {
  return stored?.etag === wanted.etag && Buffer.compare(stored.body, wanted.body) === 0;
}

function sameSlice(stored: Slice | undefined, wanted: Slice): boolean {
  return stored?.etag === wanted.etag && stored.start === wanted.start && stored.length === wanted.length;
}
