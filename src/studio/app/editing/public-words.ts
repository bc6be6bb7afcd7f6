import { counted, fieldName, listed } from "../words.ts";
import type { Draft } from "./draft.ts";

const VALUES = [
  "name",
  "avatarUrl",
  "summary",
  "location",
  "phone",
  "url",
  "codehostUrl",
  "socialnetworkUrl",
  "microblogUrl",
  "professionalnetworkUrl",
  "videoUrl",
] as const;

/** A sentence whose beginning says the most. */
interface Sentence {
  readonly lead: string;
  readonly rest: string;
}

/** What everybody sees of a record, and what only its owner does, in words. */
export function publicWords(draft: Pick<Draft, "profile" | "jobs" | "projects" | "education">): Sentence[] {
  const { profile, jobs, projects, education } = draft;
  const given = VALUES.filter((field) => profile[field].value !== null);
  if (!profile.isPublic)
    return [{ lead: "Nobody but you", rest: "sees your profile. Your link trees have pages of their own." }];
  const shown = given.filter((field) => profile[field].isPublic).map(wordFor);
  const hidden = given.filter((field) => !profile[field].isPublic).map(wordFor);
  const publicJobs = jobs.filter(({ isPublic }) => isPublic).length;
  const privateJobs = jobs.length - publicJobs;
  if (publicJobs > 0) shown.push(counted(publicJobs, "job"));
  if (projects.length > 0) shown.push(counted(projects.length, "project"));
  if (education.length > 0) shown.push("education");
  if (privateJobs > 0) hidden.push(counted(privateJobs, "job"));
  return [
    shown.length > 0
      ? { lead: "Everybody may see", rest: `your ${listed(shown)}.` }
      : {
          lead: "Nothing",
          rest: "of your profile is shown yet. Press “Only you” beside what you want to show.",
        },
    ...(hidden.length > 0 ? [{ lead: "Only you see", rest: `your ${listed(hidden)}.` }] : []),
  ];
}

function wordFor(field: (typeof VALUES)[number]): string {
  return field === "summary" ? "words about you" : fieldName(field).toLowerCase();
}
