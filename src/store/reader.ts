import type { MaybePromise } from "../async/maybe-promise.ts";
import type { View } from "../contract/access.ts";
import type { DocumentKind, PageKind } from "../contract/routes.ts";

/** What one statement finds for a key: the key and its owner, and the document that was asked for. */
export interface KeyedDocument {
  readonly keyId: string;
  readonly userId: string;
  /** The store's own small number for the user. It never leaves the server. */
  readonly userNumber: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** The paths that the key is confined to, joined by commas, or null where it may read all. */
  readonly paths: string | null;
  /** Both null when the key is known but there is no such document. */
  readonly etag: string | null;
  readonly body: Uint8Array | null;
  /** Of the text, where the body is a part of a stream. */
  readonly length: number | null;
  readonly checksum: number | null;
}

/** The read side of a store: all that the HTTP server can do with one. */
export interface DocumentReader {
  /** A key that is not of this view is not found. */
  readDocument(keyHash: Uint8Array, kind: DocumentKind, view: View): MaybePromise<KeyedDocument | null>;
  readLinkTree(keyHash: Uint8Array, slug: string, view: View): MaybePromise<KeyedDocument | null>;
  readPage(slug: string): Promise<StoredPage | null>;
  /** What tells whether a visitor has the page already, without reading the page. */
  readPageTag(slug: string): Promise<PageTag | null>;
  /** Where a link of a page leads. */
  readLink(slug: string, linkId: string): Promise<StoredLink | null>;
  /** The slug of the page that a slug led to before it was given up: of a link tree (t) or a profile (p). */
  readMovedPage(kind: PageKind, slug: string): Promise<string | null>;
  /** The page of a public profile, by the profile's slug. Its visits are not counted. */
  readProfilePage(slug: string): Promise<StoredProfilePage | null>;
  readProfilePageTag(slug: string): Promise<PageTag | null>;
  /** The slug of the one public profile, where there are no others. */
  readOnlyProfile(): Promise<string | null>;
  /** What a public profile is as a file. */
  readProfileFile(slug: string, file: ProfileFile): Promise<StoredFile | null>;
  /** The preview picture of a page, or what it is to show. */
  readPreview(kind: PageKind, slug: string): Promise<StoredPreview | null>;
  /** A picture that an owner uploaded, by the hash of its bytes. */
  readPicture(hash: string): Promise<StoredPicture | null>;
  /** Fails where storage does not answer. */
  ping(): MaybePromise<void>;
  /** Whether a replica answers, and so is what is read. Absent where there is none. */
  readonly isReplicaUp?: boolean | undefined;
  close(): MaybePromise<void>;
}

/** Whose tree a visit concerns, so that it can be counted. */
export interface VisitedTree {
  readonly userNumber: number;
  readonly treeId: string;
}

export interface PageTag {
  readonly etag: string;
  /** The only origin that the page shows a picture from, or nothing. */
  readonly pictureOrigin: string;
}

/** The public page of a profile, from its title on. */
export interface StoredProfilePage extends PageTag {
  /** What stands before what is the same for all pages. */
  readonly opening: string;
  /** What its preview picture shows. */
  readonly scene: string;
  /** Packed where the page is not short. */
  readonly html: Uint8Array;
}

/** The public page of a link tree. */
export interface StoredPage extends VisitedTree, StoredProfilePage {}

/** A card for address books, and a JSON Resume. */
export type ProfileFile = "card" | "resume";

export interface StoredFile {
  readonly etag: string;
  /** A gzip stream where the file is not short. */
  readonly body: Uint8Array;
}

export interface StoredLink extends VisitedTree {
  readonly url: string;
}

/** A preview picture, by whose it is and what it shows. The id of the tree is empty for a profile. */
export interface StoredPreview extends VisitedTree {
  readonly scene: string;
  /** Null where nobody has drawn this scene yet. */
  readonly bytes: Uint8Array | null;
}

export interface StoredPicture {
  readonly type: string;
  readonly bytes: Uint8Array;
}
