import { BOUNDS } from "../../contract/texts.ts";
import { STUDY_TYPES } from "../../documents/resume.ts";
import { type Choices, type Converted, Draft, isObject, objectsOf, set, studyLevelOf } from "./draft.ts";
import { NotInFormat } from "./errors.ts";

type Values = Readonly<Record<string, unknown>>;

/** The parts of a resume that go into a record, with the members that do. All others are listed. */
const TAKEN = {
  basics: ["name", "image", "email", "phone", "url", "summary", "location", "profiles"],
  work: ["name", "position", "url", "startDate", "endDate", "summary", "highlights", "keywords"],
  projects: ["name", "description", "highlights", "keywords", "startDate", "endDate", "url", "roles"],
  education: ["institution", "url", "area", "studyType", "startDate", "endDate", "courses"],
} as const;

/** The same of what stands within the basics. */
const TAKEN_OF_LOCATION = ["address", "postalCode", "city", "region", "countryCode"];
const TAKEN_OF_PROFILE = ["network", "username", "url"];

/** Parts that are about the file. */
const ABOUT_FILE = ["$schema", "meta"];

/** What some members were called before version 1.0.0, by their names since. */
const OLD_NAMES = {
  basics: { image: "picture", url: "website" },
  work: { name: "company", url: "website" },
  education: { url: "website" },
} as const;

export function isJsonResume(value: unknown): boolean {
  return isObject(value) && isObject(value.basics) && !("profile" in value) && !isReactiveResume(value);
}

/** Reactive Resume has basics too, of another form, and all else in sections. */
function isReactiveResume({ sections, metadata }: Values): boolean {
  return isObject(sections) && isObject(metadata);
}

/** A JSON Resume 1.0.0 and before. What its schema says of dates and addresses is left to how people write them. */
export async function fromJsonResume(value: unknown, choices: Choices): Promise<Converted> {
  const resume = withoutNothing(value) as Values;
  await refuseOtherShape(resume);
  const draft = new Draft(choices);
  const basics = renamed((resume.basics ?? {}) as Values, OLD_NAMES.basics);
  draft.set("name", draft.text(basics.name, BOUNDS.title, "basics.name"));
  draft.set("avatarUrl", draft.webUrl(basics.image, "basics.image"));
  draft.set("phone", draft.text(basics.phone, BOUNDS.profileValue, "basics.phone"));
  draft.set("url", draft.webUrl(basics.url, "basics.url"));
  draft.set("summary", draft.text(basics.summary, BOUNDS.description, "basics.summary"));
  draft.set("location", draft.text(locationOf(basics.location), BOUNDS.profileValue, "basics.location"));
  leaveOthers(basics, TAKEN.basics, "basics", draft);
  if (isObject(basics.location)) leaveOthers(basics.location, TAKEN_OF_LOCATION, "basics.location", draft);
  for (const [index, profile] of objectsOf(basics.profiles).entries()) {
    const place = `basics.profiles[${index}]`;
    const network = typeof profile.network === "string" ? profile.network : undefined;
    const username = typeof profile.username === "string" ? profile.username : "";
    if (!profile.url)
      draft.leave(
        `${place}: ${JSON.stringify([network, username].filter(Boolean).join(" "))} has no address`,
      );
    else {
      draft.network(network, profile.url, place);
      // Most addresses say the name as well. A record has no other place for it.
      if (!String(profile.url).toLowerCase().includes(username.toLowerCase().replace(/^@/, "")))
        draft.leave(`${place}.username: ${JSON.stringify(username)}`);
    }
    leaveOthers(profile, TAKEN_OF_PROFILE, place, draft);
  }
  for (const [part, items] of Object.entries(resume)) {
    if (Object.hasOwn(TAKEN, part) || ABOUT_FILE.includes(part)) continue;
    if (!Array.isArray(items)) draft.leave(`${part}: ${JSON.stringify(items)}`);
    else for (const [index, item] of items.entries()) draft.leave(`${part}[${index}]: ${titleOf(item)}`);
  }
  return draft.finish({
    email: typeof basics.email === "string" ? basics.email : undefined,
    jobs: objectsOf(resume.work).flatMap((work, index) =>
      jobOf(renamed(work, OLD_NAMES.work), `work[${index}]`, draft),
    ),
    projects: objectsOf(resume.projects).map((project, index) =>
      projectOf(project, `projects[${index}]`, draft),
    ),
    education: objectsOf(resume.education).map((entry, index) =>
      educationOf(renamed(entry, OLD_NAMES.education), `education[${index}]`, draft),
    ),
  });
}

