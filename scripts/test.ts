/**
 * Runs the tests: `npm test`, or `npm test -- FILE`. Commands are tested as the executable, which is built once for all
 * of them: there are thousands, and it starts in half the time. All that tests put down is in one folder, which goes
 * with them.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

const REPOSITORY = `${import.meta.dir}/..`;

/** A file system in memory, as Linux has it. Databases are made by the thousand, and a disk is slow at that. */
const MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 1024 ** 3;

/** Whether it is there, has room, and lets programs run: in some containers it does not. */
function isOfUse(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const options = mounts.map((line) => line.split(" ")).find(([, place]) => place === folder)?.[3];
  return bavail * bsize >= NEEDED_BYTES && options?.split(",").includes("noexec") === false;
}

async function run(args: readonly string[], environment: Record<string, string> = {}): Promise<number> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: REPOSITORY,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return child.exited;
}

// Ctrl+C reaches the tests as well, and what they leave is still to be removed.
process.on("SIGINT", () => {});

const folder = mkdtempSync(join(isOfUse(MEMORY) ? MEMORY : tmpdir(), "vitrine-test-"));
// PostgreSQL runs as somebody else where the tests run as root.
chmodSync(folder, 0o755);
const executable = join(folder, "vitrine");
const options = [
  // Many files wait more than they work. Those that do not run a few commands at once.
  `--parallel=${Math.max(4, availableParallelism())}`,
  "--max-concurrency=4",
  "--timeout=300000",
  // The longest come first, so that none is left at the end. `npm test -- --update-timings` measures anew.
  "--timings=test/timings.json",
];
process.exitCode =
  (await run(["scripts/build.ts", executable])) ||
  (await run(["test", ...options, ...Bun.argv.slice(2)], {
    TMPDIR: folder,
    VITRINE_EXECUTABLE: executable,
    VITRINE_TEST_FOLDER: folder,
  }));
rmSync(folder, { recursive: true, force: true });
