import { nextTurn } from "../async/turn.ts";
import { differencesBetween } from "../records/differences.ts";
import type { UserRecord } from "../records/record.ts";
import { readStored } from "../records/stored.ts";
import type { ReplacedVersion } from "../store/history.ts";
import type { Store } from "../store/store.ts";
import type { Version } from "./contract.ts";

/** A version as the page is told of it, and the record that it was. */
export interface RecordVersion extends Version {
  /** Null where what is kept of it cannot be read. It is read when it is asked for: twenty may not fit into memory. */
  readonly read: () => UserRecord | null;
}

/** The most versions that are told of. */
const TOLD = 20;

/**
 * All that is known of a user's record, or of one version of it, the newest first. Null where there is no such user.
 * Large records take long to compare, so that others are answered between two versions.
 */
export async function versionsOf(
  userId: string,
  store: Store,
  wanted?: string,
): Promise<RecordVersion[] | null> {
  const replaced = await store.history.of(userId);
  const current = await store.records.findRevised(userId);
  if (!current) return null;
  const first = (replaced.at(-1)?.version ?? 0) + 1 - replaced.length;
  const recordAt = (index: number) => {
    const version = replaced[index];
    return version ? recordIn(version) : current.record;
  };
  const versions: RecordVersion[] = [];
  let last: { index: number; record: UserRecord | null } | undefined;
  for (let index = Math.max(0, replaced.length + 1 - TOLD); index <= replaced.length; index++) {
    const version = first + index;
    if (wanted !== undefined && wanted !== String(version)) continue;
    await nextTurn();
    // Each row says how the version after its own came to be.
    const maker = replaced[index - 1];
    const before = maker && (last?.index === index - 1 ? last.record : recordIn(maker));
    const record = recordAt(index);
    versions.push({
      version,
      savedAt: maker ? new Date(maker.replacedAt).toISOString() : (record?.createdAt ?? ""),
      way: maker?.way ?? (version === 1 ? "created" : null),
      read: () => recordAt(index),
      isCurrent: index === replaced.length,
      differences: before && record ? differencesBetween(before, record) : [],
    });
    last = { index, record };
  }
  return versions.toReversed();
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
