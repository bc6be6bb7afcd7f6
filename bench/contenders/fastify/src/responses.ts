/** The shapes that go out, as JSON Schema: Fastify compiles a serializer from each. */
const string = { type: "string" } as const;
const boolean = { type: "boolean" } as const;
const timestamp = { type: "string", format: "date-time" } as const;
const strings = { type: "array", items: string } as const;
const nullable = <Schema extends object>(schema: Schema) => ({ ...schema, nullable: true }) as const;
const object = <Properties extends object>(properties: Properties) =>
  ({ type: "object", properties, required: Object.keys(properties) }) as const;
const list = <Items extends object>(items: Items) => ({ type: "array", items }) as const;

const field = object({ isPublic: boolean, value: nullable(string) });

const profile = object({
  updatedAt: timestamp,
  isPublic: boolean,
  slug: string,
  name: field,
  avatarUrl: field,
  phone: field,
  url: field,
  summary: field,
  location: field,
  codehostUrl: field,
  socialnetworkUrl: field,
  microblogUrl: field,
  professionalnetworkUrl: field,
  videoUrl: field,
});

const job = object({
  createdAt: timestamp,
  updatedAt: timestamp,
  userId: string,
  title: string,
  startDate: timestamp,
  endDate: nullable(timestamp),
  isCurrent: boolean,
  isPublic: boolean,
  companyName: string,
  technologies: strings,
  description: string,
  isRemote: boolean,
  companyUrl: string,
  listingId: string,
});

const project = object({
  title: string,
  shortDescription: string,
  technologies: strings,
  isCurrent: boolean,
  isRemote: boolean,
  isOpenSource: boolean,
  description: nullable(string),
  role: string,
  startDate: timestamp,
  endDate: nullable(timestamp),
  repoUrl: string,
  demoUrl: nullable(string),
  jobId: nullable(string),
});

const education = object({
  institution: string,
  institutionUrl: string,
  studyLevel: string,
  fieldOfStudy: string,
  startDate: timestamp,
  endDate: timestamp,
  isCurrent: boolean,
  description: nullable(string),
});

const linkTree = object({
  id: string,
  title: string,
  description: nullable(string),
  slug: string,
  links: list(object({ id: string, label: string, url: string })),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const linkTreesResponse = list(linkTree);

export const fullResponse = object({
  createdAt: timestamp,
  updatedAt: timestamp,
  codehostId: { type: "integer" },
  email: string,
  profile,
  jobs: list(job),
  projects: list(project),
  linkTrees: linkTreesResponse,
  education: list(education),
});
