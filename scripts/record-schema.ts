import { RECORD_SCHEMA_FILE } from "../src/contract/record-schema.ts";
import { recordJsonSchema } from "../src/records/json-schema.ts";

/** The JSON Schema of a record. The same schema always gives the same text. */
export function recordSchemaText(): string {
  return `${JSON.stringify(recordJsonSchema(), null, 2)}\n`;
}

if (import.meta.main) await Bun.write(RECORD_SCHEMA_FILE, recordSchemaText());
