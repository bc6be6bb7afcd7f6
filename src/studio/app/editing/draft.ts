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

function keyed<Entry extends object>(entries: readonly Entry[], earlier: readonly Entry[]): Entry[] {
  const waiting = [...earlier];
  return entries.map((entry) => {
    const index = waiting.findIndex((candidate) => isSame(candidate, entry));
    const [match] = index < 0 ? [] : waiting.splice(index, 1);
    return withKey(entry, match && keyOf(match));
  });
}
