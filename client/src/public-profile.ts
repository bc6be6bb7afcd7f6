import type {
  DataField,
  Education,
  Job,
  Link,
  Profile,
  Project,
  PublicLinkTree,
  PublicUser,
} from "./types.ts";

/** The values of a profile. One that is unset or marked private is `null`. */
export type PublicFields = { slug: string } & {
  [Field in keyof Profile as Profile[Field] extends DataField ? Field : never]: string | null;
};

/** Without what only concerns the server: ids, flags and when the entry was written. */
export type PublicJob = Omit<Job, "createdAt" | "updatedAt" | "userId" | "isPublic" | "listingId">;

/** Without `jobId`, which could name a job that is private. */
export type PublicProject = Omit<Project, "jobId">;

/** What may be shown of a user. It has no place for a private value. */
export interface PublicProfile {
  profile: PublicFields;
  jobs: PublicJob[];
  projects: PublicProject[];
  linkTrees: PublicLinkTree[];
  education: Education[];
}

/**
 * Makes of what `full()` has read what may be shown: the values and the jobs that are marked public, and all projects,
 * link trees and education. `null` where the profile as a whole is private, for then nothing is to be shown. With a key
 * of the full view link trees whose page is off are there as well, since no answer tells them from others: for a site,
 * take a key of the public view.
 *
 * Everything is picked by name, so what a later server may add stays out.
 */
export function publicProfile(full: PublicUser): PublicProfile | null {
  if (full.profile.isPublic !== true) return null;
  return {
    profile: publicFields(full.profile),
    jobs: full.jobs.filter((job) => job.isPublic === true).map((job) => pick(job, JOB)),
    projects: full.projects.map((project) => pick(project, PROJECT)),
    linkTrees: full.linkTrees.map((tree) => ({
      ...pick(tree, LINK_TREE),
      links: tree.links.map((link) => pick(link, LINK)),
    })),
    education: full.education.map((entry) => pick(entry, EDUCATION)),
  };
}

function publicFields(profile: Profile): PublicFields {
  const shown = ({ isPublic, value }: DataField) => (isPublic === true ? value : null);
  return {
    slug: profile.slug,
    name: shown(profile.name),
    avatarUrl: shown(profile.avatarUrl),
    phone: shown(profile.phone),
    url: shown(profile.url),
    summary: shown(profile.summary),
    location: shown(profile.location),
    codehostUrl: shown(profile.codehostUrl),
    socialnetworkUrl: shown(profile.socialnetworkUrl),
    microblogUrl: shown(profile.microblogUrl),
    professionalnetworkUrl: shown(profile.professionalnetworkUrl),
    videoUrl: shown(profile.videoUrl),
  };
}

const JOB = [
  "title",
  "startDate",
  "endDate",
  "isCurrent",
  "companyName",
  "technologies",
  "description",
  "isRemote",
  "companyUrl",
] as const satisfies readonly (keyof Job)[];

const PROJECT = [
  "title",
  "shortDescription",
  "technologies",
  "isCurrent",
  "isRemote",
  "isOpenSource",
  "description",
  "role",
  "startDate",
  "endDate",
  "repoUrl",
  "demoUrl",
] as const satisfies readonly (keyof Project)[];

const LINK_TREE = [
  "id",
  "title",
  "description",
  "slug",
  "createdAt",
  "updatedAt",
] as const satisfies readonly (keyof PublicLinkTree)[];

const LINK = ["id", "label", "url"] as const satisfies readonly (keyof Link)[];

const EDUCATION = [
  "institution",
  "institutionUrl",
  "studyLevel",
  "fieldOfStudy",
  "startDate",
  "endDate",
  "isCurrent",
  "description",
] as const satisfies readonly (keyof Education)[];

function pick<Whole, Field extends keyof Whole>(whole: Whole, fields: readonly Field[]): Pick<Whole, Field> {
  const present = fields.filter((field) => whole[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, whole[field]])) as Pick<Whole, Field>;
}
