/** What a terminal might obey, and what only a quoted text of YAML can hold. */
const CONTROL = /(?![\t\n])[\p{Cc}\u2028\u2029\ufeff]/gu;

/** Objects that read best in one line: the values of a profile, and links. */
const SHORT_KEYS = ["isPublic,value", "id,label,url", "label,url"];

/** A value as YAML that a person reads and edits. Control characters are escaped. */
export async function yamlOf(value: unknown): Promise<string> {
  const { Document, isScalar, visit } = await import("yaml");
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Map(_, map) {
      const keys = map.items.map(({ key }) => (isScalar(key) ? key.value : key));
      map.flow = SHORT_KEYS.includes(String(keys)) && String(map).length < 100;
    },
    Scalar(_, scalar) {
      const { value } = scalar;
      if (typeof value === "string" && value.search(CONTROL) !== -1) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return document
    .toString({ lineWidth: 110 })
    .replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
