import type { Difference } from "../contract.ts";
import type { StudyLevel } from "./editing/draft.ts";
import type { Section } from "./sections.ts";

/* What things are called. Names of fields are the record's; people read these. */

export const SECTION_NAMES: Readonly<Record<Section, string>> = {
  profile: "Profile",
  links: "Link trees",
  jobs: "Jobs",
  projects: "Projects",
  education: "Education",
  numbers: "Numbers",
  codes: "QR codes",
  keys: "Keys",
  hooks: "Hooks",
  history: "History",
  "take-along": "Take along",
  account: "Account",
};

export const STUDY_LEVEL_NAMES: Readonly<Record<StudyLevel, string>> = {
  HIGH_SCHOOL: "High school",
  ASSOCIATE: "Associate degree",
  BACHELOR: "Bachelor",
  MASTER: "Master",
  DOCTORATE: "Doctorate",
  BOOTCAMP: "Bootcamp",
  OTHER: "Other",
};

const FIELD_NAMES: Readonly<Record<string, string>> = {
  email: "E-mail address",
  codehostId: "Number at the code host",
  profile: "Profile",
  jobs: "Jobs",
  projects: "Projects",
  linkTrees: "Link trees",
  education: "Education",
  links: "Links",
  isPublic: "Public",
  slug: "Address",
  name: "Name",
  avatarUrl: "Picture",
  phone: "Telephone",
  url: "Website",
  summary: "About you",
  location: "Place",
  codehostUrl: "Code host",
  socialnetworkUrl: "Social network",
  microblogUrl: "Microblog",
  professionalnetworkUrl: "Professional network",
  videoUrl: "Videos",
  title: "Title",
  description: "Description",
  shortDescription: "In a sentence",
  companyName: "Company",
  companyUrl: "Company's site",
  listingId: "Listing",
  startDate: "Start",
  endDate: "End",
  isCurrent: "Current",
  isRemote: "Remote",
  isOpenSource: "Open source",
  technologies: "Technologies",
  role: "Role",
  repoUrl: "Source",
  demoUrl: "Demo",
  jobId: "Part of a job",
  institution: "Institution",
  institutionUrl: "Institution's site",
  studyLevel: "Level",
  fieldOfStudy: "Field of study",
  label: "Label",
  section: "Heading",
  isHidden: "Hidden",
  look: "Look",
  theme: "Theme",
  accent: "Colour",
  hasPage: "Public page",
  language: "Language",
};

/** What a field of a record is called. The URL of a link is no website of its owner's. */
export function fieldName(field: string, isOfLink = false): string {
  return (isOfLink && field === "url" ? FIELD_NAMES.slug : FIELD_NAMES[field]) ?? field;
}

/** A difference of two records in the words of the forms: the server names fields of the profile as files do. */
export function differenceWords({ path: [part, field], message }: Difference): string {
  const [what] = /(?:added|removed|changed|made \w+)$/.exec(message) ?? [];
  if (part !== "profile" || field === "isPublic" || what === undefined) return sentence(message);
  return sentence(`${fieldName(String(field))}${field === "slug" ? " of the profile" : ""} ${what}`);
}

/** What an entry of a list is called: by its own words, as far as it has any. */
export function entryName(entry: object): string {
  const { title, institution, label, url, companyName } = entry as Record<string, unknown>;
  const name = [title, institution, label, companyName, url].find(
    (text): text is string => typeof text === "string" && text.trim() !== "",
  );
  return name ?? "Untitled";
}

/** "one", "one and two", "one, two and three". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}

/** A message about a value, as a sentence of its own. */
export function sentence(message: string): string {
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric" });
const TO_THE_MINUTE = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
} as const;
const minute = new Intl.DateTimeFormat("en", TO_THE_MINUTE);
const second = new Intl.DateTimeFormat("en", { ...TO_THE_MINUTE, second: "2-digit" });

export function dayOf(instant: string): string {
  return day.format(new Date(instant));
}

export function minuteOf(instant: string): string {
  return minute.format(new Date(instant));
}

/** When something was that has to be told from others: to the second where one of them was in the same minute. */
export function momentAmong(instants: readonly string[], instant: string): string {
  const alike = instants.filter((other) => minuteOf(other) === minuteOf(instant));
  return alike.length > 1 ? second.format(new Date(instant)) : minuteOf(instant);
}
