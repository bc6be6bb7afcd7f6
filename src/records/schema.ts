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

/** What may be left out of a record: the server sets the first group, and the second has a natural value. */
const instant = z.string().transform((text, context) => {
  const timestamp = toUtcTimestamp(text);
  if (timestamp !== undefined) return timestamp;
  context.addIssue({ code: "custom", message: "must be an ISO 8601 date or date-time, such as 2024-03-01" });
  return z.NEVER;
});

/** Lets fields that can be null, or unset, be left out of a hand-written file. */
function leavingOut<Shape extends z.ZodType>(defaults: Record<string, unknown>, schema: Shape) {
  return z.preprocess((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const missing = Object.keys(defaults).filter((field) => !Object.hasOwn(value, field));
    if (missing.length === 0) return value;
    return { ...value, ...Object.fromEntries(missing.map((field) => [field, defaults[field]])) };
  }, schema);
}

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
    .refine((job) => !job.isCurrent || job.endDate === null, {
      path: ["endDate"],
      message: "must be null for a current job",
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
    links: z.array(Link).superRefine(refuseRepeated("id")),
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
    jobs: z.array(Job).superRefine(refuseRepeated("id")),
    projects: z.array(Project),
    linkTrees: z.array(LinkTree).superRefine(refuseRepeated("id")).superRefine(refuseRepeated("slug")),
    education: z.array(Education),
  })
  .superRefine((record, context) => {
    const owner = record.id ?? record.jobs.find((job) => job.userId)?.userId;
    for (const [index, job] of record.jobs.entries()) {
      if (job.userId !== undefined && job.userId !== owner) {
        context.addIssue({
          code: "custom",
          path: ["jobs", index, "userId"],
          message: `differs from the record's own id, ${owner}`,
        });
      }
    }
  });

function refuseRepeated<Field extends string>(field: Field) {
  return (items: readonly { [name in Field]?: string | undefined }[], context: z.RefinementCtx) => {
    const seen = new Map<string, number>();
    for (const [index, item] of items.entries()) {
      const value = item[field];
      if (value === undefined) continue;
      const first = seen.get(value);
      if (first === undefined) seen.set(value, index);
      else {
        context.addIssue({
          code: "custom",
          path: [index, field],
          message: `is the same as that of entry [${first}]`,
        });
      }
    }
  };
}

/** A checked record as it came in: instants in UTC, and nothing yet of what the server sets. */
export type RecordInput = z.output<typeof RecordSchema>;

export type Checked = { input: RecordInput } | { problems: Problem[] };

export function checkRecord(value: unknown): Checked {
  const result = RecordSchema.safeParse(value, { reportInput: true });
  return result.success ? { input: result.data } : { problems: problemsOf(result.error) };
}
