import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TemporaryFolder } from "../support/temporary-folder.ts";

setDefaultTimeout(300_000);

const PORTFOLIO = fileURLToPath(new URL("../../examples/portfolio/", import.meta.url));

test("the portfolio's script leaves no server behind when its command is not there", async () => {
  using folder = new TemporaryFolder();
  const child = Bun.spawn(["node", "scripts/with-vitrine.mjs", "no-such-command"], {
    cwd: PORTFOLIO,
    env: { PATH: process.env.PATH ?? "", TMPDIR: folder.path },
    stdout: "ignore",
    stderr: "pipe",
  });
  // The server has the same standard error, which ends when both have ended.
  const said = await new Response(child.stderr).text();
  expect(said).toStartWith("Error: spawn no-such-command ENOENT\n");
  expect(await child.exited).toBe(1);
  expect(readdirSync(folder.path)).toEqual([]);
}, 300_000);

test.each([
  ["the address is missing", { VITRINE_KEY: "vitp_mine" }],
  ["both are set to nothing, as secrets that a workflow does not get", { VITRINE_URL: "", VITRINE_KEY: "" }],
])("the portfolio's script brings no sample profile where %s", async (_, environment) => {
  using folder = new TemporaryFolder();
  const say = 'console.log(process.env.VITRINE_URL || "none", process.env.VITRINE_KEY || "none")';
  const child = Bun.spawn(["node", "scripts/with-vitrine.mjs", "node", "-e", say], {
    cwd: PORTFOLIO,
    env: { PATH: process.env.PATH ?? "", TMPDIR: folder.path, ...environment },
    stdout: "pipe",
    stderr: "inherit",
  });
  expect(await new Response(child.stdout).text()).toBe(`none ${environment.VITRINE_KEY || "none"}\n`);
  expect(await child.exited).toBe(0);
});
