import type { Difference } from "../documents/compare.ts";
import type { Compiled } from "../documents/compile.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Problem } from "../records/problems.ts";
import type { UserRecord } from "../records/record.ts";
import type { RecordInput } from "../records/schema.ts";
import type { Count } from "./tracking-writer.ts";

export type Change = "created" | "updated" | "unchanged";

export interface Saved {
  readonly change: Change;
  readonly email: string;
}

export interface PlannedChange extends Saved {
  /** The id of the stored user whom the record concerns, where there is one. */
  readonly earlierId: string | undefined;
}

/** A batch that is planned and compiled, ready to be written. Plain data, so that another thread can make it. */
export interface PreparedBatch {
  readonly saves: readonly PreparedSave[];
}

/** A text, or its bytes: what a thread has handed over is stored as it is. */
export type LongText = string | Uint8Array;

export interface PreparedSave extends Saved {
  readonly id: string;
  readonly profileSlug: string;
  /** The stored user as it was found; the save holds only while it is still so. */
  readonly earlier: { readonly number: number; readonly etag: string } | undefined;
  /** Absent where nothing is to be written. */
  readonly compiled: Compiled<LongText> | undefined;
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
  readonly updatedAt: string;
}

export interface KeyInfo {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface NewKey {
  readonly email: string;
  readonly hash: Uint8Array;
  readonly name: string | null;
  readonly expiresAt: number | null;
}

/** Views of a tree on one day or, where there is a link, clicks on it. */
export type TreeCount = Omit<Count, "userNumber">;

/** A user's document that is not what the record compiles to. */
export interface Discrepancy extends Difference {
  readonly email: string;
}

export interface SchemaVersion {
  readonly found: number;
  readonly expected: number;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The whole of a store: records, keys and upkeep. Only the command line opens one. */
export interface Store {
  /** What `save` would do with these records, or the problems for which it would refuse them. */
  plan(inputs: readonly RecordInput[]): Promise<{ changes: PlannedChange[] } | { refused: RefusedRecord[] }>;
  /** Saves all of these records and their documents in one transaction, or throws `RecordsRefused`. */
  save(inputs: readonly RecordInput[]): Promise<Saved[]>;
  /** Does the part of `save` that needs no lock. Throws `RecordsRefused`. */
  prepare(inputs: readonly RecordInput[]): Promise<PreparedBatch>;
  /** Writes a prepared batch, or writes nothing and returns null if what it builds on has changed since. */
  commit(batch: PreparedBatch): Promise<Saved[] | null>;
  findRecord(email: string): Promise<UserRecord | null>;
  /** All records in the order they were created. */
  records(): AsyncIterable<UserRecord>;
  countUsers(): Promise<number>;
  users(): AsyncIterable<UserSummary>;
  /** Deletes the user with keys and documents. False when there is no such user. */
  deleteUser(email: string): Promise<boolean>;

  /** What was counted for a user's link trees on this day (such as 2026-04-12, in UTC) and after it. */
  countsSince(email: string, day: string): Promise<TreeCount[]>;

  /** Stores all of these keys in one transaction. Their owners must exist. */
  createKeys(keys: readonly NewKey[]): Promise<KeyInfo[]>;
  keysOf(email: string): Promise<KeyInfo[]>;
  findKey(id: string): Promise<KeyInfo | null>;
  /** Revoking a key again changes nothing. */
  revokeKey(id: string): Promise<KeyInfo | null>;
  /** Adds a key beside an old one, which stops working at the given time if not before. */
  rotateKey(
    id: string,
    next: { hash: Uint8Array; expiresAt: number | null; oldExpiresAt: number },
  ): Promise<KeyInfo>;

  schemaVersion(): Promise<SchemaVersion>;
  /** Faults of the storage itself, in the engine's words. Empty when sound. */
  integrityFaults(): Promise<string[]>;
  /** Compares every document with what its record compiles to. */
  discrepancies(onProgress: (progress: Progress) => void): AsyncIterable<Discrepancy>;
  /** Compiles all documents anew from their records. Returns how many users there were. */
  rebuild(onProgress: (progress: Progress) => void): Promise<number>;
  close(): Promise<void>;
}

/** A store that is filled out of sight and put in its place as a whole. All that is added must be new. */
export interface StoreBuild {
  /** Nothing where a value is found to be taken. */
  add(batch: PreparedBatch): Promise<Saved[] | null>;
  /** Puts the store in its place, safe on the disk. False, and nothing is done, if that cannot be. */
  finish(): Promise<boolean>;
  /** Leaves nothing behind. */
  discard(): MaybePromise<void>;
}
