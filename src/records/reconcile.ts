import { LATEST_INSTANT } from "../contract/instants.ts";
import { newId } from "./ids.ts";
import { matchJobs, matchLinks, matchTrees } from "./matching.ts";
import { currentThenNewest, oldestFirst } from "./order.ts";
import type { Job, Link, LinkTree, Profile, UserRecord } from "./record.ts";
import { resolveJobs } from "./references.ts";
import type { RecordInput } from "./schema.ts";

interface Reconciled {
  readonly record: UserRecord;
  readonly changed: boolean;
}

/**
 * The record to store for an input: what is still there keeps its id and `createdAt`, what changed gets a new
 * `updatedAt`, and what is new keeps the ids and timestamps it came with. Without a change the result equals
 * the earlier record.
 */
export function reconcile(input: RecordInput, earlier: UserRecord | undefined, now: number): Reconciled {
  const id = earlier?.id ?? givenUserId(input) ?? newId();

  const earlierJobs = matchJobs(input.jobs, earlier?.jobs ?? []);
  const jobs = input.jobs.map((job, index) => reconcileJob(job, earlierJobs[index], id, now));

  const earlierTrees = matchTrees(input.linkTrees, earlier?.linkTrees ?? []);
  const linkTrees = input.linkTrees.map((tree, index) => reconcileTree(tree, earlierTrees[index], now));

  const asBefore: UserRecord = {
    id,
    ...stamps(input, earlier, now),
    ...(input.codehostId !== undefined && { codehostId: input.codehostId }),
    email: input.email,
    profile: reconcileProfile(input.profile, earlier?.profile, now),
    jobs: jobs.toSorted(currentThenNewest),
    projects: resolveJobs(input, jobs).toSorted(currentThenNewest),
    linkTrees: linkTrees.toSorted(oldestFirst),
    education: input.education.toSorted(currentThenNewest),
  };
  if (!earlier) return { record: asBefore, changed: true };
  if (isSame(asBefore, earlier)) return { record: earlier, changed: false };
  return { record: { ...asBefore, updatedAt: after(earlier.updatedAt, now) }, changed: true };
}

/** The owner's id that a record came with. What `/user/full` returned has it only inside its jobs. */
export function givenUserId(input: RecordInput): string | undefined {
  return input.id ?? input.jobs.find((job) => job.userId !== undefined)?.userId;
}

function reconcileJob(
  input: RecordInput["jobs"][number],
  earlier: Job | undefined,
  userId: string,
  now: number,
): Job {
  const { id, createdAt, updatedAt, userId: _, ...content } = input;
  const job = {
    id: earlier?.id ?? id ?? newId(),
    ...stamps(input, earlier, now),
    userId,
    ...content,
  };
  return withMovedStamp(job, earlier, now);
}

function reconcileTree(
  input: RecordInput["linkTrees"][number],
  earlier: LinkTree | undefined,
  now: number,
): LinkTree {
  const { createdAt, updatedAt } = stamps(input, earlier, now);
  const tree = {
    id: earlier?.id ?? input.id ?? newId(),
    title: input.title,
    description: input.description,
    slug: input.slug,
    links: reconcileLinks(input.links, earlier?.links ?? []),
    createdAt,
    updatedAt,
    ...(input.look !== undefined && { look: input.look }),
    ...(input.hasPage !== undefined && { hasPage: input.hasPage }),
  };
  return withMovedStamp(tree, earlier, now);
}

function reconcileLinks(input: RecordInput["linkTrees"][number]["links"], earlier: readonly Link[]): Link[] {
  const matches = matchLinks(input, earlier);
  return input.map(({ id, ...link }, index) => ({ id: matches[index]?.id ?? id ?? newId(), ...link }));
}

function reconcileProfile(input: RecordInput["profile"], earlier: Profile | undefined, now: number): Profile {
  const { updatedAt, ...content } = input;
  const profile = { updatedAt: earlier?.updatedAt ?? updatedAt ?? timestamp(now), ...content };
  return withMovedStamp(profile, earlier, now);
}

interface Stamps {
  createdAt: string;
  updatedAt: string;
}

/** The earlier timestamps; else those that came with the input; else now, but never an update before a creation. */
function stamps(
  given: { createdAt?: string | undefined; updatedAt?: string | undefined },
  earlier: Stamps | undefined,
  now: number,
): Stamps {
  if (earlier) return { createdAt: earlier.createdAt, updatedAt: earlier.updatedAt };
  const current = timestamp(now);
  const createdAt = given.createdAt ?? earliest(given.updatedAt ?? current, current);
  const updatedAt = given.updatedAt ?? latest(createdAt, current);
  return { createdAt, updatedAt };
}

function withMovedStamp<Item extends { updatedAt: string }>(
  item: Item,
  earlier: Item | undefined,
  now: number,
): Item {
  if (!earlier || isSame(item, earlier)) return item;
  return { ...item, updatedAt: after(earlier.updatedAt, now) };
}

/** Fields always stand in the order of the schema, so equal content is equal text. */
function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** An update is always seen to move forward, even within one millisecond or behind an imported timestamp. */
function after(earlier: string, now: number): string {
  return timestamp(Math.min(Math.max(now, Date.parse(earlier) + 1), LATEST_INSTANT));
}

/** The one that was asked for last, since one record asks for the same instant many times. */
let written = { instant: 0, text: new Date(0).toISOString() };

function timestamp(instant: number): string {
  if (written.instant !== instant) written = { instant, text: new Date(instant).toISOString() };
  return written.text;
}

/** Timestamps of one form compare as text. */
function earliest(one: string, other: string): string {
  return one < other ? one : other;
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}
