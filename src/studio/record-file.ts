import { yamlOf } from "../exchange/export/yaml.ts";
import type { UserRecord } from "../records/record.ts";
import type { RecordCheck } from "./contract.ts";
import type { FileContent } from "./file-reading.ts";
import { checkAgainstStored, type Subject } from "./records.ts";

/** A record as `export` prints it, or as people like to write one. */
export async function fileOf(record: UserRecord, format: "json" | "yaml"): Promise<string> {
  return format === "json" ? `${JSON.stringify(record, null, 2)}\n` : yamlOf(record);
}

/** What saving the record of a file would say and do. Nothing is written. */
export async function checkFile(subject: Subject, content: FileContent): Promise<RecordCheck> {
  if ("value" in content) return checkAgainstStored(subject, content.value);
  return { record: null, problems: [{ path: [], message: content.problem }], differences: [] };
}
