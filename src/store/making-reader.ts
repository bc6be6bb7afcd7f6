import { type MaybePromise, next } from "../async/maybe-promise.ts";
import type { View } from "../contract/access.ts";
import type { DocumentKind, PageKind } from "../contract/routes.ts";
import { answerIn } from "../documents/answer.ts";
import { targetIn } from "../documents/link-targets.ts";
import { type Rendition, renditionOf } from "../documents/rendition.ts";
import { RESUME_KINDS, type RenditionName } from "../documents/rendition-kinds.ts";
import { plainAnswer } from "../packing/answer.ts";
import type { UserRecord } from "../records/record.ts";
import { hasPage, shownLinks } from "../records/visibility.ts";
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
} from "./reader.ts";
import type { MadeRendition } from "./rendition-writer.ts";
import type {
  FoundBody,
  FoundRendition,
  FoundTargets,
  ProfileRendition,
  StoredReader,
} from "./stored-reader.ts";
import { compileStored, DamagedRecord, makeOf, type RecordText, recordOf } from "./stored-record.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** What each file of a profile is. */
const FILES: Readonly<Record<ProfileFile, ProfileRendition>> = { card: "card", resume: "public resume" };

/**
 * Reads what is stored, and makes the rest from the record: pages, cards and résumés when they are first asked for, and
 * after an upgrade the documents that are still to be compiled.
 */
export class MakingReader implements DocumentReader {
  readonly #stored: StoredReader;
  readonly #keep: (made: MadeRendition) => void;

  /** What was made can be kept, so that it is stored the next time. */
  constructor(stored: StoredReader, keep: (made: MadeRendition) => void = () => {}) {
    this.#stored = stored;
    this.#keep = keep;
  }

