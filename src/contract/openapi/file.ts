import file from "../openapi.json" with { type: "file" };

/** Where the OpenAPI document lies: on the disk, or inside the executable. `npm run openapi` writes it. */
export const OPENAPI_FILE = file as unknown as string;
