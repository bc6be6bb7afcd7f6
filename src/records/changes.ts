import type { UserRecord } from "./record.ts";

/** A part of a record, by the name it has in `/user/full`. */
export type RecordPart = Exclude<keyof UserRecord, "id" | "createdAt" | "updatedAt">;

/** The identity and the times of a record, which say nothing of what is in it. */
const NO_PART: ReadonlySet<string> = new Set(["id", "createdAt", "updatedAt"]);

/** What of a record is not as it was before. All of it, where nothing was before. */
export function changedParts(record: UserRecord, earlier: UserRecord | undefined): RecordPart[] {
  const names = new Set([...Object.keys(record), ...Object.keys(earlier ?? {})]);
  const parts = [...names].filter((name) => !NO_PART.has(name)) as RecordPart[];
  if (!earlier) return parts;
  return parts.filter((part) => JSON.stringify(record[part]) !== JSON.stringify(earlier[part]));
}
