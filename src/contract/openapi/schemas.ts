import { z } from "zod";
import type { ErrorBody } from "../errors.ts";
import {
  Education,
  FullUser,
  Job,
  Link,
  Profile,
  Project,
  PublicLinks,
  PublicLinkTree,
  PublicUser,
} from "../responses.ts";
import { Resume } from "../resume.ts";

/** A JSON Schema, as OpenAPI 3.1 takes it. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** The fields of a profile differ in what a value may be, and are one type to their reader. */
const DataField = z.strictObject({
  isPublic: z
    .boolean()
    .describe("Whether the owner marked the value public. A key of the full view gets it either way."),
  value: z
    .string()
    .nullable()
    .describe("null where it is unset or, for a key of the public view, not shown."),
});

const ReadProfile = z.strictObject(
  Object.fromEntries(
    Object.entries(Profile.shape).map(([name, field]) => [
      name,
      field instanceof z.ZodObject ? DataField.describe(field.description ?? "") : field,
    ]),
  ),
);

const ErrorSchema = z.strictObject({
  statusCode: z.int().min(400).max(599).describe("The status of the answer."),
  message: z.string().describe("What went wrong. Tells errors of one status apart."),
  error: z.string().describe("The name of the status."),
} satisfies Record<keyof ErrorBody, z.ZodType>);

const Health = z.strictObject({ status: z.literal("ok") });

const Readiness = z.strictObject({
  status: z.literal("ready"),
  counting: z
    .literal(false)
    .optional()
    .describe("Only there while views and clicks cannot be written. Requests are answered all the same."),
});

/** Every shape that has a name, and what it is. */
const NAMED = {
  FullUser: [
    FullUser.extend({ profile: ReadProfile }),
    "All that there is about a user. Private values are in it, with their flags.",
  ],
  PublicUser: [
    PublicUser.extend({ profile: ReadProfile }),
    "What everybody may see of a user, for a key of the public view. Values that are private are null, jobs that are private are absent, and no project names one.",
  ],
  Profile: [ReadProfile, "Who the user is. Each value has a visibility flag of its own."],
  DataField: [DataField, "A value with its owner's visibility flag."],
  Job: [Job, "A position that the user holds or has held."],
  Project: [Project, "Something that the user makes or has made."],
  Education: [Education, "A course of study. That of a current one may end in the future."],
  PublicLinkTree: [PublicLinkTree, "A list of links, in the order of its author."],
  Link: [Link, "One link of a link tree."],
  PublicLinks: [PublicLinks, "The addresses of a profile. One that is unset or private is null."],
  Resume: [Resume, "A JSON Resume, version 1.0.0. What is unset is absent."],
  ApiError: [ErrorSchema, "The body of every error: these three fields, on every path."],
  Health: [Health, "The process serves. This says nothing about its storage."],
  Readiness: [Readiness, "Storage answers, and the process is not about to stop."],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

export type SchemaName = keyof typeof NAMED;

const PLACE = "#/components/schemas/";

export function referTo(name: SchemaName): Schema {
  return { $ref: PLACE + name };
}

/** The named shapes as JSON Schema, each referring to the others. */
export function namedSchemas(): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, [schema]] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => PLACE + id });
  return Object.fromEntries(
    Object.entries(NAMED).map(([name, [, description]]) => {
      const { $schema, $id, ...schema } = schemas[name] as Schema;
      return [name, { description, ...(withoutUnions(schema) as Schema) }];
    }),
  );
}

/** "A string or null" as `type: ["string", "null"]`, which reads better than a union of two schemas. */
function withoutUnions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnions);
  if (typeof value !== "object" || value === null) return value;
  const { anyOf, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutUnions(inner)]),
  );
  if (anyOf === undefined) return rest;
  const [one, none] = anyOf as [Schema, Schema];
  if (none.type !== "null" || typeof one.type !== "string") throw new Error("not a value or null");
  return { ...one, type: [one.type, "null"], ...rest };
}
