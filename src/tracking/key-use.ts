import type { GroupCommit } from "./group-commit.ts";

/** A key's last use is kept to the hour: at most one write per key in this time. */
const GRANULARITY_MS = 60 * 60 * 1000;

/** Notes which keys are in use, beside the requests and not within them. */
export class KeyUse {
  readonly #commits: Pick<GroupCommit, "noteKey">;
  readonly #now: () => number;

  constructor(commits: Pick<GroupCommit, "noteKey">, now: () => number = Date.now) {
    this.#commits = commits;
    this.#now = now;
  }

  note(keyId: string, lastUsedAt: number | null): void {
    if (lastUsedAt === null || this.#now() - lastUsedAt >= GRANULARITY_MS) this.#commits.noteKey(keyId);
  }
}
