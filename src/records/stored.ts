import { toUtcTimestamp } from "./dates.ts";
import type { Education, Job, Link, LinkTree, Profile, Project, UserRecord } from "./record.ts";

/** What is wrong with the text of a stored record. */
export type RecordFault = "no JSON" | "no record";

/**
 * A record from its stored text. It is held to the shape of a record and not to the rules, which may have become
 * stricter since it was stored.
 */
export function readStored(text: string): { record: UserRecord } | { fault: RecordFault } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "no JSON" };
  }
  return isStoredRecord(value) ? { record: value } : { fault: "no record" };
}

export function isStoredRecord(value: unknown): value is UserRecord {
  return isRecord(value);
}

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === "string";
const isNumber: Test = (value) => typeof value === "number";
const isFlag: Test = (value) => typeof value === "boolean";
const isInstant: Test = (value) => typeof value === "string" && toUtcTimestamp(value) === value;

function orNull(test: Test): Test {
  return (value) => value === null || test(value);
}

function orAbsent(test: Test): Test {
  return (value) => value === undefined || test(value);
}

function listOf(test: Test): Test {
  return (value) => Array.isArray(value) && value.every(test);
}

/** Takes a test for every field of a type, so that none is forgotten. */
function objectOf<Whole>(fields: { readonly [name in keyof Whole]-?: Test }): Test {
  const tests = Object.entries<Test>(fields);
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    tests.every(([name, test]) => test((value as Record<string, unknown>)[name]));
}

/*
 * The shape of a stored record, told without the schema of what comes in: that takes longer to load than most commands
 * take to run.
 */

const isDataField = objectOf<Profile["name"]>({ isPublic: isFlag, value: orNull(isText) });

const isProfile = objectOf<Profile>({
  updatedAt: isInstant,
  isPublic: isFlag,
  slug: isText,
  name: isDataField,
  avatarUrl: isDataField,
  phone: isDataField,
  url: isDataField,
  summary: isDataField,
  location: isDataField,
  codehostUrl: isDataField,
  socialnetworkUrl: isDataField,
  microblogUrl: isDataField,
  professionalnetworkUrl: isDataField,
  videoUrl: isDataField,
  language: orAbsent(isText),
});

const isJob = objectOf<Job>({
  id: isText,
  createdAt: isInstant,
  updatedAt: isInstant,
  userId: isText,
  title: isText,
  startDate: isText,
  endDate: orNull(isText),
  isCurrent: isFlag,
  isPublic: isFlag,
  companyName: isText,
  technologies: listOf(isText),
  description: isText,
  isRemote: isFlag,
  companyUrl: orAbsent(isText),
  listingId: orAbsent(isText),
});

const isProject = objectOf<Project>({
  title: isText,
  shortDescription: isText,
  technologies: listOf(isText),
  isCurrent: isFlag,
  isRemote: isFlag,
  isOpenSource: isFlag,
  description: orNull(isText),
  role: orAbsent(isText),
  startDate: orAbsent(isText),
  endDate: orNull(isText),
  repoUrl: orAbsent(isText),
  demoUrl: orNull(isText),
  jobId: orNull(isText),
});

const isLink = objectOf<Link>({
  id: isText,
  label: isText,
  url: isText,
  section: orAbsent(isText),
  isHidden: orAbsent(isFlag),
});

const isLinkTree = objectOf<LinkTree>({
  id: isText,
  createdAt: isInstant,
  updatedAt: isInstant,
  title: isText,
  description: orNull(isText),
  slug: isText,
  links: listOf(isLink),
  look: orAbsent(
    objectOf<NonNullable<LinkTree["look"]>>({ theme: orAbsent(isText), accent: orAbsent(isText) }),
  ),
  hasPage: orAbsent(isFlag),
});

const isEducation = objectOf<Education>({
  institution: isText,
  institutionUrl: orAbsent(isText),
  studyLevel: isText,
  fieldOfStudy: orAbsent(isText),
  startDate: orAbsent(isText),
  endDate: orAbsent(isText),
  isCurrent: isFlag,
  description: orNull(isText),
});

const isRecord = objectOf<UserRecord>({
  id: isText,
  createdAt: isInstant,
  updatedAt: isInstant,
  codehostId: orAbsent(isNumber),
  email: isText,
  profile: isProfile,
  jobs: listOf(isJob),
  projects: listOf(isProject),
  linkTrees: listOf(isLinkTree),
  education: listOf(isEducation),
});
