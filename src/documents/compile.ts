import type { DocumentKind } from "../contract/routes.ts";
import type { UserRecord } from "../records/record.ts";
import { etagOf } from "./etag.ts";
import { compilePage, type Page } from "./page.ts";

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
}

export const SLICED_KINDS = [
  "linktrees",
  "jobs",
  "projects",
  "education",
] as const satisfies readonly DocumentKind[];

export type SlicedKind = (typeof SLICED_KINDS)[number];

/**
 * Every answer the API can give about one user, and the public pages of the user's link trees. The full document
 * holds all of the others but the links, which are cleared of private values; so these are kept as slices of it, and
 * each byte is stored once.
 */
export interface Documents<Text = string> {
  readonly full: Document<Text>;
  readonly links: Document<Text>;
  readonly slices: Readonly<Record<SlicedKind, Slice>>;
  readonly linkTrees: readonly LinkTreeSlice[];
  readonly pages: readonly Page<Text>[];
}

/**
 * What is stored of a user: the record as JSON, and the documents. Their long texts are texts when they are
 * compiled, and bytes on the way from thread to thread and out of a store.
 */
export interface Compiled<Text = string> {
  readonly record: Text;
  readonly documents: Documents<Text>;
}

/** Compiles a record. Pure: equal records give equal bytes. Each part is serialised once for both uses. */
export function compile(record: UserRecord): Compiled {
  const { id, createdAt, updatedAt, codehostId, email, profile } = record;
  const account = JSON.stringify({ createdAt, updatedAt, codehostId, email, profile }).slice(1, -1);
  // A job goes out without its id, with which it begins: projects refer to it, but the contract does not show it.
  const jobsWithIds = record.jobs.map((job) => JSON.stringify(job));
  const jobs = jobsWithIds.map(
    (text, index) => `{${text.slice(`{"id":"${record.jobs[index]?.id}",`.length)}`,
  );
  const projects = JSON.stringify(record.projects);
  const trees = record.linkTrees.map((tree) => JSON.stringify(tree));
  const education = JSON.stringify(record.education);

  const full = new SlicedText(`{${account}`);
  const jobsSlice = full.add(',"jobs":').slice(`[${jobs}]`);
  const projectsSlice = full.add(',"projects":').slice(projects);
  const treesStart = full.add(',"linkTrees":').length;
  const linkTrees = record.linkTrees.map(({ id, slug }, index) => {
    const slice = full.add(index === 0 ? "[" : ",").slice(trees[index] as string);
    return { id, slug, ...slice };
  });
  const treesEnd = full.add(trees.length === 0 ? "[]" : "]").length;
  const treesSlice = {
    etag: etagOf(`[${linkTrees.map(({ etag }) => etag)}]`),
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
  const links = JSON.stringify(publicLinks(record));

  const stored = `{"id":"${id}",${account},"jobs":[${jobsWithIds}],"projects":${projects},"linkTrees":[${trees}],"education":${education}}`;
  return {
    record: stored,
    documents: {
      full: { etag: fullEtag, body: full.add("}").text },
      links: { etag: etagOf(links), body: links },
      slices,
      linkTrees,
      pages: record.linkTrees.map((tree) => compilePage(tree, profile)),
    },
  };
}

function publicLinks({ profile }: UserRecord): Record<string, string | null> {
  const shown = (field: { isPublic: boolean; value: string | null }) => (field.isPublic ? field.value : null);
  return {
    url: shown(profile.url),
    codehostUrl: shown(profile.codehostUrl),
    socialnetworkUrl: shown(profile.socialnetworkUrl),
    microblogUrl: shown(profile.microblogUrl),
    professionalnetworkUrl: shown(profile.professionalnetworkUrl),
    videoUrl: shown(profile.videoUrl),
  };
}

/** A text that grows, and knows where its parts will lie once it is bytes. */
class SlicedText {
  text: string;
  length: number;

  constructor(text: string) {
    this.text = text;
    this.length = Buffer.byteLength(text);
  }

  add(text: string): this {
    this.text += text;
    this.length += Buffer.byteLength(text);
    return this;
  }

  slice(text: string): Slice {
    const start = this.length;
    this.add(text);
    return { etag: etagOf(text), start, length: this.length - start };
  }
}
