import type { KeyPath, View } from "../contract/access.ts";
import type { Difference } from "../documents/compare.ts";
import type { Documents } from "../documents/compile.ts";
import type { RecordPart } from "../records/changes.ts";
import type { FormerSlug } from "../records/former-slugs.ts";
import type { Problem } from "../records/problems.ts";
import type { UserRecord } from "../records/record.ts";
import type { RecordInput } from "../records/schema.ts";
import type { RefusedSlug } from "../records/slugs.ts";
import type { RecordFault } from "../records/stored.ts";
import type { Access } from "./access.ts";
import type { Count } from "./count-writer.ts";
import type { History, Way } from "./history.ts";
import type { Hooks } from "./hooks.ts";
import type { Pictures } from "./pictures.ts";
import type { DamagedUser } from "./stored-record.ts";

/** The whole of a store, by what it is about. The request path has none: it reads through a `DocumentReader`. */
export interface Store {
  readonly records: Records;
  readonly keys: Keys;
  readonly hooks: Hooks;
  readonly counts: Counts;
  readonly upkeep: Upkeep;
  readonly history: History;
  readonly pictures: Pictures;
  readonly access: Access;
  /**
   * Whether another file has taken the place of this database, or none is there any more: what is written here then is
   * lost with it.
   */
  isReplaced(): boolean;
  close(): Promise<void>;
}

/** Users with their records, from which documents are compiled. */
export interface Records {
  /** Saves all of these records and their documents in one transaction, or throws `RecordsRefused`. */
  save(inputs: readonly RecordInput[], way?: Way): Promise<Saved[]>;
  /** Saves the record of a user who must exist, by its id, if nobody has since this revision. Throws `OtherRevision`. */
  saveRevision(input: RecordInput & { id: string }, revision: string, way: Way): Promise<Saved>;
  /** Decides what saving these records comes to, without a lock. Throws `RecordsRefused`. */
  plan(inputs: readonly RecordInput[]): Promise<PlannedBatch>;
  /** Writes a compiled batch, or writes nothing and returns null if what it builds on has changed since. */
  commit(batch: CompiledBatch): Promise<Saved[] | null>;
  /** Throws `DamagedRecord`. */
  find(email: string): Promise<UserRecord | null>;
  /** By the user's id. Throws `DamagedRecord`. */
  findRevised(id: string): Promise<RevisedRecord | null>;
  /** What can be said of a user even if the record is damaged. */
  summary(email: string): Promise<UserSummary | null>;
  summaryById(id: string): Promise<UserSummary | null>;
  /** Some users, after another one, who have a text in their e-mail address or in their profile's slug. */
  search(text: string, afterId: string | undefined, most: number): Promise<UserSummary[]>;
  count(): Promise<number>;
  /** All users in the order in which they were created. */
  summaries(): AsyncIterable<UserSummary>;
  /** Deletes the user with keys and documents. False when there is no such user. */
  delete(email: string): Promise<boolean>;
}

export interface Keys {
  /** Stores all of these keys in one transaction. Throws `NoSuchUser` where one of their owners does not exist. */
  create(keys: readonly NewKey[]): Promise<KeyInfo[]>;
  of(email: string): Promise<KeyInfo[]>;
  find(id: string): Promise<KeyInfo | null>;
  /** The keys of all users that still work and will not after this time, the first to end first. */
  expiringUntil(time: number): Promise<KeyInfo[]>;
  /** Revoking a key again changes nothing. */
  revoke(id: string): Promise<KeyInfo | null>;
  /** Adds a key of the same view and paths beside an old one, which stops working at the given time if not before. */
  rotate(id: string, next: RotatedKey): Promise<KeyInfo>;
  /**
   * Undoes a rotation whose new key nobody has seen: that one is revoked, and the old one, as it was found before, ends
   * when it would have ended, unless somebody has changed that since.
   */
  undoRotation(newId: string, old: KeyInfo, oldExpiresAt: number): Promise<void>;
}

export interface Counts {
  /** What was counted for a user's link trees on this day (such as 2026-04-12, in UTC) and after it. */
  since(email: string, day: string): Promise<TreeCount[]>;
}

/** What keeps documents equal to what their records compile to. */
export interface Upkeep {
  /** Compares the documents of every user with what the record compiles to. */
  discrepancies(onProgress: (progress: Progress) => void): AsyncIterable<Discrepancy>;
  /** How many users have documents that another compiler made, or that are to be made anew. */
  outdated(): Promise<number>;
  /** Marks the documents of all users as outdated. */
  outdateAll(): Promise<void>;
  /**
   * Compiles the outdated documents of the next few users, in one transaction. Several processes can do it at the
   * same time, and a killed one loses nothing.
   */
  compileNext(): Promise<CompiledStep>;
  /**
   * Removes what only servers of an older Vitrine read, which may have run beside newer ones until now. False when there
   * is nothing of the kind.
   */
  removeLeftovers(): Promise<boolean>;
}

