import { unpacked } from "../packing/packed.ts";
import {
  type Document,
  type Documents,
  type LinkTreeSlice,
  SLICED_KINDS,
  type Slice,
  type ViewDocuments,
} from "./compile.ts";
import type { Page } from "./page.ts";
import type { ProfilePage } from "./profile-page.ts";

/** A document that is not what it should be. */
export interface Difference {
  readonly document: string;
  readonly fault: "missing" | "different" | "unexpected";
}

/** What a store has of a user's documents. */
export interface StoredDocuments {
  readonly full: ViewDocuments<Uint8Array> | undefined;
  readonly public: ViewDocuments<Uint8Array> | undefined;
  readonly linkTrees: readonly LinkTreeSlice[];
  readonly pages: readonly Page<Uint8Array>[];
  readonly profilePage: ProfilePage<Uint8Array> | undefined;
}

/** Holds what a store has against what the record compiles to. */
export function differences(
  stored: StoredDocuments,
  expected: Documents<string, string | Uint8Array>,
): Difference[] {
  const found: Difference[] = [];
  const expect = (document: string, fault: Difference["fault"], isSame: boolean) => {
    if (!isSame) found.push({ document, fault });
  };
  const ofView = (prefix: string, stored: ViewDocuments<Uint8Array> | undefined, expected: ViewDocuments) => {
    const fault = stored ? "different" : "missing";
    expect(`${prefix}full`, fault, sameDocument(stored?.full, expected.full));
    expect(`${prefix}links`, fault, sameDocument(stored?.links, expected.links));
    expect(`${prefix}resume`, fault, sameDocument(stored?.resume, expected.resume));
    for (const kind of SLICED_KINDS)
      expect(prefix + kind, fault, sameSlice(stored?.slices[kind], expected.slices[kind]));
  };
  ofView("", stored.full, expected);
  ofView("public/", stored.public, expected.public);

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
  bySlug("linktrees", stored.linkTrees, expected.linkTrees, sameTree);
  bySlug("pages", stored.pages, expected.pages, samePage);
  const [page, wanted] = [stored.profilePage, expected.profilePage];
  if (!wanted) expect("profile page", "unexpected", page === undefined);
  else expect("profile page", page ? "different" : "missing", !!page && sameProfilePage(page, wanted));
  return found;
}

function sameTree(stored: LinkTreeSlice, wanted: LinkTreeSlice): boolean {
  return stored.id === wanted.id && stored.publicStart === wanted.publicStart && sameSlice(stored, wanted);
}

function samePage(stored: Page<Uint8Array>, wanted: Page): boolean {
  return (
    stored.treeId === wanted.treeId &&
    stored.etag === wanted.etag &&
    stored.pictureOrigin === wanted.pictureOrigin &&
    stored.opening === wanted.opening &&
    stored.scene === wanted.scene &&
    stored.targets === wanted.targets &&
    Bun.deepEquals(stored.targetChunks, wanted.targetChunks) &&
    samePacked(stored.html, wanted.html)
  );
}

function sameProfilePage(stored: ProfilePage<Uint8Array>, wanted: ProfilePage): boolean {
  return (
    stored.etag === wanted.etag &&
    stored.pictureOrigin === wanted.pictureOrigin &&
    stored.opening === wanted.opening &&
    stored.scene === wanted.scene &&
    samePacked(stored.html, wanted.html) &&
    samePacked(stored.card, wanted.card)
  );
}

function sameDocument(stored: Document<Uint8Array> | undefined, wanted: Document): boolean {
  return stored?.etag === wanted.etag && sameText(stored.body, wanted.body);
}

/** By what is packed: another version of the library may pack it another way. */
function samePacked(stored: Uint8Array, wanted: string | Uint8Array): boolean {
  const bytes = typeof wanted === "string" ? Buffer.from(wanted) : wanted;
  return Buffer.compare(unpacked(stored), unpacked(bytes)) === 0;
}

function sameText(stored: Uint8Array, wanted: string): boolean {
  return Buffer.compare(stored, Buffer.from(wanted)) === 0;
}

function sameSlice(stored: Slice | undefined, wanted: Slice): boolean {
  return stored?.etag === wanted.etag && stored.start === wanted.start && stored.length === wanted.length;
}
