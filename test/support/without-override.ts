import { test } from "bun:test";
import { withoutTool } from "./missing-tool.ts";
import { Program, VITRINE } from "./program.ts";

/** What lets root read and write files whose mode forbids it. */
const OVERRIDES = "-dac_override,-dac_read_search";

/** For sentences about files that may not be read or written, which root has to be told to respect. */
export function withoutOverride(sentences: (start: () => Program) => void): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && !Bun.which("setpriv")) {
    withoutTool("files that may not be read or written", "no setpriv on the PATH", (fail) => {
      test("every sentence", fail);
    });
    return;
  }
  const drop = isRoot ? ["setpriv", `--bounding-set=${OVERRIDES}`, `--inh-caps=${OVERRIDES}`] : [];
  sentences(() => new Program({}, [...drop, ...VITRINE]));
}
