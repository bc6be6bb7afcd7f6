import type { Belongings } from "../../store/belongings.ts";
import type {
  Contents,
  ContentsWriter,
  CountRow,
  KeyRow,
  StoredHook,
  Totals,
  UserRow,
  WholeUser,
} from "../../store/contents.ts";
import { recordOf } from "../../store/stored-record.ts";

/** A row of the target that cannot be what an earlier copy of this source has left, and why it cannot. */
export type Foreign =
  | { readonly what: "user"; readonly email: string; readonly fault: "unknown" | "newer" }
  | { readonly what: "key"; readonly id: string; readonly fault: "unknown" | "used or ended" }
  | { readonly what: "hook"; readonly id: string }
  | { readonly what: "count"; readonly day: string };

/** What is copied, row by row: how two databases are compared, and how one is written. */
export interface Kind<Row> {
  readonly name: keyof Totals;
  readonly readAfter: (contents: Contents, last: Row | undefined) => Promise<Row[]>;
  readonly put: (target: ContentsWriter, rows: readonly Row[]) => Promise<void>;
  /** By the key of the rows, in the order in which they are read. */
  readonly compare: (one: Row, other: Row) => number;
  /** For two rows of one key. */
  readonly isSame: (one: Row, other: Row) => boolean;
  /**
   * Tells a row of the target that no copy of this source has left. All that is stored moves in one direction
   * (records get newer, keys are used and ended, counts grow), so what is ahead of the source was written by
   * somebody else, and would be lost.
   */
  readonly foreign: (source: Row | undefined, target: Row) => Foreign | undefined;
}

export const USERS: Kind<WholeUser> = {
  name: "users",
  async readAfter(contents, last) {
    const users = await contents.usersAfter(last);
    const belongings = await contents.belongingsOf(users);
    return users.map((user, index) => ({ ...user, belongings: belongings[index] as Belongings }));
  },
  put: (target, rows) => target.putUsers(rows),
  compare: (one, other) => one.number - other.number,
  isSame: (one, other) =>
    one.id === other.id &&
    one.email === other.email &&
    one.record === other.record &&
    JSON.stringify(one.belongings) === JSON.stringify(other.belongings),
  foreign(source, target) {
    const { id, email } = target;
    if (source?.id !== id) return { what: "user", email, fault: "unknown" };
    return updatedAt(target) > updatedAt(source) ? { what: "user", email, fault: "newer" } : undefined;
  },
};

export const KEYS: Kind<KeyRow> = {
  name: "keys",
  readAfter: (contents, last) => contents.keysAfter(last),
  put: (target, rows) => target.putKeys(rows),
  compare: (one, other) => Buffer.compare(one.hash, other.hash),
  isSame: ({ hash: _, ...one }, { hash: __, ...other }) => isSameRow(one, other),
  foreign(source, target) {
    const { id, userNumber } = target;
    if (source?.id !== id || source.userNumber !== userNumber) return { what: "key", id, fault: "unknown" };
    const wasUsed = (target.lastUsedAt ?? 0) > (source.lastUsedAt ?? 0);
    const wasEnded =
      (target.revokedAt !== null && source.revokedAt === null) ||
      (target.expiresAt ?? Number.POSITIVE_INFINITY) < (source.expiresAt ?? Number.POSITIVE_INFINITY);
    return wasUsed || wasEnded ? { what: "key", id, fault: "used or ended" } : undefined;
  },
};

/** What a server has found out of a hook is no more than that: only a hook that the source lacks is foreign. */
export const HOOKS: Kind<StoredHook> = {
  name: "hooks",
  readAfter: (contents, last) => contents.hooksAfter(last),
  put: (target, rows) => target.putHooks(rows),
  compare: (one, other) => inOrder(one.id, other.id),
  isSame: isSameRow,
  foreign: (source, target) => (source ? undefined : { what: "hook", id: target.id }),
};

export const COUNTS: Kind<CountRow> = {
  name: "counts",
  readAfter: (contents, last) => contents.countsAfter(last),
  put: (target, rows) => target.putCounts(rows),
  compare: (one, other) =>
    one.userNumber - other.userNumber ||
    inOrder(one.treeId, other.treeId) ||
    inOrder(one.linkId, other.linkId) ||
    inOrder(one.day, other.day),
  isSame: (one, other) => one.count === other.count,
  foreign: (source, target) =>
    target.count > (source?.count ?? 0) ? { what: "count", day: target.day } : undefined,
};

/** Whether two rows say the same in every column. None of these is bytes. */
function isSameRow<Row extends object>(one: Row, other: Row): boolean {
  return (Object.keys(one) as (keyof Row)[]).every((column) => one[column] === other[column]);
}

function updatedAt(user: UserRow): string {
  return recordOf(user).updatedAt;
}

/** Identifiers and days are plain ASCII, which JavaScript puts in the same order as the databases. */
function inOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
