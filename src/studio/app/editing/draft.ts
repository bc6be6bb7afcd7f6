import type { UserRecord } from "../../../records/record.ts";
import { isSame } from "./paths.ts";

/** A record while it is edited. It may hold what could not be saved yet, such as a date that is only begun. */
export type Draft = UserRecord;

export type Job = Draft["jobs"][number];
export type Project = Draft["projects"][number];
export type Education = Draft["education"][number];
export type StudyLevel = Education["studyLevel"];
export type LinkTree = Draft["linkTrees"][number];
export type Link = LinkTree["links"][number];

/** What tells entries without an id apart on the screen. It is copied along, and no JSON has it. */
const KEY = Symbol("key");

interface Keyed {
  readonly id?: string;
  readonly [KEY]?: string;
}

export function keyOf(entry: object): string {
  const { id, [KEY]: key } = entry as Keyed;
  return id ?? key ?? "";
}

export function withKey<Entry extends object>(entry: Entry, key = newId()): Entry {
  return { ...entry, [KEY]: key };
}

/** An id that nobody else has. The first letter is one, as an id must begin. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `n${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** A record as it came from the server, ready to be edited. What is still the same keeps its key, and so its place. */
export function draftOf(record: UserRecord, earlier?: Draft): Draft {
  return {
    ...record,
    projects: keyed(record.projects, earlier?.projects ?? []),
    education: keyed(record.education, earlier?.education ?? []),
  };
}

/** A draft as it can be stored: a project that is part of a job which was removed is part of none. */
export function withoutLostJobs(draft: Draft): Draft {
  const jobs = new Set(draft.jobs.map(({ id }) => id));
  const isLost = ({ jobId }: Project) => jobId !== null && !jobs.has(jobId);
  if (!draft.projects.some(isLost)) return draft;
  return { ...draft, projects: draft.projects.map((one) => (isLost(one) ? { ...one, jobId: null } : one)) };
}

/** What an entry without an id is called. */
export function nameOf({ title, institution, studyLevel }: Nameable): string {
  return title ?? `${institution} ${studyLevel}`;
}

interface Nameable {
  readonly title?: string;
  readonly institution?: string;
  readonly studyLevel?: string;
}

const NAMELESS = { title: undefined, institution: undefined, studyLevel: undefined };

/** How an entry is known again, from the surest way on: it is the same, or only its name is, or all but its name. */
const LIKENESSES: readonly ((one: Nameable, other: Nameable) => boolean)[] = [
  isSame,
  (one, other) => nameOf(one) === nameOf(other),
  (one, other) => isSame({ ...one, ...NAMELESS }, { ...other, ...NAMELESS }),
];

function keyed<Entry extends Nameable>(entries: readonly Entry[], earlier: readonly Entry[]): Entry[] {
  const waiting = [...earlier];
  const known = new Map<Entry, string>();
  for (const isLike of LIKENESSES)
    for (const entry of entries) {
      const index = known.has(entry) ? -1 : waiting.findIndex((candidate) => isLike(candidate, entry));
      for (const match of index < 0 ? [] : waiting.splice(index, 1)) known.set(entry, keyOf(match));
    }
  return entries.map((entry) => withKey(entry, known.get(entry)));
}
