import { BOUNDS } from "../../contract/texts.ts";
import { type Choices, type Converted, Draft, isObject, objectsOf, set, studyLevelOf } from "./draft.ts";
import { NotInFormat } from "./errors.ts";

type Values = Readonly<Record<string, unknown>>;

/** Parts of a JSON Resume that a record has no place for. */
const OTHER_PARTS = [
  "volunteer",
  "awards",
  "certificates",
  "publications",
  "skills",
  "languages",
  "interests",
  "references",
];

export function isJsonResume(value: unknown): boolean {
  return isObject(value) && isObject(value.basics) && !("profile" in value);
}

/** A JSON Resume 1.0.0 and before. What its schema says of dates and addresses is left to how people write them. */
export async function fromJsonResume(value: unknown, choices: Choices): Promise<Converted> {
  const resume = withoutNothing(value) as Values;
  await refuseOtherShape(resume);
  const draft = new Draft(choices);
  const basics = (resume.basics ?? {}) as Values;
  draft.set("name", draft.text(basics.name, BOUNDS.title, "basics.name"));
  draft.set("avatarUrl", draft.webUrl(basics.image ?? basics.picture, "basics.image"));
  draft.set("phone", draft.text(basics.phone, BOUNDS.profileValue, "basics.phone"));
  draft.set("url", draft.webUrl(basics.url ?? basics.website, "basics.url"));
  draft.set("summary", draft.text(basics.summary, BOUNDS.description, "basics.summary"));
  draft.set("location", draft.text(locationOf(basics.location), BOUNDS.profileValue, "basics.location"));
  if (basics.label !== undefined) draft.leave(`basics.label: ${JSON.stringify(basics.label)}`);
  for (const [index, profile] of objectsOf(basics.profiles).entries()) {
    const network = typeof profile.network === "string" ? profile.network : undefined;
    if (profile.url) draft.network(network, profile.url, `basics.profiles[${index}]`);
    else draft.leave(`basics.profiles[${index}]: has no address`);
  }
  for (const part of OTHER_PARTS)
    for (const [index, item] of objectsOf(resume[part]).entries())
      draft.leave(`${part}[${index}]: ${titleOf(item)}`);
  return draft.finish({
    email: typeof basics.email === "string" ? basics.email : undefined,
    jobs: objectsOf(resume.work).flatMap((work, index) => jobOf(work, `work[${index}]`, draft)),
    projects: objectsOf(resume.projects).map((project, index) =>
      projectOf(project, `projects[${index}]`, draft),
    ),
    education: objectsOf(resume.education).map((entry, index) =>
      educationOf(entry, `education[${index}]`, draft),
    ),
  });
}

function jobOf(work: Values, place: string, draft: Draft): object[] {
  const { startDate, endDate, isCurrent } = periodOf(work, place, draft);
  if (startDate === undefined) {
    draft.leave(`${place}: ${titleOf(work)} has no start, which a job must have`);
    return [];
  }
  if (work.location) draft.leave(`${place}.location: ${JSON.stringify(work.location)}`);
  if (work.description) draft.leave(`${place}.description: ${JSON.stringify(work.description)}`);
  const highlights = Array.isArray(work.highlights) ? work.highlights.map((line) => `- ${line}`) : [];
  const said = typeof work.summary === "string" ? [work.summary] : [];
  return [
    set({
      title: draft.text(work.position, BOUNDS.title, `${place}.position`) ?? "",
      startDate,
      endDate: endDate ?? null,
      isCurrent: isCurrent && endDate === undefined,
      isPublic: draft.isPublic,
      companyName: draft.text(work.name ?? work.company, BOUNDS.title, `${place}.name`) ?? "",
      technologies: draft.list(work.keywords, `${place}.keywords`),
      description:
        draft.text([...said, ...highlights].join("\n"), BOUNDS.description, `${place}.summary`) ?? "",
      isRemote: false,
      companyUrl: draft.webUrl(work.url ?? work.website, `${place}.url`),
    }),
  ];
}

function projectOf(project: Values, place: string, draft: Draft): object {
  const { startDate, endDate, isCurrent } = periodOf(project, place, draft);
  for (const member of ["entity", "type"])
    if (project[member]) draft.leave(`${place}.${member}: ${JSON.stringify(project[member])}`);
  const highlights = Array.isArray(project.highlights) ? project.highlights.join("\n") : undefined;
  const roles = Array.isArray(project.roles) ? project.roles.join(", ") : undefined;
  return set({
    title: draft.text(project.name, BOUNDS.title, `${place}.name`) ?? "",
    shortDescription: draft.text(project.description, BOUNDS.shortDescription, `${place}.description`) ?? "",
    technologies: draft.list(project.keywords, `${place}.keywords`),
    isCurrent,
    isRemote: false,
    isOpenSource: false,
    description: draft.text(highlights, BOUNDS.description, `${place}.highlights`) ?? null,
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
  if (studyType && studyLevel === "OTHER" && studyType !== "Other")
    draft.leave(`${place}.studyType: ${JSON.stringify(studyType)}, which became OTHER`);
  if (entry.score) draft.leave(`${place}.score: ${JSON.stringify(entry.score)}`);
  const courses = Array.isArray(entry.courses)
    ? entry.courses.map((line) => `- ${line}`).join("\n")
    : undefined;
  return set({
    institution: draft.text(entry.institution, BOUNDS.title, `${place}.institution`) ?? "",
    institutionUrl: draft.webUrl(entry.url ?? entry.website, `${place}.url`),
    studyLevel,
    fieldOfStudy: draft.text(entry.area, BOUNDS.title, `${place}.area`),
    startDate,
    endDate,
    isCurrent,
    description: draft.text(courses, BOUNDS.description, `${place}.courses`) ?? null,
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

function titleOf(item: Values): string {
  const title = ["position", "name", "title", "organization", "language", "company"]
    .map((member) => item[member])
    .find(Boolean);
  return JSON.stringify(title ?? "");
}

/** A resume without what says nothing: nulls, which the schema does not know, and empty texts. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNothing);
  if (!isObject(value)) return value;
  const said = Object.entries(value).filter(([, inner]) => inner !== null && inner !== "");
  return Object.fromEntries(said.map(([name, inner]) => [name, withoutNothing(inner)]));
}

/** Members of another type than the format's are refused. Dates and addresses are looked at one by one. */
async function refuseOtherShape(resume: unknown): Promise<void> {
  if (!isObject(resume)) throw new NotInFormat("the file is no JSON Resume: it is no object");
  const { default: schema } = await import("@jsonresume/schema");
  schema.validate(resume, (faults) => {
    const wrong = faults?.find(({ name }) => name === "type");
    if (!wrong) return;
    const place = wrong.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
    throw new NotInFormat(`the file is no JSON Resume: ${place.replace(/^\./, "")} ${wrong.message}`);
  });
}
