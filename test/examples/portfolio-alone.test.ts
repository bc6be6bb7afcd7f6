import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { run } from "../support/client-package.ts";
import { PORTFOLIO } from "../support/portfolio.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

test("the portfolio, out of the checkout, commits no key, nothing installed and nothing built", async () => {
  using folder = new TemporaryFolder();
  await Bun.write(folder.file(".gitignore"), Bun.file(`${PORTFOLIO}/.gitignore`));
  for (const made of [".astro", ".built", "dist", "node_modules"]) {
    mkdirSync(folder.file(made));
    await Bun.write(folder.file(`${made}/file`), "");
  }
  await Bun.write(folder.file(".env"), "VITRINE_KEY=vitp_…");
  await run(["git", "init", "--quiet"], { cwd: folder.path });
  const untracked = await run(["git", "ls-files", "--others", "--exclude-standard"], { cwd: folder.path });
  expect(untracked).toBe(".gitignore\n");
});
