import { test } from "bun:test";
import { withoutTool } from "./missing-tool.ts";

/**
 * For sentences about a disk that is full: a script that runs the given one with the folder `small` beside it, which is
 * a file system of its own with room for so many bytes, and gone when the script ends.
 */
export function withSmallDisk(
  sentences: (scriptOn: (bytes: number, script: string) => string) => void,
): void {
  if (!Bun.which("unshare") || Bun.spawnSync(["unshare", "-rm", "true"]).exitCode !== 0) {
    withoutTool("a disk that is full", "no file system can be mounted here", (fail) => {
      test("every sentence", fail);
    });
    return;
  }
  sentences(
    (bytes, script) => `
      export -f vitrine
      mkdir small
      unshare --map-root-user --mount bash -ec 'mount -t tmpfs -o size=${bytes} none small
      ${script}'`,
  );
}
