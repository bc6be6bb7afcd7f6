import { expect } from "bun:test";

/*
 * The tables of the specification, field by field in its order. They are written out here and not derived from
 * the schemas, so that a slip in a schema cannot hide itself.
 */

type FieldType = keyof typeof TYPES | Shape | readonly [Shape];
export interface Shape {
  readonly [field: string]: FieldType;
}

const isString = (value: unknown): value is string => typeof value === "string";
const isTimestamp = (value: unknown) =>
  isString(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
const isUrl = (value: unknown) => isString(value) && URL.canParse(value);
const orNull = (check: (value: unknown) => boolean) => (value: unknown) => value === null || check(value);

const TYPES = {
  string: isString,
  "string or null": orNull(isString),
  objects: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === "object"),
  strings: (value: unknown) => Array.isArray(value) && value.every(isString),
  integer: Number.isInteger,
  boolean: (value: unknown) => typeof value === "boolean",
  timestamp: isTimestamp,
  "timestamp or null": orNull(isTimestamp),
  URL: isUrl,
  "URL or null": orNull(isUrl),
} as const satisfies Record<string, (value: unknown) => boolean>;

const LINK = { id: "string", label: "string", url: "URL" } as const satisfies Shape;

export const LINK_TREE = {
  id: "string",
  title: "string",
  description: "string or null",
  slug: "string",
  links: [LINK],
  createdAt: "timestamp",
  updatedAt: "timestamp",
} as const satisfies Shape;

const DATA_FIELD = { isPublic: "boolean", value: "string or null" } as const satisfies Shape;

const PROFILE = {
  updatedAt: "timestamp",
  isPublic: "boolean",
  slug: "string",
  name: DATA_FIELD,
  avatarUrl: DATA_FIELD,
  phone: DATA_FIELD,
  url: DATA_FIELD,
  summary: DATA_FIELD,
  location: DATA_FIELD,
  codehostUrl: DATA_FIELD,
  socialnetworkUrl: DATA_FIELD,
  microblogUrl: DATA_FIELD,
  professionalnetworkUrl: DATA_FIELD,
  videoUrl: DATA_FIELD,
} as const satisfies Shape;

export const JOB = {
  createdAt: "timestamp",
  updatedAt: "timestamp",
  userId: "string",
  title: "string",
  startDate: "timestamp",
  endDate: "timestamp or null",
  isCurrent: "boolean",
  isPublic: "boolean",
  companyName: "string",
  technologies: "strings",
  description: "string",
  isRemote: "boolean",
  companyUrl: "URL",
  listingId: "string",
} as const satisfies Shape;

export const PROJECT = {
  title: "string",
  shortDescription: "string",
  technologies: "strings",
  isCurrent: "boolean",
  isRemote: "boolean",
  isOpenSource: "boolean",
  description: "string or null",
  role: "string",
  startDate: "timestamp",
  endDate: "timestamp or null",
  repoUrl: "URL",
  demoUrl: "URL or null",
  jobId: "string or null",
} as const satisfies Shape;

export const EDUCATION = {
  institution: "string",
  institutionUrl: "URL",
  studyLevel: "string",
  fieldOfStudy: "string",
  startDate: "timestamp",
  endDate: "timestamp",
  isCurrent: "boolean",
  description: "string or null",
} as const satisfies Shape;

export const FULL_USER = {
  createdAt: "timestamp",
  updatedAt: "timestamp",
  codehostId: "integer",
  email: "string",
  profile: PROFILE,
  jobs: [JOB],
  projects: [PROJECT],
  linkTrees: [LINK_TREE],
  education: [EDUCATION],
} as const satisfies Shape;

export const PUBLIC_LINKS = {
  url: "URL or null",
  codehostUrl: "URL or null",
  socialnetworkUrl: "URL or null",
  microblogUrl: "URL or null",
  professionalnetworkUrl: "URL or null",
  videoUrl: "URL or null",
} as const satisfies Shape;

/** The JSON Resume of a whole record. */
export const RESUME = {
  $schema: "URL",
  basics: {
    name: "string",
    image: "URL",
    email: "string",
    phone: "string",
    url: "URL",
    summary: "string",
    location: { city: "string" },
    profiles: [{ network: "string", url: "URL" }],
  },
  work: "objects",
  education: [
    {
      institution: "string",
      url: "URL",
      area: "string",
      studyType: "string",
      startDate: "string",
      endDate: "string",
    },
  ],
  projects: "objects",
  meta: { version: "string" },
} as const satisfies Shape;

/** Holds a value to a table: exactly its fields in its order, each of its type. */
export function expectShape(value: unknown, shape: Shape | readonly [Shape], place = "body"): void {
  if (isList(shape)) {
    expect({ place, isArray: Array.isArray(value) }).toEqual({ place, isArray: true });
    for (const [index, item] of (value as unknown[]).entries())
      expectShape(item, shape[0], `${place}[${index}]`);
    return;
  }
  const object = value as Record<string, unknown>;
  expect({ place, fields: Object.keys(object) }).toEqual({ place, fields: Object.keys(shape) });
  for (const [field, type] of Object.entries(shape)) {
    const here = `${place}.${field}`;
    if (typeof type === "object") expectShape(object[field], type, here);
    else if (!TYPES[type](object[field]))
      throw new Error(`${here} is ${JSON.stringify(object[field])}, which is no ${type}`);
  }
}

function isList(shape: Shape | readonly [Shape]): shape is readonly [Shape] {
  return Array.isArray(shape);
}
