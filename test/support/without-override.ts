import { test } from "bun:test";
import { fileURLToPath } from "node:url";
import { withoutTool } from "./missing-tool.ts";
import { Program } from "./program.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

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
  sentences(() => new Program({}, [...drop, process.execPath, MAIN]));
}
