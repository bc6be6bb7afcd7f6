import type { Count } from "./tracking-writer.ts";

export interface UserRow {
  /** The store's own number. A copy keeps it, and with it the order of users. */
  readonly number: number;
  readonly id: string;
  readonly email: string;
  /** The record as its text. */
  readonly record: string;
}

export interface KeyRow {
  readonly hash: Uint8Array;
  readonly id: string;
  readonly userNumber: number;
  readonly userId: string;
  readonly name: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

export type CountRow = Count;

export interface Totals {
  readonly users: number;
  readonly keys: number;
  readonly counts: number;
}

/**
 * All that a database holds but cannot make by itself, as it is stored. Each kind of row comes some at a time, in
 * the order of its key, which is the same on every engine; so two databases can be read side by side.
 */
export interface Contents {
  totals(): Promise<Totals>;
  /** By number. */
  usersAfter(last: UserRow | undefined): Promise<UserRow[]>;
  /** By hash. */
  keysAfter(last: KeyRow | undefined): Promise<KeyRow[]>;
  /** By user, tree, link and day. */
  countsAfter(last: CountRow | undefined): Promise<CountRow[]>;
}

/** A database to copy from. It is only read, and not even brought up to date. */
export interface ContentsReader {
  schemaVersion(): Promise<{ found: number; expected: number }>;
  /** Whatever is read meanwhile is as of one moment, while others go on writing. */
  asOfOneMoment<Result>(work: (contents: Contents) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A database to copy to. Each call is one transaction. */
export interface ContentsWriter {
  readonly contents: Contents;
  /** Adds users by their numbers, and compiles their documents. */
  putUsers(users: readonly UserRow[]): Promise<void>;
  /** Adds keys, or sets those that are there. Their owners must exist. */
  putKeys(keys: readonly KeyRow[]): Promise<void>;
  /** Adds counts, or sets those that are there. Their owners must exist. */
  putCounts(counts: readonly CountRow[]): Promise<void>;
  /** Deletes users with all that is theirs. */
  deleteUsers(users: readonly UserRow[]): Promise<void>;
  close(): Promise<void>;
}

/** Users come with their records and go with their documents, so they are handled fewer at a time. */
export const USER_STEP = 250;
export const SMALL_STEP = 2000;
