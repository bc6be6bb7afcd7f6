import type { STUDY_LEVELS } from "../contract/fields.ts";
import type { Resume } from "../contract/resume.ts";
import { NETWORK_FIELDS, networkName } from "../records/networks.ts";
import type { Education, Job, Profile, Project } from "../records/record.ts";
import type { ShownRecord } from "../records/visibility.ts";

/** A record in either view: that of everybody has no e-mail address. */
export type ResumeSource = ShownRecord & { readonly email?: string };

/** The JSON Resume of a record, or of what is shown of one, as JSON. */
export function resumeText(record: ResumeSource): string {
  return JSON.stringify(resumeOf(record));
}

/**
 * The same as data. What the format has no place for is left out, and what is unset is absent: it knows no null. It does
 * not tell when the record was last changed, which may be by a change that is not to be seen here.
 */
export function resumeOf({ profile, email, jobs, education, projects }: ResumeSource): Resume {
  return {
    $schema: "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json",
    basics: basicsOf(profile, email),
    work: jobs.map(workOf),
    education: education.map(educationOf),
    projects: projects.map(projectOf),
    meta: { version: "v1.0.0" },
  };
}

function basicsOf(profile: Profile, email: string | undefined): Resume["basics"] {
  const { name, avatarUrl, phone, url, summary, location } = profile;
  return present({
    name: name.value,
    image: address(avatarUrl.value),
    email: email && PLAIN_EMAIL.test(email) ? email : undefined,
    phone: phone.value,
    url: address(url.value),
    summary: summary.value,
    location: location.value === null ? undefined : { city: location.value },
    profiles: NETWORK_FIELDS.flatMap((field) => {
      const { value } = profile[field];
      return value === null ? [] : [{ network: networkName(field, value), url: address(value) ?? value }];
    }),
  });
}

function workOf({ companyName, title, companyUrl, startDate, endDate, ...job }: Job): Resume["work"][number] {
  return present({
    name: companyName,
    position: title,
    url: address(companyUrl),
    startDate: dayOf(startDate),
    endDate: dayOf(endDate),
    summary: job.description,
    keywords: job.technologies,
  });
}

function projectOf(project: Project): Resume["projects"][number] {
  const { title, shortDescription, description, technologies, startDate, endDate, role } = project;
  return present({
    name: title,
    description: shortDescription,
    highlights: description?.split("\n"),
    keywords: technologies,
    startDate: dayOf(startDate),
    endDate: dayOf(endDate),
    url: address(project.demoUrl ?? project.repoUrl),
    roles: role === undefined ? undefined : [role],
  });
}

/** What each study level is called in a résumé. */
export const STUDY_TYPES: Readonly<Record<(typeof STUDY_LEVELS)[number], string>> = {
  HIGH_SCHOOL: "High school",
  ASSOCIATE: "Associate",
  BACHELOR: "Bachelor",
  MASTER: "Master",
  DOCTORATE: "Doctorate",
  BOOTCAMP: "Bootcamp",
  OTHER: "Other",
};

function educationOf(education: Education): Resume["education"][number] {
  const { institution, institutionUrl, fieldOfStudy, studyLevel, startDate, endDate } = education;
  return present({
    institution,
    url: address(institutionUrl),
    area: fieldOfStudy,
    studyType: STUDY_TYPES[studyLevel],
    startDate: dayOf(startDate),
    endDate: dayOf(endDate),
  });
}

/** What the schema of the format takes for an e-mail address. */
const PLAIN_EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i;

/** The day of an instant. The format has none before the year 1000 or after 2999. */
function dayOf(instant: string | null | undefined): string | undefined {
  return instant && /^[12]/.test(instant) ? instant.slice(0, 10) : undefined;
}

/** What RFC 3986 lets not stand behind the host of an address: browsers bear with it, and other programs do not. */
const NOT_IN_ADDRESS = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![\dA-Fa-f]{2})/gu;

/** An address that stays as it is: most are like that, and need no parser. */
const PLAIN_ADDRESS = /^https?:\/\/(?:[a-z\d-]+\.)+[a-z][a-z\d-]*\/(?:[\w~-][\w~.-]*\/)*(?:[\w~-][\w~.-]*)?$/;

function address(url: string | null | undefined): string | undefined {
  if (!url) return undefined;
  if (PLAIN_ADDRESS.test(url)) return url;
  const { href } = new URL(url);
  const pathStart = href.indexOf("/", "https://".length);
  const [path = "", ...fragment] = href
    .slice(pathStart)
    .split("#")
    .map((part) => part.replaceAll(NOT_IN_ADDRESS, encodeURIComponent));
  return href.slice(0, pathStart) + path + (fragment.length > 0 ? `#${fragment.join("%23")}` : "");
}

type Unset<Value> = undefined extends Value ? true : null extends Value ? true : false;

type Present<Fields> = {
  [Name in keyof Fields as Unset<Fields[Name]> extends true ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as Unset<Fields[Name]> extends true ? Name : never]?: NonNullable<Fields[Name]>;
};

/** The fields that are set. */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  const set: Record<string, unknown> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && value !== undefined) set[name] = value;
  }
  return set as Present<Fields>;
}
