import { z } from "zod";
import {
  codehostId,
  educationFields,
  email,
  identifier,
  jobFields,
  linkFields,
  linkTreeFields,
  profileFields,
  projectFields,
} from "../contract/fields.ts";
import { toUtcTimestamp } from "./dates.ts";
import { linkPageFields, linkTreePageFields, lookFields, profilePageFields } from "./page-fields.ts";
import { type Problem, problemsOf } from "./problems.ts";
import { quickCheckOf } from "./quick-check.ts";

/** An instant in any notation, turned into the one that is stored. */
const instant = z
  .string()
  .meta({ description: "An ISO 8601 date or date-time." })
  .check((payload) => {
    const timestamp = toUtcTimestamp(payload.value);
    if (timestamp !== undefined) payload.value = timestamp;
    else {
      const message = "must be an ISO 8601 date or date-time, such as 2024-03-01";
      payload.issues.push({ code: "custom", input: payload.value, message, continue: true });
    }
  });

/** The fields that may be left out of an object, or be left empty, by its schema. */
export const LEAVING_OUT = new WeakMap<z.core.$ZodType, readonly string[]>();

/**
 * Lets fields be left out of a hand-written file, or be left empty, which is null: they get a value of their own, or
 * are absent where they are optional.
 */
function leavingOut<Shape extends z.ZodType>(
  { defaults, optional = [] }: { defaults: Record<string, unknown>; optional?: readonly string[] },
  schema: Shape,
) {
  const fields = Object.keys(defaults);
  LEAVING_OUT.set(schema, [...fields, ...optional]);
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const given = value as Record<string, unknown>;
    const missing = fields.filter((field) => !Object.hasOwn(given, field) || given[field] === null);
    const empty = optional.filter((field) => given[field] === null);
    if (missing.length + empty.length === 0) return value;
    const whole = { ...given };
    for (const field of missing) whole[field] = defaults[field];
    for (const field of empty) delete whole[field];
    return whole;
  }, schema);
}

/** The names of the fields that an owner may not have. */
function optionalIn(fields: Record<string, z.ZodType>): string[] {
  return Object.keys(fields).filter((name) => fields[name] instanceof z.ZodExactOptional);
}

/**
 * Rules across fields are heard even where a field is wrong by itself, so that all problems come at once. They
 * must bear with values of any type.
 */
const ALWAYS = { when: () => true };

const Job = leavingOut(
  { defaults: { endDate: null }, optional: optionalIn(jobFields(instant)) },
  z
    .strictObject({
      id: identifier.optional(),
      createdAt: instant.optional(),
      updatedAt: instant.optional(),
      userId: identifier.optional(),
      ...jobFields(instant),
    })
    .refine((job) => job?.isCurrent !== true || job.endDate === null, {
      path: ["endDate"],
      message: "must be null for a current job",
      ...ALWAYS,
    }),
);

const Project = leavingOut(
  {
    defaults: { description: null, endDate: null, demoUrl: null, jobId: null },
    optional: optionalIn(projectFields(instant)),
  },
  z.strictObject(projectFields(instant)),
);

const Education = leavingOut(
  { defaults: { description: null }, optional: optionalIn(educationFields(instant)) },
  z.strictObject(educationFields(instant)),
);

const Link = leavingOut(
  { defaults: {}, optional: optionalIn(linkPageFields) },
  z.strictObject({ id: identifier.optional(), ...linkFields, ...linkPageFields }),
);

const Look = leavingOut(
  { defaults: {}, optional: optionalIn(lookFields) },
  z.strictObject(lookFields).describe("How the page looks."),
);

const treePageFields = linkTreePageFields(Look);

const LinkTree = leavingOut(
  { defaults: { description: null }, optional: optionalIn(treePageFields) },
  z.strictObject({
    id: identifier.optional(),
    ...linkTreeFields,
    links: z.array(Link).superRefine(refuseRepeated("id"), ALWAYS),
    createdAt: instant.optional(),
    updatedAt: instant.optional(),
    ...treePageFields,
  }),
);

const unset = { isPublic: false, value: null };
const { isPublic: _, slug: __, ...dataFields } = profileFields;

const Profile = leavingOut(
  {
    defaults: Object.fromEntries(Object.keys(dataFields).map((field) => [field, unset])),
    optional: optionalIn(profilePageFields),
  },
  z.strictObject({ updatedAt: instant.optional(), ...profileFields, ...profilePageFields }),
);

