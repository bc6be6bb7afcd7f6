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

/** A read that waits for the end of its turn. */
interface Waiting {
  readonly what: string;
  readonly read: (connection: ReadConnection) => unknown;
  readonly resolve: (found: never) => void;
  readonly reject: (error: StoreUnavailable) => void;
}

/**
 * Reads what is stored in the file that is at a path, also when that becomes another one. All reads of one turn of the
 * event loop are done at its end, one right behind the other. Between two of them the rest of a request would take the
 * processor's caches from SQLite, and a read takes half the time where it finds them as the last one left them: that is
 * far more than the promises cost. A turn handles the requests that had arrived when it began, so each sees what was
 * stored by then.
 */
export class SqliteReader implements StoredReader {
  readonly isRemote = false;
  readonly #file: FollowedFile<ReadConnection>;
  readonly #timer: ReturnType<typeof setInterval>;
  #waiting: Waiting[] = [];

  constructor(file: string, log?: Log) {
    this.#file = new FollowedFile(
      file,
      () => new ReadConnection(file),
      (change, reason) => log?.warn(WORDS[change], { file, reason }),
    );
    this.#timer = setInterval(() => this.#file.look(), LOOK_MS);
    this.#timer.unref();
  }

  readDocument(keyHash: Uint8Array, kind: StoredKind, view: View): Promise<KeyedDocument | null> {
    return this.#read("a document", (connection) => connection.document(keyHash, kind, view));
  }

  readResume(keyHash: Uint8Array, view: View): Promise<KeyedDocument | null> {
    return this.#read("a document", (connection) => connection.resume(keyHash, view));
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View) {
    return this.#read("a link tree", (connection) => connection.linkTree(keyHash, slug, view));
  }

  readPage(slug: string): Promise<FoundBody | null> {
    return this.#read("a page", (connection) => connection.page(slug));
  }

  readPageTag(slug: string): Promise<FoundRendition | null> {
    return this.#read("a page", (connection) => connection.pageTag(slug));
  }

  readTargets(slug: string, linkId: string): Promise<FoundTargets | null> {
    return this.#read("a link", (connection) => connection.targets(slug, linkId));
  }

  readProfile(slug: string, kind: ProfileRendition): Promise<FoundBody | null> {
    return this.#read("a profile", (connection) => connection.profile(slug, kind));
  }

  readProfileTag(slug: string): Promise<FoundRendition | null> {
    return this.#read("a profile", (connection) => connection.profileTag(slug));
  }

  readMovedPage(kind: PageKind, slug: string): Promise<string | null> {
    return this.#read("a page", (connection) => connection.movedPage(kind, slug));
  }

  readOnlyProfile(): Promise<string | null> {
    return this.#read("a profile", (connection) => connection.onlyProfile());
  }

  readPreview(kind: PageKind, slug: string): Promise<FoundPreview | null> {
    return this.#read("a preview", (connection) => connection.preview(kind, slug));
  }

  readPicture(hash: string): Promise<StoredPicture | null> {
    return this.#read("a picture", (connection) => connection.picture(hash));
  }

  readRecord(userNumber: number): Promise<FoundRecord | null> {
    return this.#read("a record", (connection) => connection.record(userNumber));
  }

  #read<Found>(what: string, read: (connection: ReadConnection) => Found): Promise<Found> {
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    if (this.#waiting.length === 0) setImmediate(this.#readAll);
    this.#waiting.push({ what, read, resolve, reject });
    return promise;
  }

  readonly #readAll = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const { connection } = this.#file;
      connection.together(() => {
        for (const one of waiting) this.#readOne(connection, one);
      });
    } catch (error) {
      for (const { what, reject } of waiting) reject(this.#unavailable(what, error));
    }
  };

  #readOne(connection: ReadConnection, { what, read, resolve, reject }: Waiting): void {
    try {
      resolve(read(connection) as never);
    } catch (error) {
      reject(this.#unavailable(what, error));
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
