import { describe, expect, test } from "bun:test";
import { EXIT_CODES } from "../../src/cli/exit-codes.ts";
import { fencesOf, readFile, sectionOf } from "../docs/markdown.ts";
import { withoutTool } from "../support/missing-tool.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

/** The units, each with where a guide shows it. */
const UNITS = [
  ["vitrine.service", "docs/operations.md", "One machine"],
  ["vitrine-studio.service", "docs/studio.md", "As a service"],
] as const;

/** Of ten, where ten is a service that may do everything. */
const MAX_EXPOSURE = 3;

describe.each(UNITS)("the unit of systemd, %s,", (name, guide, section) => {
  const unit = readFile(`deploy/systemd/${name}`);

  test("is the one that the guide shows", () => {
    expect(fencesOf(sectionOf(readFile(guide), section), "ini")).toContain(unit);
  });

  const analyze = Bun.which("systemd-analyze");
  if (!analyze) withoutTool("is understood by systemd", "systemd-analyze is not there", () => {});
  else
    test("is understood by systemd, and may do little", async () => {
      using folder = new TemporaryFolder();
      const file = folder.file(name);
      // The executable is not installed here, and another one takes its place.
      await Bun.write(file, unit.replace("/usr/local/bin/vitrine", process.execPath));
      const verified = Bun.spawnSync([analyze, "verify", "--man=no", file]);
      expect({ exitCode: verified.exitCode, said: verified.stderr.toString() }).toEqual({
        exitCode: 0,
        said: "",
      });
      const { stdout } = Bun.spawnSync([analyze, "security", "--offline=yes", "--no-pager", file]);
      const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout.toString())?.[1];
      expect(Number(exposure)).toBeLessThan(MAX_EXPOSURE);
    });
});

test("the unit of a server takes what it exits with in the middle of an upgrade for a stop in good order", () => {
  const taken = /^SuccessExitStatus=(\d+)$/m.exec(readFile("deploy/systemd/vitrine.service"))?.[1];
  expect(Number(taken)).toBe(EXIT_CODES.terminated.code);
});
