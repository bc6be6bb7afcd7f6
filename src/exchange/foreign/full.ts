import { STUDY_LEVELS } from "../../contract/fields.ts";
import {
  Education,
  FullUser,
  Job,
  Link,
  Profile,
  Project,
  PublicLinkTree,
} from "../../contract/responses.ts";
import { type Choices, type Converted, isObject, objectsOf, studyLevelOf, withoutPage } from "./draft.ts";
import { NoEmail, NotInFormat } from "./errors.ts";

type Values = Record<string, unknown>;

/** What other services with this API call a field that has a neutral name here. */
const BRANDS: Readonly<Record<string, string>> = {
  ghId: "codehostId",
  githubId: "codehostId",
  gitlabId: "codehostId",
  githubUrl: "codehostUrl",
  gitlabUrl: "codehostUrl",
  linkedinUrl: "professionalnetworkUrl",
  linkedInUrl: "professionalnetworkUrl",
  twitterUrl: "microblogUrl",
  xUrl: "microblogUrl",
  mastodonUrl: "microblogUrl",
  facebookUrl: "socialnetworkUrl",
  instagramUrl: "socialnetworkUrl",
  youtubeUrl: "videoUrl",
  youTubeUrl: "videoUrl",
  vimeoUrl: "videoUrl",
};

/** The parts of a record, each with the fields that it has here. */
const PARTS = {
  record: ["id", ...Object.keys(FullUser.shape)],
  profile: Object.keys(Profile.shape),
  jobs: ["id", ...Object.keys(Job.shape)],
  projects: Object.keys(Project.shape),
  linkTrees: Object.keys(PublicLinkTree.shape),
  links: Object.keys(Link.shape),
  education: Object.keys(Education.shape),
} as const;

/** What a part must have and the source may not say: a text is empty then, a flag false, and a list has nothing. */
const NOTHING: Readonly<Record<string, Values>> = {
  jobs: {
    title: "",
    isCurrent: false,
    isPublic: false,
    companyName: "",
    technologies: [],
    description: "",
    isRemote: false,
  },
  projects: {
    title: "",
    shortDescription: "",
    technologies: [],
    isCurrent: false,
    isRemote: false,
    isOpenSource: false,
  },
  linkTrees: { title: "", links: [] },
  links: { label: "" },
  education: { institution: "", studyLevel: "OTHER", isCurrent: false },
};

export function isFull(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.profile)) return false;
  return (
    Object.keys({ ...value, ...value.profile }).some((name) => Object.hasOwn(BRANDS, name)) || "_id" in value
  );
}

/**
 * The answer of `/user/full` of a service with this API. It says itself what is public, but of link trees: one whose
 * page is off looks like any other.
 */
export async function fromFull(value: unknown, choices: Choices): Promise<Converted> {
  if (!isObject(value) || !isObject(value.profile))
    throw new NotInFormat("the file is no answer of /user/full: it has no profile");
  const leftOut: string[] = [];
  const part = (name: keyof typeof PARTS, values: Values, place: string) =>
    taken(values, PARTS[name], NOTHING[name] ?? {}, place, leftOut);
  const list = (name: "jobs" | "projects" | "linkTrees" | "education") =>
    objectsOf(value[name]).map((item, index) => part(name, item, `${name}[${index}]`));
  const profile = part("profile", value.profile, "profile");
  const jobs = list("jobs").filter((job, index) => {
    if (job.startDate !== undefined) return true;
    leftOut.push(`jobs[${index}]: ${JSON.stringify(job.title)} has no start, which a job must have`);
    return false;
  });
  const ids = new Set(jobs.map(({ id }) => id));
  const projects = list("projects").map((project, index) => {
    if (project.jobId === undefined || ids.has(project.jobId)) return project;
    leftOut.push(`projects[${index}].jobId: the answer shows jobs without their ids`);
    return { ...project, jobId: null };
  });
  const linkTrees = list("linkTrees").map((tree, index) => ({
    ...tree,
    ...withoutPage(choices.isPublic),
    links: objectsOf(tree.links).map((link, at) => part("links", link, `linkTrees[${index}].links[${at}]`)),
  }));
  const education = list("education").map((entry, index) => {
    if (STUDY_LEVELS.some((level) => level === entry.studyLevel)) return entry;
    const studyLevel = studyLevelOf(String(entry.studyLevel).replaceAll("_", " "));
    if (studyLevel === "OTHER")
      leftOut.push(`education[${index}].studyLevel: ${JSON.stringify(entry.studyLevel)}, which became OTHER`);
    return { ...entry, studyLevel };
  });
  const record = part("record", value, "");
  const email = choices.email ?? record.email;
  if (typeof email !== "string") throw new NoEmail();
  const shown = choices.isPublic ? { isPublic: true } : {};
  const fields = Object.entries(profile).map(([name, field]) => [
    name,
    isObject(field) ? { ...field, ...shown } : field,
  ]);
  const isPublic = choices.isPublic || profile.isPublic === true;
  const slug = choices.slug ?? profile.slug;
  return {
    record: {
      ...record,
      email,
      profile: { ...Object.fromEntries(fields), isPublic, slug },
      jobs: jobs.map((job) => ({ ...job, ...shown })),
      projects,
      linkTrees,
      education,
    },
    leftOut,
  };
}

/**
 * The fields of a part that a record has too, by their names here and without what is null. Several brands may share one
 * name: the first that says something has it.
 */
function taken(
  values: Values,
  known: readonly string[],
  nothing: Values,
  place: string,
  leftOut: string[],
): Values {
  const found: Values = {};
  const leave = (written: string, reason: string) =>
    leftOut.push(`${place ? `${place}.` : ""}${written}: ${reason}`);
  for (const [written, given] of Object.entries(values)) {
    const value = withoutEmpty(written, given);
    const name = Object.hasOwn(BRANDS, written)
      ? (BRANDS[written] ?? written)
      : written === "_id"
        ? "id"
        : written;
    if (value === null || value === undefined) continue;
    const said = saidBy(value);
    const saidBefore = saidBy(found[name]);
    if (!known.includes(name)) leave(written, "a record has no such field");
    else if (saidBefore === null) found[name] = value;
    else if (said !== null && said !== saidBefore)
      leave(written, `${JSON.stringify(said)}, since ${name} has another value already`);
  }
  return { ...nothing, ...found };
}

/** A field without an address or a date that is empty, which is how many services write that there is none. */
function withoutEmpty(name: string, field: unknown): unknown {
  if (!/(?:url|date|At)$/i.test(name)) return field;
  if (isObject(field) && field.value === "") return { ...field, value: null };
  return field === "" ? null : field;
}

/** What a field says, with a flag beside it or without. */
function saidBy(field: unknown): unknown {
  return (isObject(field) ? field.value : field) ?? null;
}
