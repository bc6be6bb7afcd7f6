import type { MaybePromise } from "../maybe-promise.ts";
import type { VisitedTree } from "../store/reader.ts";
import { REASONS, type Reason, reasonNotToCount } from "./classify.ts";
import type { GroupCommit } from "./group-commit.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Counts views and clicks per day. Of the visitor it takes nothing but whether the visit counts. */
export class Visits {
  /** How many visits were not counted, by the reason. */
  readonly notCounted = Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>;
  readonly #commits: Pick<GroupCommit, "count">;
  readonly #now: () => number;
  #dayNumber = Number.NaN;
  #day = "";

  constructor(commits: Pick<GroupCommit, "count">, now: () => number = Date.now) {
    this.#commits = commits;
    this.#now = now;
  }

  /** A page shown is a view. The visitor may be answered when what this returns is over. */
  view(request: Request, tree: VisitedTree): MaybePromise<void> {
    return this.#count(request, tree, "");
  }

  /** A redirect followed is a click. */
  click(request: Request, tree: VisitedTree, linkId: string): MaybePromise<void> {
    return this.#count(request, tree, linkId);
  }

  /** A page that the visitor has already is not shown anew. */
  notModified(): void {
    this.notCounted["not-modified"]++;
  }

  #count(request: Request, { userNumber, treeId }: VisitedTree, linkId: string): MaybePromise<void> {
    const reason = reasonNotToCount(request);
    if (reason === undefined) return this.#commits.count({ userNumber, treeId, linkId, day: this.#today() });
    this.notCounted[reason]++;
  }

  /** The day in UTC. Its text is made once a day. */
  #today(): string {
    const now = this.#now();
    const dayNumber = Math.floor(now / DAY_MS);
    if (dayNumber !== this.#dayNumber) {
      this.#dayNumber = dayNumber;
      this.#day = new Date(now).toISOString().slice(0, 10);
    }
    return this.#day;
  }
}
