import type { Link, LinkTree, Profile, Project, UserRecord } from "./record.ts";

/** What its owner has marked as public or not: a profile, one of its values, a job. */
interface Marked {
  readonly isPublic: boolean;
}

interface MarkedValue extends Marked {
  readonly value: string | null;
}

/** Whether everybody may see a value or a job: it is marked public, in a profile that is. */
export function isShown(part: Marked, profile: Marked): boolean {
  return profile.isPublic && part.isPublic;
}

/** A value as everybody may see it: null where it is unset or not shown. */
export function shownValue(field: MarkedValue, profile: Marked): string | null {
  return isShown(field, profile) ? field.value : null;
}

/** A profile as it is answered: without what is for pages alone. */
export function answeredProfile(profile: Profile): Profile {
  if (profile.language === undefined) return profile;
  const { language, ...answered } = profile;
  return answered;
}

/** A tree as it is answered: without what is for its page alone, and without the links that are hidden. */
export function answeredTree(tree: LinkTree): LinkTree {
  const isPlain = tree.look === undefined && tree.hasPage === undefined && tree.links.every(isPlainLink);
  if (isPlain) return tree;
  const { look, hasPage, ...answered } = tree;
  return { ...answered, links: shownLinks(tree).map(({ id, label, url }) => ({ id, label, url })) };
}

function isPlainLink({ section, isHidden }: Link): boolean {
  return section === undefined && isHidden === undefined;
}

export function hasPage(tree: LinkTree): boolean {
  return tree.hasPage ?? true;
}

export function shownLinks({ links }: LinkTree): readonly Link[] {
  return withoutHidden(links, ({ isHidden }) => !isHidden);
}

/** The list itself where everything in it is shown, so that what was made of it can be told to hold. */
function withoutHidden<Item>(list: readonly Item[], isShown: (item: Item) => boolean): readonly Item[] {
  return list.every(isShown) ? list : list.filter(isShown);
}

/** A record as everybody may see it: without the owner's account, and with nothing that is not shown. */
export type ShownRecord = Omit<UserRecord, "id" | "email" | "codehostId">;

/** All that may be shown of a record. Flags stay, and a list of which everything is shown is the list itself. */
export function shownRecord(record: UserRecord): ShownRecord {
  const { createdAt, updatedAt, profile } = record;
  const jobs = withoutHidden(record.jobs, (job) => isShown(job, profile));
  const shownJobs = new Set(jobs.map(({ id }) => id));
  return {
    createdAt,
    updatedAt,
    profile: shownProfile(answeredProfile(profile)),
    jobs,
    projects: profile.isPublic ? withShownJobs(record.projects, shownJobs) : [],
    // Each has a page that everybody may open, in a private profile too, unless its owner has turned that off.
    linkTrees: record.linkTrees.filter(hasPage).map(answeredTree),
    education: profile.isPublic ? record.education : [],
  };
}

function shownProfile(profile: Profile): Profile {
  const shown = Object.entries(profile).map(([name, field]) => [
    name,
    typeof field === "object" ? { ...field, value: shownValue(field, profile) } : field,
  ]);
  return Object.fromEntries(shown) as Profile;
}

function withShownJobs(projects: readonly Project[], shownJobs: ReadonlySet<string>): readonly Project[] {
  const isShown = ({ jobId }: Project) => jobId === null || shownJobs.has(jobId);
  if (projects.every(isShown)) return projects;
  return projects.map((project) => (isShown(project) ? project : { ...project, jobId: null }));
}

/**
 * The addresses of `/user/links`. For a key that sees everything only the marks of the addresses count; for one that
 * sees the public view, the profile given here is what that shows.
 */
export function publicLinks(profile: Profile): Record<string, string | null> {
  const marked = (field: MarkedValue) => (field.isPublic ? field.value : null);
  return {
    url: marked(profile.url),
    codehostUrl: marked(profile.codehostUrl),
    socialnetworkUrl: marked(profile.socialnetworkUrl),
    microblogUrl: marked(profile.microblogUrl),
    professionalnetworkUrl: marked(profile.professionalnetworkUrl),
    videoUrl: marked(profile.videoUrl),
  };
}
