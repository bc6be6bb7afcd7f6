import type { View } from "../../contract/access.ts";
import type { PageKind } from "../../contract/routes.ts";
import type { Log } from "../../logging/log.ts";
import type { KeyedDocument, StoredPicture } from "../reader.ts";
import type {
  FoundBody,
  FoundPreview,
  FoundRecord,
  FoundRendition,
  FoundTargets,
  ProfileRendition,
  StoredKind,
  StoredReader,
} from "../stored-reader.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { FollowedFile, LOOK_MS } from "./followed-file.ts";
import { ReadConnection } from "./read-connection.ts";

const WORDS = {
  gone: "the file of the database is gone",
  back: "the file of the database is there again",
  replaced: "the file of the database was replaced, and is read from now on",
  unusable: "the file of the database was replaced by one that cannot be read",
} as const;

/** Reads what is stored in the file that is at a path, also when that becomes another one. */
export class SqliteReader implements StoredReader {
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

  readDocument(keyHash: Uint8Array, kind: StoredKind, view: View): KeyedDocument | null {
    try {
      return this.#file.connection.document(keyHash, kind, view);
    } catch (error) {
      throw this.#unavailable("a document", error);
    }
  }

  readResume(keyHash: Uint8Array, view: View): KeyedDocument | null {
    return this.#read("a document", (connection) => connection.resume(keyHash, view));
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View) {
    return this.#read("a link tree", (connection) => connection.linkTree(keyHash, slug, view));
  }

  readPage(slug: string): FoundBody | null {
    return this.#read("a page", (connection) => connection.page(slug));
  }

  readPageTag(slug: string): FoundRendition | null {
    return this.#read("a page", (connection) => connection.pageTag(slug));
  }

  readTargets(slug: string, linkId: string): FoundTargets | null {
    return this.#read("a link", (connection) => connection.targets(slug, linkId));
  }

  readProfile(slug: string, kind: ProfileRendition): FoundBody | null {
    return this.#read("a profile", (connection) => connection.profile(slug, kind));
  }

  readProfileTag(slug: string): FoundRendition | null {
    return this.#read("a profile", (connection) => connection.profileTag(slug));
  }

  readMovedPage(kind: PageKind, slug: string): string | null {
    return this.#read("a page", (connection) => connection.movedPage(kind, slug));
  }

  readOnlyProfile(): string | null {
    return this.#read("a profile", (connection) => connection.onlyProfile());
  }

  readPreview(kind: PageKind, slug: string): FoundPreview | null {
    return this.#read("a preview", (connection) => connection.preview(kind, slug));
  }

  readPicture(hash: string): StoredPicture | null {
    return this.#read("a picture", (connection) => connection.picture(hash));
  }

  readRecord(userNumber: number): FoundRecord | null {
    return this.#read("a record", (connection) => connection.record(userNumber));
  }

  #read<Found>(what: string, read: (connection: ReadConnection) => Found): Found {
    try {
      return read(this.#file.connection);
    } catch (error) {
      throw this.#unavailable(what, error);
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
