import type { MaybePromise } from "../async/maybe-promise.ts";
import type { View } from "../contract/access.ts";
import { DOCUMENT_KINDS, type DocumentKind, type PageKind } from "../contract/routes.ts";
import type { KeyedDocument, StoredPicture, VisitedTree } from "./reader.ts";
import type { RecordText } from "./stored-record.ts";

/** The documents that are made with every save. */
export type StoredKind = Exclude<DocumentKind, "resume">;

export const STORED_KINDS: readonly StoredKind[] = DOCUMENT_KINDS.filter((kind) => kind !== "resume");

/**
 * What is stored of a public page, or of a file of a profile: null where nobody has asked for it yet. The id of the tree
 * is empty for a profile.
 */
export interface FoundRendition extends VisitedTree {
  readonly etag: string | null;
  readonly pictureOrigin: string | null;
}

export interface FoundBody extends FoundRendition {
  readonly opening: string | null;
  readonly scene: string | null;
  readonly body: Uint8Array | null;
}

/** Where a link leads, by what is stored: some links of a long tree, or the document of the tree. */
export interface FoundTargets extends VisitedTree {
  readonly targets: string | null;
  readonly body: Uint8Array | null;
  readonly length: number | null;
  readonly checksum: number | null;
}

/** A preview picture, and what it shows; and what it is to show, where the page was asked for. */
export interface FoundPreview extends VisitedTree {
  readonly scene: string | null;
  readonly drawnScene: string | null;
  readonly bytes: Uint8Array | null;
}

/** A record, and the tag of the full document that was made of it: null where that is still to be compiled. */
export interface FoundRecord extends RecordText {
  readonly etag: string | null;
}

/** What a profile is made into. */
export type ProfileRendition = "profile" | "card" | "public resume";

/** The tag is null also where there is no such tree. */
export interface FoundLinkTree extends KeyedDocument {
  readonly isCompiled: boolean | number;
}

/** What an engine has stored for the HTTP server, and nothing that is made when it is asked for. */
export interface StoredReader {
  /** Whether what is read comes over a network, so that many reads at once would flood another machine. */
  readonly isRemote: boolean;
  /** A key that is not of this view is not found. The tag is null where the documents are still to be compiled. */
  readDocument(keyHash: Uint8Array, kind: StoredKind, view: View): MaybePromise<KeyedDocument | null>;
  /** The same of the résumé: the tag is null where nobody has asked for it yet. */
  readResume(keyHash: Uint8Array, view: View): MaybePromise<KeyedDocument | null>;
  readLinkTree(keyHash: Uint8Array, slug: string, view: View): MaybePromise<FoundLinkTree | null>;
  /** By the slug of a tree, also of one whose page is off. */
  readPage(slug: string): MaybePromise<FoundBody | null>;
  readPageTag(slug: string): MaybePromise<FoundRendition | null>;
  /** By the slug of a profile, also of a private one: what is stored of that is nothing. */
  readProfile(slug: string, kind: ProfileRendition): MaybePromise<FoundBody | null>;
  readProfileTag(slug: string): MaybePromise<FoundRendition | null>;
  readTargets(slug: string, linkId: string): MaybePromise<FoundTargets | null>;
  /** Where the documents are still to be compiled, also the slug of a page that is off or private. */
  readMovedPage(kind: PageKind, slug: string): MaybePromise<string | null>;
  readOnlyProfile(): MaybePromise<string | null>;
  readPreview(kind: PageKind, slug: string): MaybePromise<FoundPreview | null>;
  readPicture(hash: string): MaybePromise<StoredPicture | null>;
  readRecord(userNumber: number): MaybePromise<FoundRecord | null>;
  ping(): MaybePromise<void>;
  readonly isReplicaUp?: boolean;
  close(): MaybePromise<void>;
}