function jobOf(work: Values, place: string, draft: Draft): object[] {
  const { startDate, endDate, isCurrent } = periodOf(work, place, draft);
  if (startDate === undefined) {
    draft.leave(`${place}: ${titleOf(work)} has no start, which a job must have`);
    return [];
  }
  leaveOthers(work, TAKEN.work, place, draft);
  const highlights = Array.isArray(work.highlights) ? work.highlights.map((line) => `- ${line}`) : [];
  const said = typeof work.summary === "string" ? [work.summary] : [];
  return [
    set({
      title: draft.text(work.position, BOUNDS.title, `${place}.position`) ?? "",
      startDate,
      endDate: endDate ?? null,
      isCurrent: isCurrent && endDate === undefined,
      isPublic: draft.isPublic,
      companyName: draft.text(work.name, BOUNDS.title, `${place}.name`) ?? "",
      technologies: draft.list(work.keywords, `${place}.keywords`),
      description:
        draft.text([...said, ...highlights].join("\n"), BOUNDS.description, `${place}.summary`) ?? "",
      isRemote: false,
      companyUrl: draft.webUrl(work.url, `${place}.url`),
    }),
  ];
}

function projectOf(project: Values, place: string, draft: Draft): object {
  const { startDate, endDate, isCurrent } = periodOf(project, place, draft);
  leaveOthers(project, TAKEN.projects, place, draft);
  const said = typeof project.description === "string" ? project.description : "";
  const isShort = [...said].length <= BOUNDS.shortDescription;
  const highlights = Array.isArray(project.highlights) ? project.highlights : [];
  const lines = isShort ? highlights : [said, ...highlights];
  const roles = Array.isArray(project.roles) ? project.roles.join(", ") : undefined;
  return set({
    title: draft.text(project.name, BOUNDS.title, `${place}.name`) ?? "",
    shortDescription: isShort ? draft.text(said, BOUNDS.shortDescription, `${place}.description`) : "",
    technologies: draft.list(project.keywords, `${place}.keywords`),
    isCurrent,
    isRemote: false,
    isOpenSource: false,
    description:
      draft.text(
        lines.join("\n"),
        BOUNDS.description,
        `${place}.${isShort ? "highlights" : "description"}`,
      ) || null,
    role: draft.text(roles, BOUNDS.title, `${place}.roles`),
    startDate,
    endDate: endDate ?? null,
    demoUrl: draft.webUrl(project.url, `${place}.url`) ?? null,
  });
}

function educationOf(entry: Values, place: string, draft: Draft): object {
  const { startDate, endDate, isCurrent } = periodOf(entry, place, draft);
  const studyType = typeof entry.studyType === "string" ? entry.studyType : undefined;
  const studyLevel = studyLevelOf(studyType);
  leaveOthers(entry, TAKEN.education, place, draft);
  const courses = Array.isArray(entry.courses) ? entry.courses.map((line) => `- ${line}`) : [];
  // Most degrees say more than their level: of what, and how well.
  const isLevel = studyType?.toLowerCase() === STUDY_TYPES[studyLevel].toLowerCase();
  const words = [isLevel ? undefined : studyType, ...courses].filter(Boolean).join("\n");
  return set({
    institution: draft.text(entry.institution, BOUNDS.title, `${place}.institution`) ?? "",
    institutionUrl: draft.webUrl(entry.url, `${place}.url`),
    studyLevel,
    fieldOfStudy: draft.text(entry.area, BOUNDS.title, `${place}.area`),
    startDate,
    endDate,
    isCurrent,
    description: draft.text(words || undefined, BOUNDS.description, `${place}.courses`) ?? null,
  });
}

