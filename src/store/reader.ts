import type { DocumentKind } from "../contract/routes.ts";
import type { MaybePromise } from "../maybe-promise.ts";

/** What one statement finds for a key: the key and its owner, and the document that was asked for. */
export interface KeyedDocument {
  readonly keyId: string;
  readonly userId: string;
  /** The store's own small number for the user. It never leaves the server. */
  readonly userNumber: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** Both null when the key is known but there is no such document. */
  readonly etag: string | null;
  readonly body: Uint8Array | null;
}

/**
 * The read side of a store: all that the HTTP server can do with one. A key's hash is the reader's only until
 * the call returns: the next request writes its own over it.
 */
export interface DocumentReader {
  readDocument(keyHash: Uint8Array, kind: DocumentKind): MaybePromise<KeyedDocument | null>;
  readLinkTree(keyHash: Uint8Array, slug: string): MaybePromise<KeyedDocument | null>;
  readPage(slug: string): MaybePromise<StoredPage | null>;
  /** Where a link of a page leads. */
  readLink(slug: string, linkId: string): MaybePromise<StoredLink | null>;
  /** Fails where storage does not answer. */
  ping(): MaybePromise<void>;
  close(): MaybePromise<void>;
}

/** Whose tree a visit concerns, so that it can be counted. */
export interface VisitedTree {
  readonly userNumber: number;
  readonly treeId: string;
}

/** The public page of a link tree, from its title on. */
export interface StoredPage extends VisitedTree {
  readonly etag: string;
  /** The only origin that the page shows a picture from, or nothing. */
  readonly pictureOrigin: string;
  readonly html: Uint8Array;
}

export interface StoredLink extends VisitedTree {
  readonly url: string;
}

/** Storage cannot be reached or read right now. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
