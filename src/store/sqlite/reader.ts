import type { View } from "../../contract/access.ts";
import type { DocumentKind, PageKind } from "../../contract/routes.ts";
import type { Log } from "../../logging/log.ts";
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
} from "../reader.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { FollowedFile, LOOK_MS } from "./followed-file.ts";
import { ReadConnection } from "./read-connection.ts";

const WORDS = {
  gone: "the file of the database is gone",
  back: "the file of the database is there again",
  replaced: "the file of the database was replaced, and is read from now on",
  unusable: "the file of the database was replaced by one that cannot be read",
} as const;

/** Reads documents and pages of the file that is at a path, also when that becomes another one. */
export class SqliteDocumentReader implements DocumentReader {
  readonly #file: FollowedFile<ReadConnection>;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(file: string, log?: Log) {
    this.#file = new FollowedFile(
      file,
      () => new ReadConnection(file),
      (change, reason) => log?.warn(WORDS[change], { file, reason }),
    );
    this.#timer = setInterval(() => this.#file.look(), LOOK_MS);
    this.#timer.unref();
  }

  readDocument(keyHash: Uint8Array, kind: DocumentKind, view: View): KeyedDocument | null {
    try {
      return this.#file.connection.document(keyHash, kind, view);
    } catch (error) {
      throw this.#unavailable("a document", error);
    }
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): KeyedDocument | null {
    try {
      return this.#file.connection.linkTree(keyHash, slug, view);
    } catch (error) {
      throw this.#unavailable("a link tree", error);
    }
  }

  readPage(slug: string): StoredPage | null {
    try {
      return this.#file.connection.page(slug);
    } catch (error) {
      throw this.#unavailable("a page", error);
    }
  }

  readPageTag(slug: string): PageTag | null {
    try {
      return this.#file.connection.pageTag(slug);
    } catch (error) {
      throw this.#unavailable("a page", error);
    }
  }

  readLink(slug: string, linkId: string): StoredLink | null {
    try {
      return this.#file.connection.link(slug, linkId);
    } catch (error) {
      throw this.#unavailable("a link", error);
    }
  }

  readProfilePage(slug: string): StoredProfilePage | null {
    try {
      return this.#file.connection.profilePage(slug);
    } catch (error) {
      throw this.#unavailable("a page", error);
    }
  }

  readProfilePageTag(slug: string): PageTag | null {
    try {
      return this.#file.connection.profilePageTag(slug);
    } catch (error) {
      throw this.#unavailable("a page", error);
    }
  }

  readMovedPage(kind: PageKind, slug: string): string | null {
    try {
      return this.#file.connection.movedPage(kind, slug);
    } catch (error) {
      throw this.#unavailable("a page", error);
    }
  }

  readOnlyProfile(): string | null {
    try {
      return this.#file.connection.onlyProfile();
    } catch (error) {
      throw this.#unavailable("a profile", error);
    }
  }

  readProfileFile(slug: string, file: ProfileFile): StoredFile | null {
    try {
      return this.#file.connection.profileFile(slug, file);
    } catch (error) {
      throw this.#unavailable("a profile", error);
    }
  }

  readPreview(kind: PageKind, slug: string): StoredPreview | null {
    try {
      return this.#file.connection.preview(kind, slug);
    } catch (error) {
      throw this.#unavailable("a preview", error);
    }
  }

  readPicture(hash: string): StoredPicture | null {
    try {
      return this.#file.connection.picture(hash);
    } catch (error) {
      throw this.#unavailable("a picture", error);
    }
  }

  ping(): void {
    try {
      this.#file.look();
      this.#file.connection.ping();
    } catch (error) {
      throw this.#unavailable("the database", error);
    }
  }

  #unavailable(what: string, cause: unknown): StoreUnavailable {
    this.#file.doubt();
    return new StoreUnavailable(`${what} could not be read`, { cause });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#file.close();
  }
}
