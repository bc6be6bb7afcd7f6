import { OPENAPI_FILE } from "../../contract/openapi/file.ts";
import type { Settings } from "../../settings.ts";
import { printJson } from "../output.ts";

/** Prints the document that the server sends. Away from the server its address is no longer plain, but for this. */
export async function printOpenApi({ publicUrl }: Pick<Settings, "publicUrl">): Promise<void> {
  const document = (await Bun.file(OPENAPI_FILE).json()) as object;
  printJson(publicUrl ? { ...document, servers: [{ url: publicUrl }] } : document);
}
