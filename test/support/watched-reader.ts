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

  readDocument(keyHash: Uint8Array, kind: DocumentKind, view: View): Promise<KeyedDocument | null> {
    return this.#read(async () => this.#reader.readDocument(keyHash, kind, view));
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): Promise<KeyedDocument | null> {
    return this.#read(async () => this.#reader.readLinkTree(keyHash, slug, view));
  }

  readPage(slug: string): Promise<StoredPage | null> {
    return this.#watch(() => this.#reader.readPage(slug));
  }

  readPageTag(slug: string): Promise<PageTag | null> {
    return this.#watch(() => this.#reader.readPageTag(slug));
  }

  readLink(slug: string, linkId: string): Promise<StoredLink | null> {
    return this.#watch(() => this.#reader.readLink(slug, linkId));
  }

  readProfilePage(slug: string): Promise<StoredProfilePage | null> {
    return this.#watch(() => this.#reader.readProfilePage(slug));
  }

  readProfilePageTag(slug: string): Promise<PageTag | null> {
    return this.#watch(() => this.#reader.readProfilePageTag(slug));
  }

  readMovedPage(kind: PageKind, slug: string): Promise<string | null> {
    return this.#watch(() => this.#reader.readMovedPage(kind, slug));
  }

  readOnlyProfile(): Promise<string | null> {
    return this.#watch(() => this.#reader.readOnlyProfile());
  }

  readProfileFile(slug: string, file: ProfileFile): Promise<StoredFile | null> {
    return this.#watch(() => this.#reader.readProfileFile(slug, file));
  }

  readPreview(kind: PageKind, slug: string): Promise<StoredPreview | null> {
    return this.#watch(() => this.#reader.readPreview(kind, slug));
  }

  readPicture(hash: string): Promise<StoredPicture | null> {
    return this.#watch(() => this.#reader.readPicture(hash));
  }

  ping(): Promise<void> {
    return this.#watch(async () => this.#reader.ping());
  }

  close(): MaybePromise<void> {
    return this.#reader.close();
  }

  #watch<Found>(find: () => Promise<Found>): Promise<Found> {
    this.reads++;
    if (this.failure?.when === "at once") throw this.failure.error;
    if (this.failure?.when === "later") return Promise.reject(this.failure.error);
    const found = find();
    return this.pause ? this.pause.then(() => found) : found;
  }

  async #read(find: () => Promise<KeyedDocument | null>): Promise<KeyedDocument | null> {
    const found = await this.#watch(find);
    return found && this.alter(found);
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
