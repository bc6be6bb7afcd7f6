import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };

export const VERSION = packageJson.version;

/** What is said where nobody knows the commit. */
const UNKNOWN_COMMIT = "unknown";

/** The commit that an executable was built from. Its build puts the name in here. */
declare const BUILD_COMMIT: string | undefined;

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The commit that runs, which ends in `-dirty` where more than that runs. In a checkout Git is asked for it. */
export function commit(): string {
  if (typeof BUILD_COMMIT === "string") return BUILD_COMMIT;
  // Git would go on looking further up, and name the commit of whatever this was installed into.
  if (!existsSync(`${ROOT}.git`)) return UNKNOWN_COMMIT;
  const describe = ["git", "-C", ROOT, "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty"];
  try {
    const { success, stdout } = Bun.spawnSync(describe, { stderr: "ignore" });
    return success ? stdout.toString().trim() : UNKNOWN_COMMIT;
  } catch {
    return UNKNOWN_COMMIT;
  }
}
