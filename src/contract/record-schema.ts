import file from "./record-schema.json" with { type: "file" };

/** Where the JSON Schema of a record lies: on the disk, or inside the executable. `npm run schema` writes it. */
export const RECORD_SCHEMA_FILE = file as unknown as string;
