import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { fencesOf, readFile, sectionOf } from "../docs/markdown.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const SCRIPT = fileURLToPath(new URL("../../.ci/commits", import.meta.url));
const BEFORE = "2026-11-15T11:59:59Z";
const SINCE = "2026-11-15T12:00:00Z";

/** A repository of its own, in which nothing of this machine's settings counts. */
class Repository implements Disposable {
  readonly folder = new TemporaryFolder();

  constructor() {
    this.git("init", "--quiet", "--initial-branch=main");
  }

  git(...args: readonly string[]): string {
    return this.#run(["git", ...args]).text;
  }

  commit(subject: string, date = SINCE): void {
    this.#run(["git", "commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", subject], date);
  }

  check(folder = "."): { readonly text: string; readonly exitCode: number } {
    const child = Bun.spawnSync(["bash", SCRIPT], {
      cwd: this.folder.file(folder),
      env: { PATH: process.env.PATH ?? "" },
    });
    return { text: child.stdout.toString() + child.stderr.toString(), exitCode: child.exitCode };
  }

  #run(command: readonly string[], date = SINCE): { readonly text: string } {
    const child = Bun.spawnSync([...command], {
      cwd: this.folder.path,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: this.folder.path,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_AUTHOR_NAME: "Ada",
        GIT_AUTHOR_EMAIL: "ada@example.com",
        GIT_COMMITTER_NAME: "Ada",
        GIT_COMMITTER_EMAIL: "ada@example.com",
        GIT_AUTHOR_DATE: BEFORE,
        GIT_COMMITTER_DATE: date,
      },
    });
    if (child.exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${child.stderr.toString()}`);
    return { text: child.stdout.toString() };
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}

describe("the check of commits", () => {
  test.each([
    "fix(http): answer HEAD from the stored length",
    "docs: say how long a key lives",
    "refactor(import-road2): x: y (z)",
    `feat: e${"é".repeat(93)}`,
  ])("takes %p", (subject) => {
    using repository = new Repository();
    repository.commit(subject);
    expect(repository.check()).toEqual({
      text: "1 checked, all of the right form\n",
      exitCode: 0,
    });
  });

  test.each([
    "Answer HEAD from the stored length",
    "fix(http) answer HEAD",
    "fix(http):answer HEAD",
    "fix(http): Answer HEAD",
    "fix(http): answer HEAD.",
    "fix(HTTP): answer HEAD",
    "fix(): answer HEAD",
    "mend(http): answer HEAD",
    "fixup! fix(http): answer HEAD",
    'Revert "fix(http): answer HEAD"',
    `feat: ${"e".repeat(95)}`,
  ])("refuses %p, and says which it is and what the form is", (subject) => {
    using repository = new Repository();
    repository.commit("test: begin");
    repository.commit(subject);
    repository.commit("test: end");
    const { text, exitCode } = repository.check();
    const id = repository.git("log", "-1", "--format=%h", "HEAD~1").trim();
    expect(text).toStartWith(`${id} ${subject}\n\n1 of 3 subjects, `);
    expect(text).toContain("type(part): what changed, in the imperative");
    expect(exitCode).toBe(1);
  });

  test("lets be what was committed before the form became the rule", () => {
    using repository = new Repository();
    repository.commit("Begin.", BEFORE);
    repository.commit("fix: go on");
    expect(repository.check().exitCode).toBe(0);
  });

  test("lets merges be, and sees what they bring", () => {
    using repository = new Repository();
    repository.commit("test: begin");
    repository.git("switch", "--quiet", "--create", "other");
    repository.commit("Something else");
    repository.git("switch", "--quiet", "main");
    repository.commit("test: go on");
    repository.git("merge", "--quiet", "--no-ff", "-m", "Merge branch 'other'", "other");
    const { text, exitCode } = repository.check();
    expect(text).toContain(" Something else\n\n1 of 3 subjects, ");
    expect(text).not.toContain("Merge branch");
    expect(exitCode).toBe(1);
  });

  test("works in a shallow clone", () => {
    using repository = new Repository();
    repository.commit("Begin.", BEFORE);
    for (const subject of ["fix: one", "Two", "fix: three"]) repository.commit(subject);
    const source = `file://${repository.folder.path}`;
    for (const [depth, exitCode] of [
      [1, 0],
      [2, 1],
      [4, 1],
    ] as const) {
      repository.git("clone", "--quiet", `--depth=${depth}`, source, `clone-${depth}`);
      expect({ depth, exitCode: repository.check(`clone-${depth}`).exitCode }).toEqual({ depth, exitCode });
    }
  });

  test("fails where there is no history to check", () => {
    using folder = new TemporaryFolder();
    const child = Bun.spawnSync(["bash", SCRIPT], { cwd: folder.path });
    expect(child.exitCode).not.toBe(0);
  });

  test("goes by the pattern that CONTRIBUTING.md states, and CI runs it", () => {
    const script = readFile(".ci/commits");
    const section = sectionOf(readFile("CONTRIBUTING.md"), "Commits");
    expect(fencesOf(section, "text")[0]?.trim()).toBe(/^FORM='(.+)'$/m.exec(script)?.[1] ?? "");
    expect(section).toContain(`at most ${/^MAX_LENGTH=(\d+)$/m.exec(script)?.[1]} characters`);
    expect(readFile(".ci/run")).toContain("\n  bash .ci/commits\n");
  });
});
