import type { DocumentKind } from "../contract/routes.ts";
import { packAnswer } from "../packing/answer.ts";
import { GZIP_HEADER, gzipTrailer } from "../packing/gzip.ts";
import { joinableText, lastBlock, packJoinable } from "../packing/joinable.ts";
import { JoinedStreams, type Piece } from "../packing/joined.ts";
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
import { type TargetChunk, targetChunksOf } from "./link-targets.ts";

/** A ready answer: the bytes to send, and the tag that changes exactly when the text in them does. */
interface Document {
  readonly etag: string;
  readonly body: Uint8Array;
}

/** A document that is a part of the full one: where its stream begins there, and how many bytes it takes. */
export interface Slice {
  readonly etag: string;
  readonly start: number;
  readonly size: number;
  /** The length and the checksum of the text. */
  readonly length: number;
  readonly checksum: number;
}

export interface LinkTreeSlice extends Slice {
  readonly id: string;
  readonly slug: string;
  /** Where the same stream begins in the full document of the public view: null where that does not have the tree. */
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
 * The answers of one view that are there once per user. The full document is a gzip stream, put together from streams
 * of which each is one of the other answers as well; so each text is compressed once, and stored once.
 */
export interface ViewDocuments {
  readonly full: Document;
  readonly links: Document;
  readonly slices: Readonly<Record<SlicedKind, Slice>>;
}

/** The same for keys that see the public view. Nothing that is private is in any of their bytes or tags. */
export interface PublicDocuments extends ViewDocuments {
  /**
   * What the full document of this view has in common with the one of the other: that begins there, and stands here
   * before the trailer. The body has all the rest.
   */
  readonly shared: { readonly start: number; readonly size: number };
  readonly hasProfilePage: boolean;
}

/** The answers that are made when a record is saved. */
export interface Documents extends ViewDocuments {
  readonly public: PublicDocuments;
  readonly linkTrees: readonly LinkTreeSlice[];
  readonly targetChunks: readonly TargetChunk[];
}

/** What comes of a record: its text as it is stored, and the documents. */
interface Compiled {
  readonly record: string;
  readonly documents: Documents;
}

/** Compiles a record. Pure: equal records give equal texts. Each part is written and compressed once for all uses. */
export function compile(record: UserRecord): Compiled {
  const { id, createdAt, updatedAt, codehostId, email, profile } = record;
  const account = membersOf({ createdAt, updatedAt, codehostId, email });
  // A job goes out without its id, with which it begins: projects refer to it, but the contract does not show it.
  const jobsWithIds = record.jobs.map((job) => JSON.stringify(job));
  const jobs = jobsWithIds.map(
    (text, index) => `{${text.slice(`{"id":"${record.jobs[index]?.id}",`.length)}`,
  );
  const answeredTrees = record.linkTrees.map(answeredTree);
  const treeTexts = answeredTrees.map((tree) => JSON.stringify(tree));
  const texts = {
    profile: JSON.stringify(answeredProfile(profile)),
    projects: JSON.stringify(record.projects),
    education: JSON.stringify(record.education),
  };
  const full: ViewParts = {
    account,
    profile: profilePart(texts.profile),
    jobs: part(`[${jobs}]`),
    projects: part(texts.projects),
    trees: treeTexts.map(part),
    education: part(texts.education),
  };
  const shownValues = shownRecord(record);
  const shown = publicParts(record, shownValues, jobs, full, texts.profile);
  const fullView = joinView(full);
  const publicView = joinView(shown);
  const { stream } = fullView;
  const sharedSize = publicView.stream.sharedEnd(stream);
  const publicStarts = new Map(shown.trees.map((tree, index) => [tree, publicView.treeSlices[index]?.start]));

  // What is for pages alone is in the record and in no answer. Most records have none of it, and are not written twice.
  const trees = record.linkTrees.map((tree, index) =>
    tree === answeredTrees[index] ? treeTexts[index] : JSON.stringify(tree),
  );
  const storedProfile = profile.language === undefined ? texts.profile : JSON.stringify(profile);
  return {
    record: `{"id":"${id}",${account},"profile":${storedProfile},"jobs":[${jobsWithIds}],"projects":${texts.projects},"linkTrees":[${trees}],"education":${texts.education}}`,
    documents: {
      full: { etag: fullView.etag, body: stream.bytes(stream.size, gzipTrailer(stream)) },
      links: links(publicLinks(profile)),
      slices: fullView.slices,
      public: {
        full: {
          etag: publicView.etag,
          body: publicView.stream.bytes(publicView.stream.size - sharedSize, gzipTrailer(publicView.stream)),
        },
        shared: { start: stream.size - sharedSize, size: sharedSize },
        links: links(publicLinks(shownValues.profile)),
        slices: publicView.slices,
        hasProfilePage: profile.isPublic,
      },
      linkTrees: record.linkTrees.map(({ id, slug }, index) => ({
        id,
        slug,
        ...(fullView.treeSlices[index] as Slice),
        publicStart: publicStarts.get(full.trees[index] as Part) ?? null,
      })),
      targetChunks: targetChunksOf(record.linkTrees),
    },
  };
}

function links(addresses: ReturnType<typeof publicLinks>): Document {
  const text = JSON.stringify(addresses);
  return { etag: etagOf(text), body: packAnswer(text) };
}

/** A text that stands in a document and is one by itself, compressed, with its tag. */
interface Part extends Piece {
  readonly etag: string;
}

const encoder = new TextEncoder();

function part(text: string): Part {
  const bytes = encoder.encode(text);
  return { ...packJoinable(bytes), etag: etagOf(bytes) };
}

/** The profile, which is no document by itself, up to the jobs behind it. */
function profilePart(text: string): Part {
  return part(`,"profile":${text},"jobs":`);
}

/** What the documents of one view are put together from. */
interface ViewParts {
  readonly account: string;
  readonly profile: Part;
  readonly jobs: Part;
  readonly projects: Part;
  readonly trees: readonly Part[];
  readonly education: Part;
}

/** The parts of the public view. Those that are the same as in the full one are neither written nor packed again. */
function publicParts(
  record: UserRecord,
  shown: ShownRecord,
  jobs: readonly string[],
  full: ViewParts,
  fullProfile: string,
): ViewParts {
  const { createdAt, updatedAt } = shown;
  const profile = JSON.stringify(shown.profile);
  const shownJobs = new Set(shown.jobs);
  const jobsShown = () => jobs.filter((_, index) => shownJobs.has(record.jobs[index] as Job));
  return {
    account: membersOf({ createdAt, updatedAt }),
    profile: profile === fullProfile ? full.profile : profilePart(profile),
    jobs: shown.jobs === record.jobs ? full.jobs : part(`[${jobsShown()}]`),
    projects: shown.projects === record.projects ? full.projects : part(JSON.stringify(shown.projects)),
    trees: full.trees.filter((_, index) => hasPage(record.linkTrees[index] as LinkTree)),
    education: shown.education === record.education ? full.education : part(JSON.stringify(shown.education)),
  };
}

/** What stands between the parts. Made once, so that two views can be told to have the same. */
const BETWEEN = {
  projects: joinableText(',"projects":'),
  linkTrees: joinableText(',"linkTrees":'),
  education: joinableText(',"education":'),
  noTrees: joinableText("[]"),
  firstTree: joinableText("["),
  nextTree: joinableText(","),
  afterTrees: joinableText("]"),
  end: lastBlock("}"),
};

function joinView({ account, profile, jobs, projects, trees, education }: ViewParts) {
  const stream = new JoinedStreams();
  const slice = (part: Part): Slice => ({
    etag: part.etag,
    start: stream.add(part),
    size: part.stream.length,
    length: part.length,
    checksum: part.checksum,
  });
  stream.add(GZIP_HEADER);
  stream.add(joinableText(`{${account}`));
  stream.add(profile);
  const jobsSlice = slice(jobs);
  stream.add(BETWEEN.projects);
  const projectsSlice = slice(projects);
  stream.add(BETWEEN.linkTrees);

  const list = new JoinedStreams();
  const listStart = stream.size;
  const treeSlices = trees.map((tree, index) => {
    const before = index === 0 ? BETWEEN.firstTree : BETWEEN.nextTree;
    stream.add(before);
    list.add(before);
    list.add(tree);
    return slice(tree);
  });
  const after = trees.length === 0 ? BETWEEN.noTrees : BETWEEN.afterTrees;
  stream.add(after);
  list.add(after);

  stream.add(BETWEEN.education);
  const slices = {
    linktrees: {
      etag: etagOf(...trees.map(({ etag }) => etag)),
      start: listStart,
      size: list.size,
      length: list.length,
      checksum: list.checksum,
    },
    jobs: jobsSlice,
    projects: projectsSlice,
    education: slice(education),
  };
  stream.add(BETWEEN.end);
  // The parts' tags stand for the parts, so nothing is hashed twice.
  const etag = etagOf(account, profile.etag, ...SLICED_KINDS.map((kind) => slices[kind].etag));
  return { stream, etag, slices, treeSlices };
}

/** The members of an object as JSON, without its braces. */
function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
