import { LEAST_PACKED_BYTES, packAnswer } from "../packing/answer.ts";
import { pack } from "../packing/packed.ts";
import type { UserRecord } from "../records/record.ts";
import { hasPage, shownRecord } from "../records/visibility.ts";
import { etagOf } from "./etag.ts";
import { type Owner, ownerOf } from "./owner.ts";
import { type PageText, pageText } from "./page.ts";
import { profilePageText } from "./profile-page.ts";
import type { RenditionKind, RenditionName } from "./rendition-kinds.ts";
import { resumeText } from "./resume.ts";
import { vCardOf } from "./vcard.ts";

export interface Rendition {
  readonly kind: RenditionKind;
  /** Empty for all but the page of a tree. */
  readonly treeId: string;
  readonly etag: string;
  /** The only origin that the page shows a picture from, or nothing. */
  readonly pictureOrigin: string;
  /** What stands before what is the same for all pages. */
  readonly opening: string;
  /** What the page's preview picture shows, as a text. */
  readonly scene: string;
  /** A page from its title on, packed where it is not short; a card or a résumé as an answer. */
  readonly body: Uint8Array;
}

/** Nothing where the record has no such thing to show: the page is off, the profile is private. */
export function renditionOf(record: UserRecord, { kind, treeId }: RenditionName): Rendition | undefined {
  const { profile } = record;
  if (kind === "page") {
    const tree = record.linkTrees.find(({ id }) => id === treeId);
    if (!tree || !hasPage(tree)) return undefined;
    const owner = ownerOf(profile);
    return page(kind, treeId, owner, pageText(tree, owner));
  }
  if (kind === "resume") return file(kind, resumeText(record));
  const shown = shownRecord(record);
  if (kind === "public resume") return file(kind, resumeText(shown));
  if (!profile.isPublic) return undefined;
  if (kind === "card") return file(kind, vCardOf(shown));
  const owner = ownerOf(profile);
  return page(kind, treeId, owner, profilePageText(shown, owner));
}

function page(
  kind: RenditionKind,
  treeId: string,
  { pictureOrigin }: Owner,
  { opening, text, scene }: PageText,
): Rendition {
  const isShort = Buffer.byteLength(text) < LEAST_PACKED_BYTES;
  return {
    kind,
    treeId,
    etag: etagOf(opening, text, scene),
    pictureOrigin,
    opening,
    scene,
    body: isShort ? new TextEncoder().encode(text) : pack(text),
  };
}

function file(kind: RenditionKind, text: string): Rendition {
  const [etag, body] = [etagOf(text), packAnswer(text)];
  return { kind, treeId: "", etag, pictureOrigin: "", opening: "", scene: "", body };
}
