import type { View } from "../contract/access.ts";
import type { Belongings } from "./belongings.ts";
import type { Count } from "./count-writer.ts";
import type { RecordText } from "./stored-record.ts";
import type { SchemaVersion } from "./unavailable.ts";

export interface UserRow extends RecordText {
  /** The store's own number. A copy keeps it, and with it the order of users. */
  readonly number: number;
}

/** A user with all that is the user's alone, but for keys and counts. */
export interface WholeUser extends UserRow {
  readonly belongings: Belongings;
}

export interface KeyRow {
  readonly hash: Uint8Array;
  readonly id: string;
  readonly userNumber: number;
  readonly userId: string;
  readonly name: string | null;
  readonly view: View;
  /** Joined by commas, or null for all. */
  readonly paths: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

export type CountRow = Count;

/** A hook as it is stored. What waits for it, and its log, are not copied. */
export interface StoredHook {
  readonly id: string;
  readonly userNumber: number;
  readonly url: string;
  readonly headers: string;
  readonly body: string | null;
  readonly secret: string | null;
  readonly events: string;
  readonly createdAt: number;
  readonly failingSince: number | null;
  readonly disabledAt: number | null;
}

export interface Totals {
  readonly users: number;
  readonly keys: number;
  readonly hooks: number;
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
  /** What belongs to each of these users. Not in databases of an earlier version. */
  belongingsOf(users: readonly UserRow[]): Promise<Belongings[]>;
  /** By hash. */
  keysAfter(last: KeyRow | undefined): Promise<KeyRow[]>;
  /** By id. */
  hooksAfter(last: StoredHook | undefined): Promise<StoredHook[]>;
  /** By user, tree, link and day. */
  countsAfter(last: CountRow | undefined): Promise<CountRow[]>;
}

/** A database of any version, as it is. It is only read. Users can be read in all versions. */
export interface Source {
  schemaVersion(): Promise<SchemaVersion>;
  /** Faults of the storage itself, in the engine's words. Empty when sound. */
  integrityFaults(): Promise<string[]>;
  findUser(email: string): Promise<UserRow | null>;
  /** What is read meanwhile is as of one moment, while others go on writing. */
  asOfOneMoment<Result>(work: (contents: Contents) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A database to copy to. Each call is one transaction. */
export interface ContentsWriter {
  readonly contents: Contents;
  /** Adds users by their numbers with what belongs to them, and compiles their documents. */
  putUsers(users: readonly WholeUser[]): Promise<void>;
  /** Adds keys, or sets those that are there. Their owners must exist. */
  putKeys(keys: readonly KeyRow[]): Promise<void>;
  /** The same for hooks. */
  putHooks(hooks: readonly StoredHook[]): Promise<void>;
  /** Adds counts, or sets those that are there. Their owners must exist. */
  putCounts(counts: readonly CountRow[]): Promise<void>;
  /** Deletes users with all that is theirs. */
  deleteUsers(users: readonly UserRow[]): Promise<void>;
  close(): Promise<void>;
}

/** Users come with their records and go with their documents, so they are handled fewer at a time. */
export const USER_STEP = 250;
export const SMALL_STEP = 2000;
