import type { GroupCommit } from "./group-commit.ts";

/** A key's last use is kept to the hour: at most one write per key in this time. */
const GRANULARITY_MS = 60 * 60 * 1000;

/** How often what has gathered is handed over. Every commit empties the cache of those who read, so it is seldom. */
const HAND_OVER_MS = 60 * 1000;

/** The most keys that wait. One without room is noted when it is next used. */
const MAX_WAITING = 50_000;

/** Notes which keys are in use, beside the requests and not within them. */
export class KeyUse {
  readonly #commits: Pick<GroupCommit, "noteKey">;
  readonly #now: () => number;
  readonly #waiting = new Set<string>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(commits: Pick<GroupCommit, "noteKey">, now: () => number = Date.now) {
    this.#commits = commits;
    this.#now = now;
    this.#timer = setInterval(() => this.handOver(), HAND_OVER_MS);
    this.#timer.unref();
  }

  /** A last use that is still to come was noted by a clock that has been set back since. */
  note(keyId: string, lastUsedAt: number | null): void {
    if (lastUsedAt !== null && Math.abs(this.#now() - lastUsedAt) < GRANULARITY_MS) return;
    if (this.#waiting.size < MAX_WAITING) this.#waiting.add(keyId);
  }

  /** Lets the next transaction write what has gathered. */
  handOver(): void {
    for (const id of this.#waiting) this.#commits.noteKey(id);
    this.#waiting.clear();
  }

  close(): void {
    clearInterval(this.#timer);
    this.handOver();
  }
}
