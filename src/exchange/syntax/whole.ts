import type { Bytes } from "../bytes.ts";
import { parseJson } from "./json.ts";
import { placeOfRecord } from "./place.ts";
import { MAX_TEXT_BYTES, TextTooLong, textOf } from "./text.ts";
import type { Fault, PlacedValue } from "./value.ts";
import { parseYaml } from "./yaml.ts";

/** The value that a file of JSON or YAML is as a whole, or the values of the array that it is. An empty file has none. */
export async function valuesOfWhole(
  name: string,
  file: Bytes,
  format: "json" | "yaml",
): Promise<PlacedValue[]> {
  if (file.size > MAX_TEXT_BYTES) throw new TextTooLong();
  const bytes = await file.slice(0, file.size);
  const decoded = textOf(bytes);
  if ("fault" in decoded) return [{ place: name, ...(archiveFault(bytes) ?? decoded) }];
  if (decoded.text.trim() === "") return [];
  if (/^\s*<(?:!doctype|html|\?xml)/i.test(decoded.text))
    return [
      {
        place: name,
        fault: "is a page of HTML",
        advice: "if it is a saved page of links, use --from linktree",
      },
    ];
  const parsed = format === "json" ? parseJson(decoded.text) : await parseYaml(decoded.text);
  if ("fault" in parsed || !Array.isArray(parsed.value)) return [{ place: name, ...parsed }];
  return parsed.value.map((value: unknown, index) => ({ place: placeOfRecord(name, index), value }));
}

/** Archives are what people bring from LinkedIn. */
function archiveFault(bytes: Uint8Array): Fault | undefined {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return undefined;
  return { fault: "is an archive", advice: "if it is LinkedIn's, use --from linkedin" };
}
