import type { LinkTree, Profile, UserRecord } from "./record.ts";

/** What differs between two records, in a line for people. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What happened on the way from one record to another: of lists how much, of the rest what. */
export function differencesBetween(before: UserRecord, after: UserRecord): Difference[] {
  return [
    ...(before.email === after.email ? [] : [{ path: ["email"], message: "e-mail address changed" }]),
    ...(before.codehostId === after.codehostId
      ? []
      : [{ path: ["codehostId"], message: "number at the code host changed" }]),
    ...profileDifferences(before.profile, after.profile),
    ...listDifference("jobs", "jobs", before.jobs, after.jobs, ({ id }) => id),
    ...listDifference("projects", "projects", before.projects, after.projects, ({ title }) => title),
    ...treeDifferences(before.linkTrees, after.linkTrees),
    ...listDifference(
      "education",
      "education",
      before.education,
      after.education,
      ({ institution, studyLevel }) => JSON.stringify([institution, studyLevel]),
    ),
  ];
}

function profileDifferences(before: Profile, after: Profile): Difference[] {
  const fields = Object.keys({ ...before, ...after }) as (keyof Profile)[];
  return fields.flatMap((field) => {
    const what = field === "updatedAt" ? undefined : changeOf(before[field], after[field]);
    const name = field === "isPublic" ? "profile" : wordsOf(field);
    return what === undefined ? [] : [{ path: ["profile", field], message: `${name} ${what}` }];
  });
}

function changeOf(before: Profile[keyof Profile], after: Profile[keyof Profile]): string | undefined {
  if (typeof after === "boolean") return before === after ? undefined : visibility(after);
  if (typeof before !== "object" || typeof after !== "object")
    return before === after ? undefined : "changed";
  if (before.value === after.value)
    return before.isPublic === after.isPublic ? undefined : visibility(after.isPublic);
  if (before.value === null) return "added";
  return after.value === null ? "removed" : "changed";
}

function visibility(isPublic: boolean): string {
  return isPublic ? "made public" : "made private";
}

/** `avatarUrl` as people say it: "avatar address". */
function wordsOf(field: string): string {
  return field
    .replace(/Url$/, " address")
    .replace(/^url$/, "web site")
    .replace(/^slug$/, "profile's slug");
}

function treeDifferences(before: readonly LinkTree[], after: readonly LinkTree[]): Difference[] {
  const earlier = new Map(before.map((tree) => [tree.id, tree]));
  const later = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !later.has(id));
  return [
    ...after.flatMap((tree, index) => {
      const was = earlier.get(tree.id);
      const what = was ? treeChange(was, tree) : "added";
      return what ? [{ path: ["linkTrees", index], message: `link tree “${nameOf(tree)}”: ${what}` }] : [];
    }),
    ...gone.map((tree) => ({ path: ["linkTrees"], message: `link tree “${nameOf(tree)}”: removed` })),
  ];
}

/** A title may be empty. */
function nameOf({ title, slug }: LinkTree): string {
  return title.trim() || slug;
}

function treeChange(before: LinkTree, after: LinkTree): string {
  const { links: linksBefore, ...restBefore } = before;
  const { links: linksAfter, ...restAfter } = after;
  const fields = Object.keys({ ...restBefore, ...restAfter }) as (keyof typeof restAfter)[];
  const changed = fields.filter(
    (field) => field !== "updatedAt" && !Bun.deepEquals(restBefore[field], restAfter[field]),
  );
  const counts = countsOf(linksBefore, linksAfter, ({ id }) => id);
  const page = `page turned ${after.hasPage === false ? "off" : "on"}`;
  const what = changed.map((field) => (field === "hasPage" ? page : `${field} changed`));
  return [...what, ...(counts ? [saidOfLinks(counts)] : [])].join("; ");
}

/** "2 links added, 1 changed", or "links in another order". */
function saidOfLinks(counts: string): string {
  const [first] = /^\d+/.exec(counts) ?? [];
  if (first === undefined) return `links ${counts}`;
  return counts.replace(first, first === "1" ? "1 link" : `${first} links`);
}

function listDifference<Item extends object>(
  field: keyof UserRecord,
  name: string,
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): Difference[] {
  const counts = countsOf(before, after, keyOf);
  return counts ? [{ path: [field], message: `${name}: ${counts}` }] : [];
}

/** "2 added, 1 changed, 1 removed", or that their order is another; nothing where all is the same. */
function countsOf<Item extends object>(
  before: readonly Item[],
  after: readonly Item[],
  keyOf: (item: Item) => string,
): string {
  const earlier = Map.groupBy(before, keyOf);
  const kept: Item[] = [];
  let [added, changed] = [0, 0];
  for (const item of after) {
    const was = earlier.get(keyOf(item))?.shift();
    if (!was) added++;
    else {
      kept.push(was);
      if (!isAlike(was, item)) changed++;
    }
  }
  const removed = before.length - kept.length;
  const stayed = new Set(kept);
  const isMoved = before.filter((item) => stayed.has(item)).some((item, index) => item !== kept[index]);
  return [
    added > 0 && `${added} added`,
    changed > 0 && `${changed} changed`,
    removed > 0 && `${removed} removed`,
    isMoved && "in another order",
  ]
    .filter(Boolean)
    .join(", ");
}

/** When something changed is no change by itself. */
function isAlike(one: object, other: object): boolean {
  return Bun.deepEquals({ ...one, updatedAt: null }, { ...other, updatedAt: null });
}
