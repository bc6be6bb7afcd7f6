import type { View } from "../../contract/access.ts";
import type { PageKind } from "../../contract/routes.ts";
import type { Log } from "../../logging/log.ts";
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

/** What a read asks of the statements of whichever file is open. */
type Read<Found> = (statements: ReadConnection["statements"]) => Found;

/** Reads what is stored in the file that is at a path, also when that becomes another one. */
export class SqliteReader implements StoredReader {
  readonly isRemote = false;
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
    return this.#read("a document", ({ views }) => views[view].documents[kind].get(keyHash));
  }

  readResume(keyHash: Uint8Array, view: View): KeyedDocument | null {
    return this.#read("a document", ({ views }) => views[view].resume.get(keyHash));
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): FoundLinkTree | null {
    return this.#read("a link tree", ({ views }) => views[view].linkTree.get(keyHash, slug));
  }

  readPage(slug: string): FoundBody | null {
    return this.#read("a page", ({ page }) => page.get(slug));
  }

  readPageTag(slug: string): FoundRendition | null {
    return this.#read("a page", ({ pageTag }) => pageTag.get(slug));
  }

  readTargets(slug: string, linkId: string): FoundTargets | null {
    return this.#read("a link", ({ targets }) => targets.get(slug, linkId));
  }

  readProfile(slug: string, kind: ProfileRendition): FoundBody | null {
    return this.#read("a profile", ({ profiles }) => profiles[kind].get(slug));
  }

  readProfileTag(slug: string): FoundRendition | null {
    return this.#read("a profile", ({ profileTag }) => profileTag.get(slug));
  }

  readMovedPage(kind: PageKind, slug: string): string | null {
    return this.#read("a page", ({ movedPages }) => movedPages[kind].get(slug)?.slug ?? null);
  }

  readOnlyProfile(): string | null {
    return this.#read("a profile", ({ twoProfiles }) => {
      const [profile, another] = twoProfiles.all();
      return profile && !another ? profile.slug : null;
    });
  }

  readPreview(kind: PageKind, slug: string): FoundPreview | null {
    return this.#read("a preview", ({ previews }) => previews[kind].get(slug));
  }

  readPicture(hash: string): StoredPicture | null {
    return this.#read("a picture", ({ picture }) => picture.get(hash));
  }

  readRecord(userNumber: number): FoundRecord | null {
    return this.#read("a record", ({ record }) => {
      const row = record.get(userNumber);
      return row && recordTextOf(row);
    });
  }

  #read<Found>(what: string, read: Read<Found>): Found {
    try {
      return read(this.#file.connection.together());
    } catch (error) {
      throw this.#unavailable(what, error);
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
