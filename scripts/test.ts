/**
 * Runs the tests: `npm test`, or `npm test -- FILE`. Commands are tested as the executable, which is built once for all
 * of them: there are thousands, and it starts in half the time.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const REPOSITORY = `${import.meta.dir}/..`;

async function run(args: readonly string[], environment: Record<string, string> = {}): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: REPOSITORY,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return child.exited;
}

const folder = mkdtempSync(join(tmpdir(), "vitrine-test-"));
const executable = join(folder, "vitrine");
process.exitCode =
  (await run(["scripts/build.ts", executable])) ||
  (await run(["test", "--parallel", "--max-concurrency=8", "--timeout", "120000", ...Bun.argv.slice(2)], {
    VITRINE_EXECUTABLE: executable,
  }));
rmSync(folder, { recursive: true });
