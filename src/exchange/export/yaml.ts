import type { YAMLMap } from "yaml";

/** What a terminal might obey, and what only a quoted text of YAML can hold. */
const CONTROL = /(?![\t\n])[\p{Cc}\u2028\u2029\ufeff]/gu;

/** Objects that read best in one line: the values of a profile, and links. */
const SHORT_KEYS = ["isPublic,value", "id,label,url", "label,url"];

/** Lines of a text stay lines: the library breaks some of them in ways that are read as another text. */
const LAYOUT = {
  lineWidth: 110,
  blockQuote: "literal",
  doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
} as const;

/** A value as YAML that a person reads and edits. Control characters are escaped. */
export async function yamlOf(value: unknown): Promise<string> {
  const { Document, visit } = await import("yaml");
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Map(_, map) {
      map.flow = isShort(map);
    },
    Scalar(_, scalar) {
      const { value } = scalar;
      if (typeof value === "string" && (value.search(CONTROL) !== -1 || value.trim() === ""))
        scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document
    .toString(LAYOUT)
    .replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function isShort(map: YAMLMap): boolean {
  const fields = map.toJSON() as Record<string, unknown>;
  return (
    SHORT_KEYS.includes(String(Object.keys(fields))) &&
    !Object.values(fields).some((value) => String(value).includes("\n")) &&
    JSON.stringify(fields).length < 100
  );
}