export type Change = "created" | "updated" | "unchanged";

export interface Saved {
  readonly change: Change;
  readonly email: string;
}

/** What saving some records comes to. Plain data, so that another thread can make it. */
export interface PlannedBatch {
  readonly saves: readonly PlannedSave[];
}

export interface PlannedSave extends Saved {
  /** What of the record is not as it was. */
  readonly changed: readonly RecordPart[];
  /** The slugs that the record gives up for others. */
  readonly formerSlugs: readonly FormerSlug[];
  readonly id: string;
  readonly profileSlug: string;
  /** The stored user as it was found; the save holds only while it is still so. */
  readonly earlier: { readonly number: number; readonly etag: string } | undefined;
  /** Absent where nothing is to be written. */
  readonly record: UserRecord | undefined;
  /** The hash of the picture that the record shows, if it can be one of ours. */
  readonly picture: string | undefined;
  /** The text of the record that is replaced. Absent where there is none. */
  readonly replaced: string | undefined;
}

/** A batch that is ready to be written. Plain data, too. */
export interface CompiledBatch {
  readonly saves: readonly CompiledSave[];
}

export interface CompiledSave extends Omit<PlannedSave, "record" | "replaced"> {
  /** Absent where nothing is to be written. */
  readonly compiled: PackedUser | undefined;
  /** The record that is replaced, compressed for the history. Absent where there is none. */
  readonly replaced: Uint8Array | undefined;
}

/** What is written of a user: the record, compressed, and the documents. */
export interface PackedUser {
  readonly record: Uint8Array;
  readonly updatedAt: string;
  readonly documents: Documents;
}

export interface RevisedRecord {
  readonly record: UserRecord;
  /** Says which version of the record it is. */
  readonly revision: string;
}

/** Thrown where a save builds on another version of the record than the one that is stored. Nothing was written. */
export class OtherRevision extends Error {
  override readonly name = "OtherRevision";

  constructor() {
    super("the record has been changed since");
  }
}

/** A problem of one record among several, by its position in what was given. */
export interface RefusedRecord {
  readonly index: number;
  readonly problem: Problem;
}

/** Thrown by `save` when a record of the batch cannot be stored. Nothing of the batch was written. */
export class RecordsRefused extends Error {
  override readonly name = "RecordsRefused";
  readonly refused: readonly RefusedRecord[];

  constructor(refused: readonly RefusedRecord[]) {
    super(`${refused.length} problem(s) in the records`);
    this.refused = refused;
  }
}

export interface UserSummary {
  readonly id: string;
  readonly email: string;
  readonly profileSlug: string;
  readonly linkTrees: number;
  readonly activeKeys: number;
  /** Null where the record does not even tell that. */
  readonly updatedAt: string | null;
}

export interface KeyInfo {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly view: View;
  /** The paths that it is confined to, or null where it may read all. */
  readonly paths: readonly KeyPath[] | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface NewKey {
  readonly email: string;
  /** The hash of a key whose text is of the same view. */
  readonly hash: Uint8Array;
  readonly name: string | null;
  readonly expiresAt: number | null;
  /** Full unless said otherwise. */
  readonly view?: View;
  /** All paths unless said otherwise. */
  readonly paths?: readonly KeyPath[] | null;
}

export interface RotatedKey {
  readonly hash: Uint8Array;
  readonly expiresAt: number | null;
  readonly oldExpiresAt: number;
}

/** Views of a tree on one day or, where there is a link, clicks on it. */
export type TreeCount = Omit<Count, "userNumber">;

/** A user whose documents are not what the record compiles to, or whose record is damaged or against a newer rule. */
export interface Discrepancy {
  readonly email: string;
  /** What is wrong with the record. Then there is nothing to compare documents with. */
  readonly recordFault?: RecordFault;
  readonly differences: readonly Difference[];
  /** Whether the documents are, by their own tags, what was compiled once. */
  readonly areDocumentsIntact: boolean;
  readonly refusedSlugs: readonly RefusedSlug[];
}

/** What became of some users whose documents were to be compiled. */
export interface CompiledStep {
  /** How many users these were: 0 when there is nothing left to do. */
  readonly users: number;
  /** Those among them whose records are damaged. Their documents stay as they are. */
  readonly damaged: readonly DamagedUser[];
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** How many users one step of a long operation handles. */
export const STEP = 500;
