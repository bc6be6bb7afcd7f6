import Ajv, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { OPENAPI_FILE } from "../../src/contract/openapi/file.ts";

/** Any part of the document; a test names what it looks for. */
export interface Node {
  readonly [key: string]: Node;
}

export const text = await Bun.file(OPENAPI_FILE).text();
export const openApi = JSON.parse(text) as Node;

const DOCUMENT = "openapi";
// The document is no schema itself, so most of its words are unknown to the validator.
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(openApi as object, DOCUMENT);

const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value by the schema that stands at a place of the document. */
export function faultsOf(value: unknown, place: readonly string[]): string[] {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
  const $ref = `${DOCUMENT}#/${pointer.join("/")}`;
  const validate = validators.getOrInsertComputed($ref, () => ajv.compile({ $ref }));
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The place that a place refers to, or itself. */
export function resolved(place: readonly string[]): readonly string[] {
  const reference = at(place)?.$ref as unknown;
  return typeof reference === "string" ? resolved(reference.slice(2).split("/")) : place;
}

export function at(place: readonly string[]): Node | undefined {
  return place.reduce<Node | undefined>((node, key) => node?.[key], openApi);
}

/** Every example in the document, with the place of the schema that it must follow. */
export function everyExample(node: unknown = openApi, place: readonly string[] = []): Example[] {
  if (typeof node !== "object" || node === null) return [];
  const { schema, example, examples, value, ...rest } = node as Record<string, unknown>;
  const given =
    example !== undefined
      ? [example]
      : Object.values(examples ?? {}).map((entry) => exampleValue(entry, schema));
  const schemaPlace = schema === undefined ? place : [...place, "schema"];
  return [
    ...given.map((it) => ({ value: it, schema: schemaPlace })),
    ...Object.entries(rest).flatMap(([key, inner]) => everyExample(inner, [...place, key])),
  ];
}

interface Example {
  readonly value: unknown;
  readonly schema: readonly string[];
}

/** Beside a schema stand example objects, within one the bare values. */
function exampleValue(entry: unknown, schema: unknown): unknown {
  return schema === undefined ? entry : (entry as { value: unknown }).value;
}
