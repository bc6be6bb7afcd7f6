import { stringify } from "yaml";
import { formatOf } from "../exchange/syntax/format.ts";
import { valuesOfWhole } from "../exchange/syntax/whole.ts";
import type { UserRecord } from "../records/record.ts";
import type { RecordCheck } from "./contract.ts";
import { checkAgainstStored, type Subject } from "./records.ts";

/** A record as `export` prints it, or as people like to write one. */
export async function fileOf(record: UserRecord, format: "json" | "yaml"): Promise<string> {
  return format === "json" ? `${JSON.stringify(record, null, 2)}\n` : stringify(record, { lineWidth: 100 });
}

/** What saving the record of a file would say and do. Nothing is written. */
export async function checkFile(subject: Subject, bytes: Uint8Array<ArrayBuffer>): Promise<RecordCheck> {
  const file = { size: bytes.length, slice: async (from: number, to: number) => bytes.subarray(from, to) };
  const format = await formatOf("", file);
  const values = await valuesOfWhole("the file", file, format === "yaml" ? "yaml" : "json");
  const [one, ...more] = values;
  const problem = (message: string): RecordCheck => ({
    record: null,
    problems: [{ path: [], message }],
    differences: [],
  });
  if (!one || more.length > 0) return problem("The file must hold one record.");
  if ("fault" in one) return problem(`The file ${one.fault}.`);
  return checkAgainstStored(subject, one.value);
}
