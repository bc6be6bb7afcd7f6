// Puts the site that was built into .built where the one before it is served from: dist. A build that fails leaves
// dist as it is, and one that takes long leaves nobody without a page.
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const BUILT = ".built";
const SERVED = "dist";

// Pages come after what they load, and what they no longer load goes last.
cpSync(BUILT, SERVED, { recursive: true, filter: (path) => !path.endsWith(".html") });
cpSync(BUILT, SERVED, { recursive: true });
for (const path of readdirSync(SERVED, { recursive: true })) {
  if (!existsSync(join(BUILT, path))) rmSync(join(SERVED, path), { recursive: true, force: true });
}
rmSync(BUILT, { recursive: true });
