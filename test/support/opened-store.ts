import type { KeyPath, View } from "../../src/contract/access.ts";
import type { DocumentKind, PageKind } from "../../src/contract/routes.ts";
import { hashKey, mintKey } from "../../src/keys/key.ts";
import { plainAnswer } from "../../src/packing/answer.ts";
import type { UserRecord } from "../../src/records/record.ts";
import type { ServingWriter } from "../../src/store/hook-queue.ts";
import { MakingReader } from "../../src/store/making-reader.ts";
import type {
  DocumentReader,
  KeyedDocument,
  StoredLink,
  StoredPage,
  StoredPicture,
  StoredPreview,
} from "../../src/store/reader.ts";
import type { MadeRendition } from "../../src/store/rendition-writer.ts";
import {
  type Discrepancy,
  type KeyInfo,
  RecordsRefused,
  type RefusedRecord,
  type Saved,
  type Store,
} from "../../src/store/store.ts";
import { HandClock } from "./clock.ts";
import { integrityFaults, recordsAt } from "./databases.ts";
import type { Engine, TestDatabase } from "./engines.ts";
import { checkedRecord, writtenRecord } from "./records.ts";

export const FIRST_EMAIL = writtenRecord(1).email;

interface KeyOptions {
  readonly email?: string;
  readonly name?: string | null;
  readonly expiresAt?: number | null;
  readonly view?: View;
  readonly paths?: readonly KeyPath[] | null;
}

/** A fresh database with its write side and its read side open, and a clock that the test moves. */
export interface OpenedStore extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly clock: HandClock;
  readonly store: Store;
  readonly reader: DocumentReader;
  /** What a server writes beside its answers. */
  readonly writer: ServingWriter;
  /** Checks records as they were written, and saves them in one batch. */
  save(...written: unknown[]): Promise<Saved[]>;
  /** What is wrong with these records, or nothing. Fails if a refused save has written something. */
  refusals(...written: unknown[]): Promise<readonly RefusedRecord[]>;
  /** The stored record of a user who must exist. */
  record(email?: string): Promise<UserRecord>;
  records(): Promise<UserRecord[]>;
  /** Faults of the storage itself. */
  integrityFaults(): Promise<string[]>;
  discrepancies(): Promise<Discrepancy[]>;
  /** A new key; the first person's unless said otherwise. */
  key(options?: KeyOptions): Promise<{ hash: Uint8Array; info: KeyInfo }>;
  /** What the next request would read. */
  read(hash: Uint8Array, kind: DocumentKind, view?: View): Promise<KeyedDocument | null>;
  readTree(hash: Uint8Array, slug: string, view?: View): Promise<KeyedDocument | null>;
  /** What the next visitor would be shown, and where they would be sent. */
  readPage(slug: string): Promise<StoredPage | null>;
  readLink(slug: string, linkId: string): Promise<StoredLink | null>;
  readPicture(hash: string): Promise<StoredPicture | null>;
  readPreview(kind: PageKind, slug: string): Promise<StoredPreview | null>;
  /** Takes what was made for readers since the last time, and was not stored. */
  takeMade(): MadeRendition[];
  /** Has it stored, as a server does beside its answers. */
  keepMade(): Promise<void>;
}

export async function openStore(engine: Engine): Promise<OpenedStore> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await engine.create({ mayHaveSchema: true }));
  const clock = new HandClock();
  const store = stack.adopt(await database.lendStore(clock.now), (it) => it.close());
  const writer = stack.adopt(await database.lendCountWriter(), async (it) => it.close());
  let made: MadeRendition[] = [];
  const stored = await database.lendStoredReader();
  const reader = stack.adopt(new MakingReader(stored, (it) => made.push(it)), async (it) => it.close());

  const opened: OpenedStore = {
    database,
    clock,
    store,
    reader,
    writer,
    save: (...written) => store.records.save(written.map(checkedRecord)),
    async refusals(...written) {
      const before = await opened.records();
      const failure: unknown = await opened.save(...written).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) return [];
      if (!(failure instanceof RecordsRefused)) throw failure;
      const after = await opened.records();
      if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error("a refused save wrote something");
      return failure.refused;
    },
    async record(email = FIRST_EMAIL) {
      const record = await store.records.find(email);
      if (!record) throw new Error(`no record of ${email}`);
      return record;
    },
    records: () => recordsAt(database.location),
    integrityFaults: () => integrityFaults(database.location),
    discrepancies: () => Array.fromAsync(store.upkeep.discrepancies(() => {})),
    async key({ email = FIRST_EMAIL, name = null, expiresAt = null, view = "full", paths = null } = {}) {
      const hash = hashKey(mintKey(view));
      const [info] = await store.keys.create([{ email, hash, name, expiresAt, view, paths }]);
      if (!info) throw new Error("no key was made");
      return { hash, info };
    },
    async read(hash, kind, view = "full") {
      await nextTurn();
      return reader.readDocument(hash, kind, view);
    },
    async readTree(hash, slug, view = "full") {
      await nextTurn();
      return reader.readLinkTree(hash, slug, view);
    },
    async readPage(slug) {
      await nextTurn();
      return reader.readPage(slug);
    },
    async readLink(slug, linkId) {
      await nextTurn();
      return reader.readLink(slug, linkId);
    },
    async readPicture(hash) {
      await nextTurn();
      return reader.readPicture(hash);
    },
    async readPreview(kind, slug) {
      await nextTurn();
      return reader.readPreview(kind, slug);
    },
    takeMade() {
      const taken = made;
      made = [];
      return taken;
    },
    async keepMade() {
      await writer.renditions.keep(opened.takeMade());
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
  return opened;
}

/** What was read, with the text that it stands for: nothing where there is no such document. */
export function answerOf(found: KeyedDocument | null): { etag: string; text: string } | undefined {
  if (!found || found.etag === null || found.body === null) return undefined;
  const { etag, body, length, checksum } = found;
  return { etag, text: new TextDecoder().decode(plainAnswer({ body, length, checksum })) };
}

/** The next request is always handled in another turn of the event loop than what came before it. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
