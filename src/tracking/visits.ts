import type { MaybePromise } from "../async/maybe-promise.ts";
import { DAY_MS } from "../records/days.ts";
import type { VisitedTree } from "../store/reader.ts";
import { REASONS, type Reason, reasonNotToCount } from "./classify.ts";
import type { GroupCommit } from "./group-commit.ts";

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

  #count(request: Request, tree: VisitedTree, linkId: string): MaybePromise<void> {
    const reason = reasonNotToCount(request);
    if (reason === undefined) return this.#countUnlessGone(request, tree, linkId);
    this.notCounted[reason]++;
  }

  /**
   * A visitor that sends another request without waiting for this answer gets none: Bun closes the connection
   * (oven-sh/bun#38128). What was sent together is noticed within a turn, and then nothing is counted. The commit,
   * which comes later, asks for that: a turn of its own for every visit would cost a tenth of it.
   */
  #countUnlessGone(
    request: Request,
    { userNumber, treeId }: VisitedTree,
    linkId: string,
  ): MaybePromise<void> {
    return this.#commits.count({ userNumber, treeId, linkId, day: this.#today() }, () => {
      if (!request.signal.aborted) return false;
      this.notCounted.gone++;
      return true;
    });
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
