import type { DocumentKind } from "../contract/routes.ts";
import type { Job, LinkTree, UserRecord } from "../records/record.ts";
import {
  answeredProfile,
  answeredTree,
  hasPage,
  publicLinks,
  type ShownRecord,
  shownRecord,
} from "../records/visibility.ts";
import { etagOf } from "./etag.ts";
import { ownerOf } from "./owner.ts";
import { compilePage, type Page } from "./page.ts";
import { compileProfilePage, type ProfilePage } from "./profile-page.ts";
import { educationText, projectsText, type ResumeLists, resumeText, workText } from "./resume.ts";

/** A ready answer: the exact text to send, and the tag that changes exactly when it does. */
export interface Document<Text = string> {
  readonly etag: string;
  readonly body: Text;
}

/** A document that is, byte for byte, a part of the full one: where it begins and how long it is there, in UTF-8. */
export interface Slice {
  readonly etag: string;
  readonly start: number;
  readonly length: number;
}

export interface LinkTreeSlice extends Slice {
  readonly id: string;
  readonly slug: string;
  /** Where the same bytes begin in the full document of the public view: null where that does not have the tree. */
  readonly publicStart: number | null;
}

export const SLICED_KINDS = [
  "linktrees",
  "jobs",
  "projects",
  "education",
] as const satisfies readonly DocumentKind[];

export type SlicedKind = (typeof SLICED_KINDS)[number];

/**
 * The answers of one view that are there once per user. The full document holds all of the others but the links,
 * which are cleared of private values, and the résumé; so these are kept as slices of it, and each byte is stored once.
 */
export interface ViewDocuments<Text = string> {
  readonly full: Document<Text>;
  readonly links: Document<Text>;
  readonly resume: Document<Text>;
  readonly slices: Readonly<Record<SlicedKind, Slice>>;
}

/** Every answer the API can give about one user, and the public pages of the user's link trees. */
export interface Documents<Text = string, Html = Text> extends ViewDocuments<Text> {
  /** The same answers for keys that see the public view. Nothing that is private is in any of their bytes or tags. */
  readonly public: ViewDocuments<Text>;
  readonly linkTrees: readonly LinkTreeSlice[];
  readonly pages: readonly Page<Html>[];
  /** The public page of the profile, where that is public. */
  readonly profilePage: ProfilePage<Html> | undefined;
}

/**
 * What is stored of a user: the record as JSON, and the documents. Their long texts are texts when they are
 * compiled, and bytes on the way from thread to thread and out of a store.
 */
export interface Compiled<Text = string, Html = Text> {
  readonly record: Text;
  readonly documents: Documents<Text, Html>;
}

