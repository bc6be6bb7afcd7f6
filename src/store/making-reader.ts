import type { MaybePromise } from "../async/maybe-promise.ts";
import { SharedInTurn } from "../async/turn.ts";
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
  FoundLinkTree,
  FoundRecord,
  FoundRendition,
  FoundTargets,
  ProfileRendition,
  StoredKind,
  StoredReader,
} from "./stored-reader.ts";
import { compileStored, DamagedRecord, makeOf, type RecordText, recordOf } from "./stored-record.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** A document that is not there is still to be compiled, unless it is said that the user has no such one. */
type Completable = KeyedDocument & Partial<Pick<FoundLinkTree, "isCompiled">>;

/** Whether a document is to be made. For a key that was revoked, which is refused, nothing is. */
function isWanting({ etag, revokedAt }: KeyedDocument): boolean {
  return etag === null && revokedAt === null;
}

/** What each file of a profile is. */
const FILES: Readonly<Record<ProfileFile, ProfileRendition>> = { card: "card", resume: "public resume" };

/**
 * Reads what is stored, and makes the rest from the record: pages, cards and résumés when they are first asked for, and
 * after an upgrade the documents that are still to be compiled.
 */
export class MakingReader implements DocumentReader {
  readonly #stored: StoredReader;
  readonly #keep: (made: MadeRendition) => void;
  /** What is large takes a second to make: those who ask together for what was not yet made get the same. */
  readonly #found = new SharedInTurn<FoundRecord | null>();
  readonly #records = new SharedInTurn<UserRecord>();
  readonly #renditions = new SharedInTurn<Rendition | undefined>();

  /** What was made can be kept, so that it is stored the next time. */
  constructor(stored: StoredReader, keep: (made: MadeRendition) => void = () => {}) {
    this.#stored = stored;
    this.#keep = keep;
  }

  readDocument(keyHash: Uint8Array, kind: DocumentKind, view: View): MaybePromise<KeyedDocument | null> {
    if (kind === "resume") return this.#readResume(keyHash, view);
    return this.#completed(this.#stored.readDocument(keyHash, kind, view), view, kind);
  }

