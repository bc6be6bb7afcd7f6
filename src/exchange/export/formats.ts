import type { View } from "../../contract/access.ts";
import { jsonLdOf } from "../../documents/json-ld.ts";
import { type ResumeSource, resumeOf } from "../../documents/resume.ts";
import { vCardOf } from "../../documents/vcard.ts";
import type { UserRecord } from "../../records/record.ts";
import { type ShownRecord, shownRecord } from "../../records/visibility.ts";
import { markdownOf } from "./markdown.ts";
import { yamlOf } from "./yaml.ts";

interface Format {
  /** The view that is written unless another is asked for: what is made for others has public values alone. */
  readonly view: View;
  write(record: ResumeSource): string | Promise<string>;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** What a record can be written as. */
export const FORMATS = {
  record: { view: "full", write: json },
  yaml: { view: "full", write: yamlOf },
  jsonresume: { view: "public", write: (record) => json(resumeOf(record)) },
  vcard: { view: "public", write: vCardOf },
  jsonld: { view: "public", write: (record) => json(jsonLdOf(record)) },
  markdown: { view: "public", write: markdownOf },
} as const satisfies Record<string, Format>;

export type ExportFormat = keyof typeof FORMATS;

export function isExportFormat(name: string): name is ExportFormat {
  return Object.hasOwn(FORMATS, name);
}

/** A record as the text of a format. */
export async function written(record: UserRecord, format: ExportFormat, view: View): Promise<string> {
  const seen: ShownRecord = view === "full" ? record : shownRecord(record);
  return FORMATS[format].write(seen);
}
