import { yamlOf } from "../exchange/export/yaml.ts";
import type { UserRecord } from "../records/record.ts";
import type { RecordCheck } from "./contract.ts";
import { type FileContent, writeYaml } from "./file-thread.ts";
import { checkAgainstStored, type Subject } from "./records.ts";

/** The most characters of JSON of which YAML is made at once. Of a hundred times as much it takes seconds. */
const SMALL = 64 * 1024;

/** A record as `export` prints it, or as people like to write one. */
export async function fileOf(record: UserRecord, format: "json" | "yaml"): Promise<string> {
  if (format === "json") return `${JSON.stringify(record, null, 2)}\n`;
  const json = JSON.stringify(record);
  return json.length <= SMALL ? yamlOf(record) : writeYaml(json, record.id);
}

/** What saving the record of a file would say and do. Nothing is written. */
export async function checkFile(subject: Subject, content: FileContent): Promise<RecordCheck> {
  if ("problem" in content) return refused(content.problem);
  const { FOREIGN, recognised } = await import("../exchange/foreign/formats.ts");
  const format = recognised(content.value);
  if (!format) return checkAgainstStored(subject, content.value);
  // What is of another program is named, instead of all its fields.
  return refused(
    `The file looks like ${FOREIGN[format].title}. The operator can import it, with --from ${format}.`,
  );
}

function refused(message: string): RecordCheck {
  return { record: null, problems: [{ path: [], message }], differences: [] };
}
