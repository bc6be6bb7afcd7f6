import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run } from "./run.ts";
import { isWindows, type Target } from "./targets.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** Where Bun's runtime for a target is: as it was installed, or fetched by npm, which knows its checksum. */
export function runtimeFor(target: Target): string {
  const program = `bin/${isWindows(target) ? "bun.exe" : "bun"}`;
  const installed = `${MODULES}/${target.runtime}/${program}`;
  if (existsSync(installed)) return installed;
  const folder = `${MODULES}/.cache/vitrine-runtimes/${Bun.version}/${target.name}`;
  const fetched = `${folder}/package/${program}`;
  if (!existsSync(fetched)) {
    mkdirSync(folder, { recursive: true });
    const archive = run([
      "npm",
      "pack",
      "--silent",
      "--pack-destination",
      folder,
      `${target.runtime}@${Bun.version}`,
    ]);
    run(["tar", "--extract", "--gzip", "--file", archive.trim()], { cwd: folder });
  }
  return fetched;
}