/** Compiles a record. Pure: equal records give equal bytes. Each part is serialised once for all uses. */
export function compile(record: UserRecord): Compiled<string, string | Uint8Array> {
  const { id, createdAt, updatedAt, codehostId, email, profile } = record;
  const account = membersOf({ createdAt, updatedAt, codehostId, email, profile: answeredProfile(profile) });
  // A job goes out without its id, with which it begins: projects refer to it, but the contract does not show it.
  const jobsWithIds = record.jobs.map((job) => JSON.stringify(job));
  const jobs = jobsWithIds.map(
    (text, index) => `{${text.slice(`{"id":"${record.jobs[index]?.id}",`.length)}`,
  );
  const answeredTrees = record.linkTrees.map(answeredTree);
  const resumeLists = {
    work: workText(record.jobs),
    education: educationText(record.education),
    projects: projectsText(record.projects),
  };
  const full: ViewParts = {
    account,
    jobs: part(`[${jobs}]`),
    projects: part(JSON.stringify(record.projects)),
    trees: answeredTrees.map((tree) => part(JSON.stringify(tree))),
    education: part(JSON.stringify(record.education)),
    links: JSON.stringify(publicLinks(profile)),
    resumeLists,
    resume: resumeText(record, resumeLists),
  };
  const shownValues = shownRecord(record);
  const shown = publicParts(record, shownValues, jobs, full);
  const fullView = compileView(full);
  const publicView = compileView(shown);
  const publicStarts = new Map(shown.trees.map((tree, index) => [tree, publicView.treeSlices[index]?.start]));

  // What is for pages alone is in the record and in no answer. Most records have none of it, and are not written twice.
  const trees = record.linkTrees.map((tree, index) =>
    tree === answeredTrees[index] ? full.trees[index]?.text : JSON.stringify(tree),
  );
  const storedAccount =
    profile.language === undefined
      ? account
      : membersOf({ createdAt, updatedAt, codehostId, email, profile });
  const stored = `{"id":"${id}",${storedAccount},"jobs":[${jobsWithIds}],"projects":${full.projects.text},"linkTrees":[${trees}],"education":${full.education.text}}`;
  const owner = ownerOf(profile);
  return {
    record: stored,
    documents: {
      ...fullView.documents,
      public: publicView.documents,
      linkTrees: record.linkTrees.map(({ id, slug }, index) => ({
        id,
        slug,
        ...(fullView.treeSlices[index] as Slice),
        publicStart: publicStarts.get(full.trees[index] as Part) ?? null,
      })),
      pages: record.linkTrees.filter(hasPage).map((tree) => compilePage(tree, owner)),
      profilePage: compileProfilePage(shownValues, owner),
    },
  };
}

/** A text that stands in a document, with its tag and its length in UTF-8. */
interface Part {
  readonly text: string;
  readonly etag: string;
  readonly length: number;
}

function part(text: string): Part {
  return { text, etag: etagOf(text), length: Buffer.byteLength(text) };
}

/** What the documents of one view are put together from. */
interface ViewParts {
  readonly account: string;
  readonly jobs: Part;
  readonly projects: Part;
  readonly trees: readonly Part[];
  readonly education: Part;
  readonly links: string;
  readonly resumeLists: ResumeLists;
  readonly resume: string;
}

/** The parts of the public view. Those that are the same as in the full one are neither written nor hashed again. */
function publicParts(
  record: UserRecord,
  shown: ShownRecord,
  jobs: readonly string[],
  full: ViewParts,
): ViewParts {
  const { createdAt, updatedAt, profile } = shown;
  const shownJobs = new Set(shown.jobs);
  const isWhole = {
    jobs: shown.jobs === record.jobs,
    projects: shown.projects === record.projects,
    education: shown.education === record.education,
  };
  // A résumé does not say which job a project belongs to.
  const resumeLists = {
    work: isWhole.jobs ? full.resumeLists.work : workText(shown.jobs),
    education: isWhole.education ? full.resumeLists.education : educationText(shown.education),
    projects: profile.isPublic ? full.resumeLists.projects : projectsText(shown.projects),
  };
  const jobsShown = () => jobs.filter((_, index) => shownJobs.has(record.jobs[index] as Job));
  return {
    account: membersOf({ createdAt, updatedAt, profile }),
    jobs: isWhole.jobs ? full.jobs : part(`[${jobsShown()}]`),
    projects: isWhole.projects ? full.projects : part(JSON.stringify(shown.projects)),
    trees: full.trees.filter((_, index) => hasPage(record.linkTrees[index] as LinkTree)),
    education: isWhole.education ? full.education : part(JSON.stringify(shown.education)),
    links: JSON.stringify(publicLinks(profile)),
    resumeLists,
    resume: resumeText(shown, resumeLists),
  };
}

function compileView({ account, jobs, projects, trees, education, links, resume }: ViewParts) {
  const full = new SlicedText(`{${account}`);
  const jobsSlice = full.add(',"jobs":').slice(jobs);
  const projectsSlice = full.add(',"projects":').slice(projects);
  const treesStart = full.add(',"linkTrees":').length;
  const treeSlices = trees.map((tree, index) => full.add(index === 0 ? "[" : ",").slice(tree));
  const treesEnd = full.add(trees.length === 0 ? "[]" : "]").length;
  const treesSlice = {
    etag: etagOf(`[${treeSlices.map(({ etag }) => etag)}]`),
    start: treesStart,
    length: treesEnd - treesStart,
  };
  const educationSlice = full.add(',"education":').slice(education);
  const slices = {
    linktrees: treesSlice,
    jobs: jobsSlice,
    projects: projectsSlice,
    education: educationSlice,
  };

  // The parts' tags stand for the parts, so nothing is hashed twice.
  const fullEtag = etagOf(account + SLICED_KINDS.map((kind) => slices[kind].etag));
  const documents: ViewDocuments = {
    full: { etag: fullEtag, body: full.add("}").text },
    links: { etag: etagOf(links), body: links },
    resume: { etag: etagOf(resume), body: resume },
    slices,
  };
  return { documents, treeSlices };
}

/** The members of an object as JSON, without its braces. */
function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** A text that grows, and knows where its parts will lie once it is bytes. */
class SlicedText {
  text: string;
  length: number;

  constructor(text: string) {
    this.text = text;
    this.length = Buffer.byteLength(text);
  }

  add(text: string, length = Buffer.byteLength(text)): this {
    this.text += text;
    this.length += length;
    return this;
  }

  slice({ text, etag, length }: Part): Slice {
    const start = this.length;
    this.add(text, length);
    return { etag, start, length };
  }
}
