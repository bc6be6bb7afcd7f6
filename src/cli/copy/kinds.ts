import type { UserRecord } from "../../records/record.ts";
import type { Contents, ContentsWriter, CountRow, KeyRow, Totals, UserRow } from "../../store/contents.ts";

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
   * Why a row of the target cannot be what an earlier copy of this source has left, if it cannot. All that is
   * stored moves in one direction (records get newer, keys are used and ended, counts grow), so what is ahead of
   * the source was written by somebody else, and would be lost.
   */
  readonly foreign: (source: Row | undefined, target: Row) => string | undefined;
}

export const USERS: Kind<UserRow> = {
  name: "users",
  readAfter: (contents, last) => contents.usersAfter(last),
  put: (target, rows) => target.putUsers(rows),
  compare: (one, other) => one.number - other.number,
  isSame: (one, other) => one.id === other.id && one.email === other.email && one.record === other.record,
  foreign(source, target) {
    if (source?.id !== target.id) return `${target.email} is not in the source`;
    return updatedAt(target) > updatedAt(source) ? `the record of ${target.email} is newer there` : undefined;
  },
};

export const KEYS: Kind<KeyRow> = {
  name: "keys",
  readAfter: (contents, last) => contents.keysAfter(last),
  put: (target, rows) => target.putKeys(rows),
  compare: (one, other) => Buffer.compare(one.hash, other.hash),
  isSame: (one, other) => KEY_FIELDS.every((field) => one[field] === other[field]),
  foreign(source, target) {
    if (source?.id !== target.id || source.userNumber !== target.userNumber)
      return `the key ${target.id} is not in the source`;
    const wasUsed = (target.lastUsedAt ?? 0) > (source.lastUsedAt ?? 0);
    const wasEnded =
      (target.revokedAt !== null && source.revokedAt === null) ||
      (target.expiresAt ?? Number.POSITIVE_INFINITY) < (source.expiresAt ?? Number.POSITIVE_INFINITY);
    return wasUsed || wasEnded ? `the key ${target.id} was used or ended there` : undefined;
  },
};

const KEY_FIELDS = [
  "id",
  "userNumber",
  "userId",
  "name",
  "createdAt",
  "expiresAt",
  "revokedAt",
  "lastUsedAt",
] as const satisfies readonly (keyof KeyRow)[];

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
    target.count > (source?.count ?? 0)
      ? `views or clicks of ${target.day} were counted there that the source does not have`
      : undefined,
};

function updatedAt({ record }: UserRow): string {
  return (JSON.parse(record) as UserRecord).updatedAt;
}

/** Identifiers and days are plain ASCII, which JavaScript puts in the same order as the databases. */
function inOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