  readDocument(keyHash: Uint8Array, kind: DocumentKind, view: View): MaybePromise<KeyedDocument | null> {
    if (kind === "resume") return this.#readResume(keyHash, view);
    const found = this.#stored.readDocument(keyHash, kind, view);
    if (found instanceof Promise) return found.then((it) => this.#withDocument(it, view, kind));
    return this.#withDocument(found, view, kind);
  }

  #withDocument(
    found: KeyedDocument | null,
    view: View,
    kind: Exclude<DocumentKind, "resume"> | "linktree",
    slug?: string,
  ): MaybePromise<KeyedDocument | null> {
    if (found === null || found.etag !== null) return found;
    return next(this.#stored.readRecord(found.userNumber), (user) => {
      if (!user) return null;
      const { documents } = made(user, compileStored);
      return { ...found, ...answerIn(documents, view, kind, slug) };
    });
  }

  #readResume(keyHash: Uint8Array, view: View): MaybePromise<KeyedDocument | null> {
    return next(this.#stored.readResume(keyHash, view), (found) => {
      if (found === null || found.etag !== null) return found;
      const name = { kind: RESUME_KINDS[view], treeId: "" } as const;
      return next(this.#make(found.userNumber, name), (resume) => ({
        ...found,
        etag: resume?.etag ?? null,
        body: resume?.body ?? null,
      }));
    });
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): MaybePromise<KeyedDocument | null> {
    return next(this.#stored.readLinkTree(keyHash, slug, view), (found) =>
      found?.isCompiled ? found : this.#withDocument(found, view, "linktree", slug),
    );
  }

  readPage(slug: string): MaybePromise<StoredPage | null> {
    return next(this.#stored.readPage(slug), (found) => found && this.#page(found, "page"));
  }

  readPageTag(slug: string): MaybePromise<PageTag | null> {
    return next(this.#stored.readPageTag(slug), (found) => found && this.#tag(found, "page"));
  }

  readProfilePage(slug: string): MaybePromise<StoredProfilePage | null> {
    return next(this.#stored.readProfile(slug, "profile"), (found) => found && this.#page(found, "profile"));
  }

  readProfilePageTag(slug: string): MaybePromise<PageTag | null> {
    return next(this.#stored.readProfileTag(slug), (found) => found && this.#tag(found, "profile"));
  }

  readProfileFile(slug: string, file: ProfileFile): MaybePromise<StoredFile | null> {
    return next(this.#stored.readProfile(slug, FILES[file]), (found) =>
      next(found && this.#made(found, FILES[file], isPublic), (it) =>
        it ? { etag: it.etag, body: it.body } : null,
      ),
    );
  }

  #page(found: FoundBody, kind: "page" | "profile"): MaybePromise<StoredPage | null> {
    const { userNumber, treeId } = found;
    return next(this.#made(found, kind), (it) => {
      if (!it) return null;
      const { etag, pictureOrigin, opening, scene, body } = it;
      return { userNumber, treeId, etag, pictureOrigin, opening, scene, html: body };
    });
  }

  #tag(found: FoundRendition, kind: "page" | "profile"): MaybePromise<PageTag | null> {
    const { etag, pictureOrigin } = found;
    if (etag !== null && pictureOrigin !== null) return { etag, pictureOrigin };
    return next(this.#make(found.userNumber, nameOf(kind, found)), (it) =>
      it ? { etag: it.etag, pictureOrigin: it.pictureOrigin } : null,
    );
  }

  #made(
    found: FoundBody,
    kind: RenditionName["kind"],
    isFor = anybody,
  ): MaybePromise<Omit<Rendition, "kind"> | undefined> {
    const { treeId, etag, pictureOrigin, opening, scene, body } = found;
    if (etag !== null && pictureOrigin !== null && opening !== null && scene !== null && body !== null)
      return { treeId, etag, pictureOrigin, opening, scene, body };
    return this.#make(found.userNumber, nameOf(kind, found), isFor);
  }

  /** Nothing where the record has no such thing to show, or not to whoever asks. */
  #make(userNumber: number, name: RenditionName, isFor = anybody): MaybePromise<Rendition | undefined> {
    return next(this.#stored.readRecord(userNumber), (user) => {
      if (!user) return undefined;
      const rendition = made(user, (it) => {
        const record = recordOf(it);
        return isFor(record) ? makeOf(it, () => renditionOf(record, name)) : undefined;
      });
      // Until its documents are compiled, nothing says which version of the record it is of.
      if (rendition && user.etag) this.#keep({ ...rendition, userNumber, madeOf: user.etag });
      return rendition;
    });
  }

  readLink(slug: string, linkId: string): MaybePromise<StoredLink | null> {
    return next(this.#stored.readTargets(slug, linkId), (found) => {
      if (!found) return null;
      const { userNumber, treeId } = found;
      return next(this.#target(found, linkId), (url) =>
        url === undefined ? null : { userNumber, treeId, url },
      );
    });
  }

  #target(found: FoundTargets, linkId: string): MaybePromise<string | undefined> {
    const { userNumber, treeId, targets, body, length, checksum } = found;
    if (targets !== null) {
      const all = JSON.parse(targets) as Record<string, string>;
      return Object.hasOwn(all, linkId) ? all[linkId] : undefined;
    }
    if (body !== null)
      return targetIn(Buffer.from(plainAnswer({ body, length, checksum })).toString(), linkId);
    return next(this.#stored.readRecord(userNumber), (user) => {
      const tree = user && made(user, recordOf).linkTrees.find(({ id }) => id === treeId);
      return tree && hasPage(tree) ? shownLinks(tree).find(({ id }) => id === linkId)?.url : undefined;
    });
  }

  readPreview(kind: PageKind, slug: string): MaybePromise<StoredPreview | null> {
    return next(this.#stored.readPreview(kind, slug), (found) => {
      if (!found) return null;
      const { userNumber, treeId, drawnScene, bytes } = found;
      const name = nameOf(kind === "t" ? "page" : "profile", found);
      const scene = found.scene ?? next(this.#make(userNumber, name), (it) => it?.scene);
      return next(scene, (it) =>
        it === undefined ? null : { userNumber, treeId, scene: it, bytes: drawnScene === it ? bytes : null },
      );
    });
  }

  /** What is stored does not tell of every page whether it is there. */
  readMovedPage(kind: PageKind, slug: string): MaybePromise<string | null> {
    return next(this.#stored.readMovedPage(kind, slug), (found) => {
      if (found === null) return null;
      const tag = kind === "t" ? this.readPageTag(found) : this.readProfilePageTag(found);
      return next(tag, (it) => it && found);
    });
  }

  readOnlyProfile(): MaybePromise<string | null> {
    return this.#stored.readOnlyProfile();
  }

  readPicture(hash: string): MaybePromise<StoredPicture | null> {
    return this.#stored.readPicture(hash);
  }

  ping(): MaybePromise<void> {
    return this.#stored.ping();
  }

  get isReplicaUp(): boolean | undefined {
    return this.#stored.isReplicaUp;
  }

  close(): MaybePromise<void> {
    return this.#stored.close();
  }
}

type Audience = (record: UserRecord) => boolean;

const anybody: Audience = () => true;

/** A key that sees the public view has the résumé of a private profile too, and everybody only that of a public one. */
const isPublic: Audience = ({ profile }) => profile.isPublic;

function nameOf(kind: RenditionName["kind"], { treeId }: { readonly treeId: string }): RenditionName {
  return { kind, treeId } as RenditionName;
}

/** What is made of a record. Nobody can be served from one that is damaged. */
function made<Result>(user: RecordText, make: (user: RecordText) => Result): Result {
  try {
    return make(user);
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    throw new StoreUnavailable("nothing can be made of a record", { cause: error });
  }
}
