import { fileURLToPath } from "node:url";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const PROGRAM = fileURLToPath(new URL("./writer-process.ts", import.meta.url));

interface ProcessOutcome {
  readonly exitCode: number;
  readonly output: string;
}

/** The program as one file: to load it from its sources takes as long as all that it does. */
async function bundleInto(folder: TemporaryFolder): Promise<string> {
  await Bun.build({ entrypoints: [PROGRAM], target: "bun", outdir: folder.path });
  return folder.file("writer-process.js");
}

/** Starts a process for each list of arguments, waits until all of them stand ready, and lets them go at once. */
export async function runTogether(argumentLists: readonly (readonly string[])[]): Promise<ProcessOutcome[]> {
  using folder = new TemporaryFolder();
  const program = await bundleInto(folder);
  const children = argumentLists.map((args) => {
    const child = Bun.spawn([process.execPath, program, ...args], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    return { child, output: child.stdout.getReader(), errors: new Response(child.stderr).text() };
  });
  try {
    for (const { output } of children) await output.read();
    for (const { child } of children) child.stdin.end();
    return await Promise.all(
      children.map(async ({ child, errors }) => ({ exitCode: await child.exited, output: await errors })),
    );
  } finally {
    for (const { child } of children) child.kill();
  }
}
