import { fileURLToPath } from "node:url";
import { TemporaryFolder } from "./temporary-folder.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const CLIENT = `${REPOSITORY}client`;

/** Runs a command that a test takes for granted, and returns what it printed. */
export async function run(
  command: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}

/** A tool that is installed with this repository. */
export function tool(name: string): string {
  return `${REPOSITORY}node_modules/.bin/${name}`;
}

/** vitrine-client as a user gets it: built, packed, and installed into a project that has nothing else. */
export class InstalledClient implements Disposable {
  readonly folder = new TemporaryFolder();
  readonly tarball: string;

  private constructor(tarball: (folder: TemporaryFolder) => string) {
    this.tarball = tarball(this.folder);
  }

  static async create(): Promise<InstalledClient> {
    const { version } = (await Bun.file(`${CLIENT}/package.json`).json()) as { version: string };
    const installed = new InstalledClient((folder) => folder.file(`vitrine-client-${version}.tgz`));
    const { folder, tarball } = installed;
    await run(["npm", "pack", "--pack-destination", folder.path], { cwd: CLIENT });
    await Bun.write(folder.file("package.json"), JSON.stringify({ type: "module", private: true }));
    await run(["npm", "install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: folder.path });
    return installed;
  }

  /** Runs a module of the project on a runtime, and returns what it printed. */
  async run(runtime: readonly string[], source: string, env: Record<string, string>): Promise<string> {
    await Bun.write(this.folder.file("main.mjs"), source);
    return run([...runtime, "main.mjs"], { cwd: this.folder.path, env });
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}
