import { RECORD_SCHEMA_FILE } from "../../contract/record-schema.ts";
import { printJsonTexts } from "../output.ts";

/** Prints the JSON Schema of a record, as the server sends it. */
export async function printSchema(): Promise<void> {
  printJsonTexts([(await Bun.file(RECORD_SCHEMA_FILE).text()).trimEnd()]);
}
