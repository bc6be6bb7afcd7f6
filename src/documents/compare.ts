import { type Document, type Documents, type LinkTreeSlice, SLICED_KINDS, type Slice } from "./compile.ts";
import type { Page } from "./page.ts";

/** A document that is not what it should be. */
export interface Difference {
  readonly document: string;
  readonly fault: "missing" | "different" | "unexpected";
}

/** Holds what a store has against what the record compiles to. */
export function differences(
  stored: Omit<Documents<Uint8Array>, "linkTrees" | "pages"> | undefined,
  storedTrees: readonly LinkTreeSlice[],
  storedPages: readonly Page<Uint8Array>[],
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

  const bySlug = <Item extends { slug: string }, Wanted extends { slug: string }>(
    name: string,
    storedItems: readonly Item[],
    wantedItems: readonly Wanted[],
    same: (item: Item, wanted: Wanted) => boolean,
  ) => {
    const items = new Map(storedItems.map((item) => [item.slug, item]));
    for (const wanted of wantedItems) {
      const item = items.get(wanted.slug);
      items.delete(wanted.slug);
      expect(`${name}/${wanted.slug}`, item ? "different" : "missing", !!item && same(item, wanted));
    }
    for (const slug of items.keys()) expect(`${name}/${slug}`, "unexpected", false);
  };
  bySlug("linktrees", storedTrees, expected.linkTrees, sameTree);
  bySlug("pages", storedPages, expected.pages, samePage);
  return found;
}

function sameTree(stored: LinkTreeSlice, wanted: LinkTreeSlice): boolean {
  return stored.id === wanted.id && sameSlice(stored, wanted);
}

function samePage(stored: Page<Uint8Array>, wanted: Page): boolean {
  return (
    stored.treeId === wanted.treeId &&
    stored.etag === wanted.etag &&
    stored.pictureOrigin === wanted.pictureOrigin &&
    stored.targets === wanted.targets &&
    sameText(stored.html, wanted.html)
  );
}

function sameDocument(stored: Document<Uint8Array> | undefined, wanted: Document): boolean {
  return stored?.etag === wanted.etag && sameText(stored.body, wanted.body);
}

function sameText(stored: Uint8Array, wanted: string): boolean {
  return Buffer.compare(stored, Buffer.from(wanted)) === 0;
}

function sameSlice(stored: Slice | undefined, wanted: Slice): boolean {
  return stored?.etag === wanted.etag && stored.start === wanted.start && stored.length === wanted.length;
}
