import { differencesBetween } from "../records/differences.ts";
import type { UserRecord } from "../records/record.ts";
import { readStored } from "../records/stored.ts";
import type { ReplacedVersion } from "../store/history.ts";
import type { Store } from "../store/store.ts";
import type { Version } from "./contract.ts";

/** A version as the page is told of it, and the record that it was. */
export interface RecordVersion extends Version {
  /** Null where what is kept of it cannot be read. */
  readonly record: UserRecord | null;
}

/** The most versions that are told of. */
const TOLD = 20;

/** All that is known of a user's record, the newest version first. Null where there is no such user. */
export async function versionsOf(userId: string, store: Store): Promise<RecordVersion[] | null> {
  const replaced = await store.history.of(userId);
  const current = await store.records.findRevised(userId);
  if (!current) return null;
  const records = [...replaced.map(recordIn), current.record];
  const first = (replaced.at(-1)?.version ?? 0) + 1 - replaced.length;
  return records
    .map((record, index): RecordVersion => {
      // Each row says how the version after its own came to be.
      const maker = replaced[index - 1];
      const before = records[index - 1];
      return {
        version: first + index,
        savedAt: maker ? new Date(maker.replacedAt).toISOString() : (record?.createdAt ?? ""),
        way: maker?.way ?? (first + index === 1 ? "created" : null),
        record,
        isCurrent: index === records.length - 1,
        differences: before && record ? differencesBetween(before, record) : [],
      };
    })
    .toReversed()
    .slice(0, TOLD);
}

function recordIn({ record }: ReplacedVersion): UserRecord | null {
  const read = readStored(record);
  return "record" in read ? read.record : null;
}

/**
 * What bringing a version back makes of a record. The e-mail address stays: it says who the user is, to an invitation and
 * to a provider, and may belong to somebody else by now.
 */
export function broughtBack(version: UserRecord, stored: Pick<UserRecord, "email">): UserRecord {
  return { ...version, email: stored.email };
}
