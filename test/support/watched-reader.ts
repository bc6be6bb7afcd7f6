import type { MaybePromise } from "../../src/async/maybe-promise.ts";
import type { View } from "../../src/contract/access.ts";
import type { DocumentKind, PageKind } from "../../src/contract/routes.ts";
import type {
  DocumentReader,
  KeyedDocument,
  PageTag,
  ProfileFile,
  StoredFile,
  StoredLink,
  StoredPage,
  StoredPicture,
  StoredPreview,
  StoredProfilePage,
} from "../../src/store/reader.ts";

/** A real reader that counts what is asked of it and fails when the test says so. */
export class WatchedReader implements DocumentReader {
  readonly #reader: DocumentReader;
  reads = 0;
  /** Thrown by every read while it is set: at once, or as a network engine would, a little later. */
  failure: { readonly error: Error; readonly when: "at once" | "later" } | undefined;
  /** What every answer waits for while it is set, as it would for a database elsewhere. */
  pause: Promise<void> | undefined;
  /** Changes what was found, for what a sound store never finds. */
  alter: (found: KeyedDocument) => KeyedDocument = (found) => found;

  constructor(reader: DocumentReader) {
    this.#reader = reader;
  }

  readDocument(keyHash: Uint8Array, kind: DocumentKind, view: View): MaybePromise<KeyedDocument | null> {
    return this.#read(() => this.#reader.readDocument(keyHash, kind, view));
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): MaybePromise<KeyedDocument | null> {
    return this.#read(() => this.#reader.readLinkTree(keyHash, slug, view));
  }

  readPage(slug: string): MaybePromise<StoredPage | null> {
    return this.#watch(() => this.#reader.readPage(slug));
  }

  readPageTag(slug: string): MaybePromise<PageTag | null> {
    return this.#watch(() => this.#reader.readPageTag(slug));
  }

  readLink(slug: string, linkId: string): MaybePromise<StoredLink | null> {
    return this.#watch(() => this.#reader.readLink(slug, linkId));
  }

  readProfilePage(slug: string): MaybePromise<StoredProfilePage | null> {
    return this.#watch(() => this.#reader.readProfilePage(slug));
  }

  readProfilePageTag(slug: string): MaybePromise<PageTag | null> {
    return this.#watch(() => this.#reader.readProfilePageTag(slug));
  }

  readMovedPage(kind: PageKind, slug: string): MaybePromise<string | null> {
    return this.#watch(() => this.#reader.readMovedPage(kind, slug));
  }

  readOnlyProfile(): MaybePromise<string | null> {
    return this.#watch(() => this.#reader.readOnlyProfile());
  }

  readProfileFile(slug: string, file: ProfileFile): MaybePromise<StoredFile | null> {
    return this.#watch(() => this.#reader.readProfileFile(slug, file));
  }

  readPreview(kind: PageKind, slug: string): MaybePromise<StoredPreview | null> {
    return this.#watch(() => this.#reader.readPreview(kind, slug));
  }

  readPicture(hash: string): MaybePromise<StoredPicture | null> {
    return this.#watch(() => this.#reader.readPicture(hash));
  }

  ping(): MaybePromise<void> {
    return this.#watch(() => this.#reader.ping());
  }

  close(): MaybePromise<void> {
    return this.#reader.close();
  }

  #watch<Found>(find: () => MaybePromise<Found>): MaybePromise<Found> {
    this.reads++;
    if (this.failure?.when === "at once") throw this.failure.error;
    if (this.failure?.when === "later") return Promise.reject(this.failure.error);
    const found = find();
    return this.pause ? this.pause.then(() => found) : found;
  }

  #read(find: () => MaybePromise<KeyedDocument | null>): MaybePromise<KeyedDocument | null> {
    const found = this.#watch(find);
    return found instanceof Promise ? found.then((it) => it && this.alter(it)) : found && this.alter(found);
  }
}

/** Options for a test server whose reader can be watched, and the reader once the server has started. */
export function watching() {
  let watched: WatchedReader | undefined;
  return {
    wrapReader: (reader: DocumentReader): DocumentReader => {
      watched = new WatchedReader(reader);
      return watched;
    },
    get reader(): WatchedReader {
      if (!watched) throw new Error("the server has not started yet");
      return watched;
    },
  };
}
