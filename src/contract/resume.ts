import { z } from "zod";
import { text } from "./fields.ts";
import { BOUNDS } from "./texts.ts";

/** The JSON Resume that Vitrine writes. The schema of the format allows more, and requires nothing. */

const day = z
  .string()
  .meta({ format: "date", pattern: String.raw`^[12]\d{3}-\d\d-\d\d$`, description: "A day, as 2026-04-12." });

/** In ASCII, and still no `format: uri`: a host may be `{name}.example`, which browsers take, and no standard. */
const address = z.string().meta({ description: "An http or https URL." });

const words = text(BOUNDS.description);

const Basics = z.strictObject({
  name: text(BOUNDS.title).exactOptional(),
  image: address.describe("A picture.").exactOptional(),
  email: z.string().meta({ format: "email" }).exactOptional(),
  phone: text(BOUNDS.profileValue).exactOptional(),
  url: address.describe("The user's own site.").exactOptional(),
  summary: words.exactOptional(),
  location: z
    .strictObject({ city: text(BOUNDS.profileValue).describe("Where the user is.") })
    .exactOptional(),
  profiles: z.array(z.strictObject({ network: z.string(), url: address })),
});

const Work = z.strictObject({
  name: text(BOUNDS.title).describe("The company."),
  position: text(BOUNDS.title),
  url: address.exactOptional(),
  startDate: day.exactOptional(),
  endDate: day.exactOptional(),
  summary: words.exactOptional(),
  keywords: z
    .array(text(BOUNDS.technology))
    .describe("What was worked with. The format has it for projects only, and lets it stand here.")
    .exactOptional(),
});

const Project = z.strictObject({
  name: text(BOUNDS.title),
  description: text(BOUNDS.shortDescription),
  highlights: z.array(words).describe("The long description, line by line.").exactOptional(),
  keywords: z.array(text(BOUNDS.technology)).describe("What was worked with.").exactOptional(),
  startDate: day.exactOptional(),
  endDate: day.exactOptional(),
  url: address.describe("Where it can be seen, or else where its source is.").exactOptional(),
  roles: z.array(text(BOUNDS.title)).exactOptional(),
});

const Education = z.strictObject({
  institution: text(BOUNDS.title),
  url: address.exactOptional(),
  area: text(BOUNDS.title).exactOptional(),
  studyType: z.string().describe("What the studies lead to."),
  startDate: day.exactOptional(),
  endDate: day.exactOptional(),
});

export const Resume = z.strictObject({
  $schema: z.literal("https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"),
  basics: Basics,
  work: z.array(Work),
  education: z.array(Education),
  projects: z.array(Project),
  meta: z.strictObject({ version: z.literal("v1.0.0") }),
});

export type Resume = z.output<typeof Resume>;
