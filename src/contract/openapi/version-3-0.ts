import type { Schema } from "./schemas.ts";

/** The document as tools read it that know OpenAPI 3.0 only: the same paths and shapes, in the older words. */
export function asVersion30(document: Schema): Schema {
  const { summary, license, ...info } = document.info as Record<string, unknown>;
  const { name, identifier } = license as Record<string, string>;
  return {
    ...(inOlderWords(document) as Schema),
    openapi: "3.0.4",
    info: { ...info, license: { name, url: `https://spdx.org/licenses/${identifier}.html` } },
  };
}

function inOlderWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOlderWords);
  if (typeof value !== "object" || value === null) return value;
  return Object.assign({}, ...Object.entries(value).map(([word, inner]) => olderWord(word, inner, value)));
}

/** One word of an object, as 3.0 has it. What is data, or named by somebody else, is no word of OpenAPI. */
function olderWord(word: string, inner: unknown, beside: object): Schema {
  switch (word) {
    case "const":
      return { enum: [inner] };
    case "type":
      return Array.isArray(inner) ? { type: nullableType(inner), nullable: true } : { type: inner };
    case "$ref":
      // 3.0 overlooks what stands beside a reference.
      return Object.keys(beside).length === 1 ? { $ref: inner } : { allOf: [{ $ref: inner }] };
    case "example":
      return { example: inner };
    case "examples":
      return Array.isArray(inner) ? { example: inner[0] } : { examples: inner };
    case "properties":
      return { properties: valuesOf(inner as object) };
    default:
      return { [word]: inOlderWords(inner) };
  }
}

function valuesOf(named: object): Schema {
  return Object.fromEntries(Object.entries(named).map(([name, inner]) => [name, inOlderWords(inner)]));
}

function nullableType(types: readonly unknown[]): unknown {
  const [type, none, ...others] = types;
  if (none !== "null" || others.length > 0) throw new Error(`no word for ${types} in OpenAPI 3.0`);
  return type;
}
