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
import { type Problem, problemsOf } from "./problems.ts";
import { quickCheckOf } from "./quick-check.ts";

/** An instant in any notation, turned into the one that is stored. */
const instant = z.string().check((payload) => {
  const timestamp = toUtcTimestamp(payload.value);
  if (timestamp !== undefined) payload.value = timestamp;
  else {
    const message = "must be an ISO 8601 date or date-time, such as 2024-03-01";
    payload.issues.push({ code: "custom", input: payload.value, message, continue: true });
  }
});

/** Lets fields that can be null, or unset, be left out of a hand-written file. */
function leavingOut<Shape extends z.ZodType>(defaults: Record<string, unknown>, schema: Shape) {
  const fields = Object.keys(defaults);
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const missing = fields.filter((field) => !Object.hasOwn(value, field));
    if (missing.length === 0) return value;
    return { ...value, ...Object.fromEntries(missing.map((field) => [field, defaults[field]])) };
  }, schema);
}

/**
 * Rules across fields are heard even where a field is wrong by itself, so that all problems come at once. They
 * must bear with values of any type.
 */
const ALWAYS = { when: () => true };

const Job = leavingOut(
  { endDate: null },
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
  { description: null, endDate: null, demoUrl: null, jobId: null },
  z.strictObject(projectFields(instant)),
);

const Education = leavingOut({ description: null }, z.strictObject(educationFields(instant)));

const Link = z.strictObject({ id: identifier.optional(), ...linkFields });

const LinkTree = leavingOut(
  { description: null },
  z.strictObject({
    id: identifier.optional(),
    ...linkTreeFields,
    links: z.array(Link).superRefine(refuseRepeated("id"), ALWAYS),
    createdAt: instant.optional(),
    updatedAt: instant.optional(),
  }),
);

const unset = { isPublic: false, value: null };
const { isPublic: _, slug: __, ...dataFields } = profileFields;

const Profile = leavingOut(
  Object.fromEntries(Object.keys(dataFields).map((field) => [field, unset])),
  z.strictObject({ updatedAt: instant.optional(), ...profileFields }),
);

/** The record format: the shape of `/user/full` plus ids. `import` takes it and `export` prints it. */
export const RecordSchema = z
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
  }, ALWAYS);

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
  const result = RecordSchema.safeParse(value, { reportInput: true });
  return result.success ? { input: result.data } : { problems: problemsOf(result.error) };
}