  /** What was found, and where it is still to be compiled, with the document that the record makes. */
  #completed(
    found: MaybePromise<Completable | null>,
    view: View,
    kind: StoredKind | "linktree",
    slug?: string,
  ): MaybePromise<KeyedDocument | null> {
    if (found instanceof Promise) return found.then((it) => this.#completed(it, view, kind, slug));
    if (found === null || found.isCompiled || !isWanting(found)) return found;
    return this.#withDocument(found, view, kind, slug);
  }

  async #withDocument(
    found: KeyedDocument,
    view: View,
    kind: StoredKind | "linktree",
    slug?: string,
  ): Promise<KeyedDocument | null> {
    const user = await this.#stored.readRecord(found.userNumber);
    if (!user) return null;
    const { documents } = made(user, compileStored);
    return { ...found, ...answerIn(documents, view, kind, slug) };
  }

  async #readResume(keyHash: Uint8Array, view: View): Promise<KeyedDocument | null> {
    const found = await this.#stored.readResume(keyHash, view);
    if (found === null || !isWanting(found)) return found;
    const resume = await this.#make(found.userNumber, { kind: RESUME_KINDS[view], treeId: "" });
    return { ...found, etag: resume?.etag ?? null, body: resume?.body ?? null };
  }

  readLinkTree(keyHash: Uint8Array, slug: string, view: View): MaybePromise<KeyedDocument | null> {
    return this.#completed(this.#stored.readLinkTree(keyHash, slug, view), view, "linktree", slug);
  }

  async readPage(slug: string): Promise<StoredPage | null> {
    const found = await this.#stored.readPage(slug);
    return found && this.#page(found, "page");
  }

  async readPageTag(slug: string): Promise<PageTag | null> {
    const found = await this.#stored.readPageTag(slug);
    return found && this.#tag(found, "page");
  }

  async readProfilePage(slug: string): Promise<StoredProfilePage | null> {
    const found = await this.#stored.readProfile(slug, "profile");
    return found && this.#page(found, "profile");
  }

  async readProfilePageTag(slug: string): Promise<PageTag | null> {
    const found = await this.#stored.readProfileTag(slug);
    return found && this.#tag(found, "profile");
  }

  async readProfileFile(slug: string, file: ProfileFile): Promise<StoredFile | null> {
    const found = await this.#stored.readProfile(slug, FILES[file]);
    const it = found && (await this.#made(found, FILES[file], isPublic));
    return it ? { etag: it.etag, body: it.body } : null;
  }

  async #page(found: FoundBody, kind: "page" | "profile"): Promise<StoredPage | null> {
    const { userNumber, treeId } = found;
    const it = await this.#made(found, kind);
    if (!it) return null;
    const { etag, pictureOrigin, opening, scene, body } = it;
    return { userNumber, treeId, etag, pictureOrigin, opening, scene, html: body };
  }

  async #tag(found: FoundRendition, kind: "page" | "profile"): Promise<PageTag | null> {
    const { etag, pictureOrigin } = found;
    if (etag !== null && pictureOrigin !== null) return { etag, pictureOrigin };
    const it = await this.#make(found.userNumber, nameOf(kind, found));
    return it ? { etag: it.etag, pictureOrigin: it.pictureOrigin } : null;
  }

  async #made(
    found: FoundBody,
    kind: RenditionName["kind"],
    isFor = anybody,
  ): Promise<Omit<Rendition, "kind"> | undefined> {
    const { treeId, etag, pictureOrigin, opening, scene, body } = found;
    if (etag !== null && pictureOrigin !== null && opening !== null && scene !== null && body !== null)
      return { treeId, etag, pictureOrigin, opening, scene, body };
    return this.#make(found.userNumber, nameOf(kind, found), isFor);
  }

  /** Nothing where the record has no such thing to show, or not to whoever asks. */
  async #make(userNumber: number, name: RenditionName, isFor = anybody): Promise<Rendition | undefined> {
    const user = await this.#found.get(`${userNumber}`, async () => this.#stored.readRecord(userNumber));
    if (!user) return undefined;
    const version = `${userNumber} ${user.etag}`;
    const record = await this.#records.get(version, async () => made(user, recordOf));
    if (!isFor(record)) return undefined;
    return this.#renditions.get(`${version} ${name.kind} ${name.treeId}`, async () => {
      const rendition = made(user, (it) => makeOf(it, () => renditionOf(record, name)));
      // Until its documents are compiled, nothing says which version of the record it is of.
      if (rendition && user.etag) this.#keep({ ...rendition, userNumber, madeOf: user.etag });
      return rendition;
    });
  }

  async readLink(slug: string, linkId: string): Promise<StoredLink | null> {
    const found = await this.#stored.readTargets(slug, linkId);
    if (!found) return null;
    const { userNumber, treeId } = found;
    const url = await this.#target(found, linkId);
    return url === undefined ? null : { userNumber, treeId, url };
  }

  async #target(found: FoundTargets, linkId: string): Promise<string | undefined> {
    const { userNumber, treeId, targets, body, length, checksum } = found;
    if (targets !== null) {
      const all = JSON.parse(targets) as Record<string, string>;
      return Object.hasOwn(all, linkId) ? all[linkId] : undefined;
    }
    if (body !== null)
      return targetIn(Buffer.from(plainAnswer({ body, length, checksum })).toString(), linkId);
    const user = await this.#stored.readRecord(userNumber);
    const tree = user && made(user, recordOf).linkTrees.find(({ id }) => id === treeId);
    return tree && hasPage(tree) ? shownLinks(tree).find(({ id }) => id === linkId)?.url : undefined;
  }

  async readPreview(kind: PageKind, slug: string): Promise<StoredPreview | null> {
    const found = await this.#stored.readPreview(kind, slug);
    if (!found) return null;
    const { userNumber, treeId, drawnScene, bytes } = found;
    const name = nameOf(kind === "t" ? "page" : "profile", found);
    const scene = found.scene ?? (await this.#make(userNumber, name))?.scene;
    return scene === undefined
      ? null
      : { userNumber, treeId, scene, bytes: drawnScene === scene ? bytes : null };
  }

  /** What is stored does not tell of every page whether it is there. */
  async readMovedPage(kind: PageKind, slug: string): Promise<string | null> {
    const found = await this.#stored.readMovedPage(kind, slug);
    if (found === null) return null;
    const tag = await (kind === "t" ? this.readPageTag(found) : this.readProfilePageTag(found));
    return tag && found;
  }

  async readOnlyProfile(): Promise<string | null> {
    return this.#stored.readOnlyProfile();
  }

  async readPicture(hash: string): Promise<StoredPicture | null> {
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
