import type { MaybePromise } from "../../async/maybe-promise.ts";
import type { View } from "../../contract/access.ts";
import type { PageKind } from "../../contract/routes.ts";
import type { Log } from "../../logging/log.ts";
import { Marks } from "../../marks.ts";
import { answerLength } from "../../packing/answer.ts";
import type { KeyedDocument, StoredPicture } from "../reader.ts";
import type {
  FoundBody,
  FoundLinkTree,
  FoundPreview,
  FoundRecord,
  FoundRendition,
  FoundTargets,
  ProfileRendition,
  StoredKind,
  StoredReader,
} from "../stored-reader.ts";
import { recordTextOf } from "../stored-record.ts";
import { StoreUnavailable } from "../unavailable.ts";
import { FollowedFile, LOOK_MS } from "./followed-file.ts";
import { ReadConnection } from "./read-connection.ts";

const WORDS = {
  gone: "the file of the database is gone",
  back: "the file of the database is there again",
  replaced: "the file of the database was replaced, and is read from now on",
  unusable: "the file of the database was replaced by one that cannot be read",
} as const;

/**
 * From this length on Bun hands over the headers of an answer that comes later one by one, in some 70 calls of the
 * system; those of an answer that is there at once go out together with it.
 */
const LONG_BYTES = 16_384 - 1024;

/** How many bits tell which keys have had one, in 128 KB. */
const LONG_KEY_BITS = 2 ** 20;

/** What a read asks of the statements of whichever file is open. */
type Read<Found> = (statements: ReadConnection["statements"]) => Found;

/** A read that waits for the end of its turn. */
interface Waiting {
  readonly what: string;
  readonly read: Read<unknown>;
  readonly resolve: (found: never) => void;
  readonly reject: (error: StoreUnavailable) => void;
}

/**
 * Reads what is stored in the file that is at a path, also when that becomes another one. All reads of one turn of the
 * event loop are done at its end, one right behind the other. Between two of them the rest of a request would take the
 * processor's caches from SQLite, and a read takes half the time where it finds them as the last one left them: that is
 * far more than the promises cost. A turn handles the requests that had arrived when it began, so each sees what was
 * stored by then. Keys that have had a long answer are read for at once.
 */
export class SqliteReader implements StoredReader {
  readonly isRemote = false;
  readonly #file: FollowedFile<ReadConnection>;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #longKeys = new Marks(LONG_KEY_BITS);
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

  readDocument(keyHash: Uint8Array, kind: StoredKind, view: View): MaybePromise<KeyedDocument | null> {
    return this.#readAnswer(keyHash, "a document", ({ views }) => views[view].documents[kind].get(keyHash));
  }

  readResume(keyHash: Uint8Array, view: View): Promise<KeyedDocument | null> {
    return this.#read("a document", ({ views }) => views[view].resume.get(keyHash));
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): MaybePromise<FoundLinkTree | null> {
    return this.#readAnswer(keyHash, "a link tree", ({ views }) => views[view].linkTree.get(keyHash, slug));
  }

  readPage(slug: string): Promise<FoundBody | null> {
    return this.#read("a page", ({ page }) => page.get(slug));
  }

  readPageTag(slug: string): Promise<FoundRendition | null> {
    return this.#read("a page", ({ pageTag }) => pageTag.get(slug));
  }

  readTargets(slug: string, linkId: string): Promise<FoundTargets | null> {
    return this.#read("a link", ({ targets }) => targets.get(slug, linkId));
  }

  readProfile(slug: string, kind: ProfileRendition): Promise<FoundBody | null> {
    return this.#read("a profile", ({ profiles }) => profiles[kind].get(slug));
  }

  readProfileTag(slug: string): Promise<FoundRendition | null> {
    return this.#read("a profile", ({ profileTag }) => profileTag.get(slug));
  }

  readMovedPage(kind: PageKind, slug: string): Promise<string | null> {
    return this.#read("a page", ({ movedPages }) => movedPages[kind].get(slug)?.slug ?? null);
  }

  readOnlyProfile(): Promise<string | null> {
    return this.#read("a profile", ({ twoProfiles }) => {
      const [profile, another] = twoProfiles.all();
      return profile && !another ? profile.slug : null;
    });
  }

  readPreview(kind: PageKind, slug: string): Promise<FoundPreview | null> {
    return this.#read("a preview", ({ previews }) => previews[kind].get(slug));
  }

  readPicture(hash: string): Promise<StoredPicture | null> {
    return this.#read("a picture", ({ picture }) => picture.get(hash));
  }

  readRecord(userNumber: number): Promise<FoundRecord | null> {
    return this.#read("a record", ({ record }) => {
      const row = record.get(userNumber);
      return row && recordTextOf(row);
    });
  }

  #readAnswer<Found extends KeyedDocument>(
    keyHash: Uint8Array,
    what: string,
    read: Read<Found | null>,
  ): MaybePromise<Found | null> {
    const key = numberOf(keyHash);
    if (this.#longKeys.has(key)) return this.#readAtOnce(what, read);
    return this.#read(what, (statements) => {
      const found = read(statements);
      if (found && isLong(found)) this.#longKeys.add(key);
      return found;
    });
  }

  #readAtOnce<Found>(what: string, read: Read<Found>): Found {
    try {
      return read(this.#file.connection.statements);
    } catch (error) {
      throw this.#unavailable(what, error);
    }
  }

  #read<Found>(what: string, read: Read<Found>): Promise<Found> {
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
      resolve(read(connection.statements) as never);
    } catch (error) {
      reject(this.#unavailable(what, error));
    }
  }

  ping(): void {
    try {
      this.#file.look();
      this.#file.connection.statements.ping.get();
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

/** By the whole text: a caller that takes nothing compressed gets that. */
function isLong({ body, length }: KeyedDocument): boolean {
  return body !== null && answerLength({ body, length }) >= LONG_BYTES;
}

/** A hash is as good as chance in each of its bytes. */
function numberOf(keyHash: Uint8Array): number {
  return (keyHash[0] as number) | ((keyHash[1] as number) << 8) | ((keyHash[2] as number) << 16);
}
