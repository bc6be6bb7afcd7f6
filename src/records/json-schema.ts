import { z } from "zod";
import { LEAVING_OUT, RecordSchema } from "./schema.ts";

/** A JSON Schema. */
interface Schema {
  [keyword: string]: unknown;
}

/**
 * The JSON Schema of a record as it may be written, for editors that complete and check. It is made from the one schema
 * that there is; rules across fields, and what a slug may hold, are beyond JSON Schema.
 */
export function recordJsonSchema(): object {
  const schema = z.toJSONSchema(RecordSchema, {
    override: ({ zodSchema, jsonSchema }) => {
      const mayBeEmpty = LEAVING_OUT.get(zodSchema);
      if (mayBeEmpty) relax(jsonSchema as Schema, mayBeEmpty);
    },
  });
  const { $schema, ...rest } = schema;
  return { $schema, title: "Vitrine record", ...rest };
}

/** Lets fields of an object be left out, or be null. */
function relax(object: Schema, mayBeEmpty: readonly string[]): void {
  const required = (object.required as string[] | undefined) ?? [];
  object.required = required.filter((name) => !mayBeEmpty.includes(name));
  const properties = object.properties as Record<string, Schema>;
  for (const name of mayBeEmpty) {
    const property = properties[name];
    if (property && !isNullable(property)) properties[name] = { anyOf: [property, { type: "null" }] };
  }
}

function isNullable({ anyOf }: Schema): boolean {
  return Array.isArray(anyOf) && anyOf.some((one: Schema) => one.type === "null");
}