/** The record format: the shape of `/user/full` plus ids and what is for pages alone. `import` takes it and `export` prints it. */
export const RecordSchema = leavingOut(
  { defaults: { jobs: [], projects: [], linkTrees: [], education: [] }, optional: ["codehostId"] },
  z
    .strictObject({
      id: identifier.optional(),
      createdAt: instant.optional(),
      updatedAt: instant.optional(),
      codehostId,
      email,
      profile: Profile,
      jobs: z.array(Job).superRefine(refuseRepeated("id"), ALWAYS),
      projects: z.array(Project),
      linkTrees: z
        .array(LinkTree)
        .superRefine(refuseRepeated("id"), ALWAYS)
        .superRefine(refuseRepeated("slug"), ALWAYS),
      education: z.array(Education),
    })
    .superRefine((record, context) => {
      const owners = valuesOf(record?.jobs, "userId");
      const given: unknown = record?.id;
      // An id that is no text is a problem of its own.
      const owner = typeof given === "string" ? given : owners[0]?.value;
      for (const { index, value } of owners) {
        if (value === owner) continue;
        const message = `differs from the record's own id, ${owner}`;
        context.addIssue({ code: "custom", path: ["jobs", index, "userId"], message });
      }
    }, ALWAYS),
);

function refuseRepeated(field: string) {
  return (items: unknown, context: z.RefinementCtx) => {
    const seen = new Map<string, number>();
    for (const { index, value } of valuesOf(items, field)) {
      const first = seen.get(value);
      if (first === undefined) seen.set(value, index);
      else {
        const message = `is the same as that of entry [${first}]`;
        context.addIssue({ code: "custom", path: [index, field], message });
      }
    }
  };
}

/** The texts that the entries of what should be a list have in a field. */
function valuesOf(items: unknown, field: string): { index: number; value: string }[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown, index) => {
    const value: unknown = (item as Record<string, unknown> | null | undefined)?.[field];
    return typeof value === "string" ? [{ index, value }] : [];
  });
}

/** A checked record as it came in: instants in UTC, and nothing yet of what the server sets. */
export type RecordInput = z.output<typeof RecordSchema>;

export type Checked = { input: RecordInput } | { problems: Problem[] };

const quickCheck = quickCheckOf(RecordSchema);

export function checkRecord(value: unknown): Checked {
  const input = quickCheck(value);
  if (input) return { input };
  const beginning = withoutMany(value);
  const checked = checkWhole(beginning);
  // What was shortened is never taken: the rest of it may be wrong.
  return "problems" in checked || beginning === value ? checked : checkWhole(value);
}

function checkWhole(value: unknown): Checked {
  const result = RecordSchema.safeParse(value, { reportInput: true });
  return result.success ? { input: result.data } : { problems: problemsOf(result.error, RecordSchema) };
}

/** Nobody mends more at one go. To find all that is missing in a million empty jobs takes a minute and gigabytes. */
const MOST_WRONG = 1000;

const ENTRIES = {
  jobs: quickCheckOf(Job),
  projects: quickCheckOf(Project),
  education: quickCheckOf(Education),
  linkTrees: quickCheckOf(LinkTree),
  links: quickCheckOf(Link),
} as const;

/** A record whose lists end where they have had very many wrong entries. */
function withoutMany(value: unknown): unknown {
  const lists = ["jobs", "projects", "education", "linkTrees"] as const;
  const record = lists.reduce((it, list) => ended(it, list, { wrong: MOST_WRONG }), value);
  const trees = (record as { linkTrees?: unknown } | null | undefined)?.linkTrees;
  if (!Array.isArray(trees)) return record;
  const room = { wrong: MOST_WRONG };
  const shorter = trees.map((tree) => ended(tree, "links", room));
  return shorter.every((tree, index) => tree === trees[index])
    ? record
    : { ...(record as object), linkTrees: shorter };
}

/** The same, but its list ends before the first wrong entry for which there is no room. */
function ended(value: unknown, list: keyof typeof ENTRIES, room: { wrong: number }): unknown {
  const items = (value as Record<string, unknown> | null | undefined)?.[list];
  if (!Array.isArray(items)) return value;
  const end = items.findIndex((item) => ENTRIES[list](item) === undefined && room.wrong-- <= 0);
  return end === -1 ? value : { ...(value as object), [list]: items.slice(0, end) };
}
