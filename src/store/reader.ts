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
  close(): MaybePromise<void>;
}

/** Notes when keys were in use. It can write nothing else. */
export interface KeyUseWriter {
  touch(keyIds: readonly string[], at: number): MaybePromise<void>;
  close(): MaybePromise<void>;
}

/** Storage cannot be reached or read right now. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
