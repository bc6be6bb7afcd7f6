import { z } from "zod";
import { BOUNDS, EMAIL_BOUND, emailFault, slugFaults, textFault } from "./texts.ts";

export const STUDY_LEVELS = [
  "HIGH_SCHOOL",
  "ASSOCIATE",
  "BACHELOR",
  "MASTER",
  "DOCTORATE",
  "BOOTCAMP",
  "OTHER",
] as const;

/** What is wrong with a value: nothing, one thing or several. */
type Faults = string | readonly string[] | undefined;

/**
 * A string under one rule, which names what is wrong with a value. One plain function: an import checks a
 * hundred strings a record, and each link of a chain of refinements would cost as much as the rule itself.
 */
export function ruled(faultsOf: (value: string) => Faults) {
  return z.string().check((payload) => {
    const faults = faultsOf(payload.value);
    if (faults === undefined) return;
    for (const message of typeof faults === "string" ? [faults] : faults) {
      // Continuing lets the rules across fields be heard as well.
      payload.issues.push({ code: "custom", input: payload.value, message, continue: true });
    }
  });
}

export function text(limit: number) {
  return ruled((value) => textFault(value, limit)).meta({ maxLength: limit });
}

/** Space and control characters are stripped by URL parsers, so an address that holds one is not what it seems. */
const HAS_SPACE_OR_CONTROL = /[\s\p{Cc}]/u;

/**
 * URLs stay as their owners wrote them, in any script and with what browsers put up with. By RFC 3986 such a one is no
 * URI, so the schema says no `format: uri`; nor `format: email` of an address, whose name or host may be in any script.
 */
function urlOf(...schemes: [string, ...string[]]) {
  // Either case, letter by letter: a pattern in a schema has no flags.
  const starts = schemes.map((scheme) => {
    const letters = scheme.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
    return scheme.startsWith("http") ? `${letters}://` : `${letters}:`;
  });
  const pattern = `^(?:${starts.join("|")}).`;
  const startsRight = new RegExp(pattern);
  const fault = `must be a URL that starts with ${schemes.join(", ").replace(/, ([^,]*)$/, " or $1")}`;
  return ruled((value) => {
    const isUrl = startsRight.test(value) && !HAS_SPACE_OR_CONTROL.test(value) && URL.canParse(value);
    return textFault(value, BOUNDS.url) ?? (isUrl ? undefined : fault);
  }).meta({ maxLength: BOUNDS.url, pattern });
}

export const webUrl = urlOf("http", "https").describe("An http or https URL.");
export const linkUrl = urlOf("http", "https", "mailto", "tel").describe("Where the link leads.");

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,99}$/;

export const identifier = ruled((value) =>
  IDENTIFIER.test(value)
    ? undefined
    : `must be 1 to ${BOUNDS.identifier} letters, digits or . _ ~ : -, starting with a letter or digit`,
).meta({ pattern: IDENTIFIER.source, description: "An identifier, to be treated as opaque." });

export const slug = ruled(slugFaults).meta({
  minLength: 1,
  maxLength: BOUNDS.slug,
  description: "A handle that is unique over the whole service.",
});

export const email = ruled(emailFault).meta({
  maxLength: EMAIL_BOUND,
  description: "The user's e-mail address.",
});

export const utcTimestamp = z.iso.datetime({ precision: 3 }).meta({
  // In place of the library's own, which spells out the calendar.
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
  description: "An instant in UTC, as 2026-04-12T08:30:00.000Z.",
});

const technologies = z
  .array(text(BOUNDS.technology))
  .max(BOUNDS.technologies, { message: `must have at most ${BOUNDS.technologies} entries` })
  .describe("What was worked with, in the owner's order.");

function dataField<Value extends z.ZodType<string>>(value: Value, description: string) {
  return z.strictObject({ isPublic: z.boolean(), value: value.nullable() }).describe(description);
}

/*
 * The fields of each resource, in the order of the contract. What comes in and what goes out differ only in
 * how an instant is written (and in what the server sets), so each list takes the schema for instants. What is
 * optional is absent where its owner has left it out, and never null.
 */

export const profileFields = {
  isPublic: z.boolean().describe("Whether the profile as a whole is public."),
  slug,
  name: dataField(text(BOUNDS.title), "The user's name."),
  avatarUrl: dataField(webUrl, "A picture of the user."),
  phone: dataField(text(BOUNDS.profileValue), "A telephone number, as the user writes it."),
  url: dataField(webUrl, "The user's own site."),
  summary: dataField(text(BOUNDS.description), "What the user says about themselves."),
  location: dataField(text(BOUNDS.profileValue), "Where the user is."),
  codehostUrl: dataField(webUrl, "The user's page at a code host."),
  socialnetworkUrl: dataField(webUrl, "The user's page on a social network."),
  microblogUrl: dataField(webUrl, "The user's microblog."),
  professionalnetworkUrl: dataField(webUrl, "The user's page on a professional network."),
  videoUrl: dataField(webUrl, "The user's videos."),
};

export function jobFields<Instant extends z.ZodType<string>>(instant: Instant) {
  return {
    title: text(BOUNDS.title).describe("The position."),
    startDate: instant,
    endDate: instant.nullable().describe("null for a current job."),
    isCurrent: z.boolean().describe("Whether the user holds it now."),
    isPublic: z
      .boolean()
      .describe("Whether the user marked it public. A key of the full view gets it either way."),
    companyName: text(BOUNDS.title),
    technologies,
    description: text(BOUNDS.description),
    isRemote: z.boolean().describe("Whether the work is done from elsewhere."),
    companyUrl: webUrl.describe("The company's site.").exactOptional(),
    listingId: text(BOUNDS.title)
      .describe("Identifies the listing (company) where the role is held.")
      .exactOptional(),
  };
}

export function projectFields<Instant extends z.ZodType<string>>(instant: Instant) {
  return {
    title: text(BOUNDS.title),
    shortDescription: text(BOUNDS.shortDescription).describe("What it is, in a sentence."),
    technologies,
    isCurrent: z.boolean().describe("Whether the user works on it now."),
    isRemote: z.boolean().describe("Whether the work is done from elsewhere."),
    isOpenSource: z.boolean(),
    description: text(BOUNDS.description).nullable(),
    role: text(BOUNDS.title).describe("What the user does in it.").exactOptional(),
    startDate: instant.exactOptional(),
    endDate: instant.nullable().describe("null while there is no end to it."),
    repoUrl: webUrl.describe("Where its source is.").exactOptional(),
    demoUrl: webUrl.nullable().describe("Where it can be seen."),
    jobId: identifier.nullable().describe("The job this project belongs to."),
  };
}

export function educationFields<Instant extends z.ZodType<string>>(instant: Instant) {
  return {
    institution: text(BOUNDS.title),
    institutionUrl: webUrl.describe("The institution's site.").exactOptional(),
    studyLevel: z.enum(STUDY_LEVELS).describe("What the studies lead to."),
    fieldOfStudy: text(BOUNDS.title).exactOptional(),
    startDate: instant.exactOptional(),
    endDate: instant.describe("For current studies, when they are expected to end.").exactOptional(),
    isCurrent: z.boolean().describe("Whether the user studies there now."),
    description: text(BOUNDS.description).nullable(),
  };
}

export const linkTreeFields = {
  title: text(BOUNDS.title),
  description: text(BOUNDS.description).nullable(),
  slug,
};

export const linkFields = {
  label: text(BOUNDS.title).describe("What the link says."),
  url: linkUrl,
};

export const codehostId = z
  .int()
  .describe("Numeric identifier of the user at an external code-hosting service.")
  .exactOptional();
