import { VIEWS, type View } from "../contract/access.ts";
import { plainAnswer } from "../packing/answer.ts";
import { unpacked } from "../packing/packed.ts";
import type { UserRecord } from "../records/record.ts";
import { answerIn } from "./answer.ts";
import {
  type Documents,
  type LinkTreeSlice,
  type PublicDocuments,
  SLICED_KINDS,
  type ViewDocuments,
} from "./compile.ts";
import type { TargetChunk } from "./link-targets.ts";
import { type Rendition, renditionOf } from "./rendition.ts";
import type { RenditionName } from "./rendition-kinds.ts";

/** A document that is not what it should be. */
export interface Difference {
  readonly document: string;
  readonly fault: "missing" | "different" | "unexpected";
}

/** What a store has of a user's documents. */
export interface StoredDocuments {
  readonly full: ViewDocuments | undefined;
  readonly public: PublicDocuments | undefined;
  readonly linkTrees: readonly LinkTreeSlice[];
  readonly targetChunks: readonly TargetChunk[];
  /** Those that somebody has asked for. */
  readonly renditions: readonly Rendition[];
}

/** Holds what a store has against what the record compiles to. */
export function differences(stored: StoredDocuments, expected: Documents, record: UserRecord): Difference[] {
  return [...answerDifferences(stored, expected), ...renditionDifferences(stored.renditions, record)];
}

const KINDS = ["full", "links", ...SLICED_KINDS] as const;

const PREFIXES: Readonly<Record<View, string>> = { full: "", public: "public/" };

/** The same for what is made with every save. */
export function answerDifferences(stored: StoredDocuments, expected: Documents): Difference[] {
  const found: Difference[] = [];
  const { full, public: shown } = stored;
  // Without the public view, the full one can still be told to be what it should.
  const documents = full && { ...stored, ...full, public: shown ?? expected.public };
  if (documents && shown && isSame(documents, expected)) return [];
  const isSameAnswer = (view: View, kind: (typeof KINDS)[number] | "linktree", slug?: string) =>
    documents !== undefined &&
    stored[view] !== undefined &&
    sameAnswer(documents, expected, view, kind, slug);
  for (const view of VIEWS) {
    const fault = stored[view] ? "different" : "missing";
    for (const kind of KINDS)
      if (!isSameAnswer(view, kind)) found.push({ document: PREFIXES[view] + kind, fault });
  }
  const trees = new Map(stored.linkTrees.map((tree) => [tree.slug, tree]));
  for (const { slug, id, publicStart } of expected.linkTrees) {
    const tree = trees.get(slug);
    trees.delete(slug);
    const document = `linktrees/${slug}`;
    if (!tree) found.push({ document, fault: "missing" });
    else if (
      tree.id !== id ||
      (tree.publicStart === null) !== (publicStart === null) ||
      !VIEWS.every((view) => isSameAnswer(view, "linktree", slug))
    )
      found.push({ document, fault: "different" });
  }
  for (const slug of trees.keys()) found.push({ document: `linktrees/${slug}`, fault: "unexpected" });
  if (!Bun.deepEquals(stored.targetChunks, expected.targetChunks))
    found.push({ document: "links of pages", fault: "different" });
  if (shown && shown.hasProfilePage !== expected.public.hasProfilePage)
    found.push({ document: "profile page", fault: shown.hasProfilePage ? "unexpected" : "missing" });
  return found;
}

/** To the byte. Where another version of the library has packed it another way, each text has to be looked at. */
function isSame(stored: Documents, expected: Documents): boolean {
  return (
    Bun.deepEquals(viewOf(stored), viewOf(expected)) &&
    Bun.deepEquals({ ...stored.public, ...viewOf(stored.public) }, expected.public) &&
    Bun.deepEquals(bySlug(stored.linkTrees), bySlug(expected.linkTrees)) &&
    Bun.deepEquals(stored.targetChunks, expected.targetChunks)
  );
}

function viewOf({ full, links, slices }: ViewDocuments): ViewDocuments {
  return { full, links, slices };
}

function bySlug(trees: readonly LinkTreeSlice[]): LinkTreeSlice[] {
  return trees.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
}

function sameAnswer(
  stored: Documents,
  expected: Documents,
  view: View,
  kind: (typeof KINDS)[number] | "linktree",
  slug?: string,
): boolean {
  const [found, wanted] = [answerIn(stored, view, kind, slug), answerIn(expected, view, kind, slug)];
  if (!found || !wanted) return found === wanted;
  if (found.etag !== wanted.etag || found.length !== wanted.length || found.checksum !== wanted.checksum)
    return false;
  try {
    return Buffer.compare(plainAnswer(found), plainAnswer(wanted)) === 0;
  } catch {
    return false;
  }
}

function renditionDifferences(renditions: readonly Rendition[], record: UserRecord): Difference[] {
  return renditions.flatMap((rendition): Difference[] => {
    const wanted = renditionOf(record, rendition as RenditionName);
    const document = rendition.kind === "page" ? `pages/${slugOf(record, rendition)}` : rendition.kind;
    if (!wanted) return [{ document, fault: "unexpected" }];
    return isSameRendition(rendition, wanted) ? [] : [{ document, fault: "different" }];
  });
}

function slugOf({ linkTrees }: UserRecord, { treeId }: Rendition): string {
  return linkTrees.find(({ id }) => id === treeId)?.slug ?? treeId;
}

function isSameRendition(stored: Rendition, wanted: Rendition): boolean {
  const { body, ...rest } = stored;
  const { body: wantedBody, ...wantedRest } = wanted;
  if (!Bun.deepEquals(rest, wantedRest)) return false;
  try {
    return Buffer.compare(renditionText(body), renditionText(wantedBody)) === 0;
  } catch {
    return false;
  }
}

/** The text of a page, a card or a résumé. */
export function renditionText(body: Uint8Array): Uint8Array {
  return plainAnswer({ body: unpacked(body), length: null, checksum: null });
}