function periodOf({ startDate, endDate }: Values, place: string, draft: Draft) {
  return draft.period([startDate, `${place}.startDate`], [endDate, `${place}.endDate`]);
}

function locationOf(location: unknown): unknown {
  if (!isObject(location)) return location;
  const { address, postalCode, city, region, countryCode } = location;
  const place = [postalCode, city].filter(Boolean).join(" ");
  return [address, place, region, countryCode].filter(Boolean).join(", ") || undefined;
}

/** Lists the members of an object that are not taken over. */
function leaveOthers(values: Values, taken: readonly string[], place: string, draft: Draft): void {
  for (const [name, value] of Object.entries(values))
    if (!taken.includes(name)) draft.leave(`${place}.${name}: ${JSON.stringify(value)}`);
}

/** An object by the names that its members have today. One that has both names of a member keeps both. */
function renamed(values: Values, oldNames: Readonly<Record<string, string>>): Values {
  const newNames = new Map(Object.entries(oldNames).map(([name, oldName]) => [oldName, name]));
  const members = Object.entries(values).map(([name, value]) => {
    const newName = newNames.get(name) ?? name;
    return [newName in values ? name : newName, value];
  });
  return Object.fromEntries(members);
}

function titleOf(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item);
  const title = ["position", "name", "title", "organization", "language", "company"]
    .map((member) => item[member])
    .find(Boolean);
  return JSON.stringify(title ?? "");
}

/**
 * A resume without what says nothing: nulls, which the schema does not know, empty texts and empty lists. It knows no
 * numbers either, and many write years, postal codes and levels so.
 */
function withoutNothing(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNothing);
  if (!isObject(value)) return value;
  const said = Object.entries(value).filter(([, inner]) => !isNothing(inner));
  return Object.fromEntries(said.map(([name, inner]) => [name, withoutNothing(inner)]));
}

function isNothing(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

const TYPES: Readonly<Record<string, string>> = { array: "a list", object: "an object", string: "a text" };

/** Members of another type than the format's are refused. Dates and addresses are looked at one by one. */
async function refuseOtherShape(resume: unknown): Promise<void> {
  const refusal = (reason: string) => new NotInFormat(`the file is no JSON Resume: ${reason}`);
  if (!isObject(resume)) throw refusal("it is no object");
  if (isReactiveResume(resume)) throw refusal("it is an export of Reactive Resume, which cannot be read");
  // What is made of it would replace all that a user has.
  if (!Object.keys(TAKEN).some((part) => part in resume))
    throw refusal("it has neither basics nor work, projects or education");
  const { default: schema } = await import("@jsonresume/schema");
  schema.validate(resume, (faults) => {
    const wrong = faults?.find(
      ({ name, path, instance }) =>
        name === "type" &&
        isTaken(path) &&
        // Many say in one text where they live, and so does a record.
        !(path.join(".") === "basics.location" && typeof instance === "string"),
    );
    if (!wrong) return;
    const place = wrong.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
    const [type = ""] = [wrong.argument].flat();
    throw refusal(`${place.replace(/^\./, "")} must be ${TYPES[type] ?? type}`);
  });
}

/** Whether what is at a place goes into a record. All else is only listed, whatever it is. */
function isTaken([part = "", ...steps]: readonly (string | number)[]): boolean {
  const member = steps.find((step) => typeof step === "string");
  const members = (TAKEN as Readonly<Record<string, readonly string[]>>)[part];
  return members !== undefined && (member === undefined || members.includes(member));
}
