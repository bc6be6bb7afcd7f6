import { describe, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run, tool } from "./client-package.ts";

export const PORTFOLIO = fileURLToPath(new URL("../../examples/portfolio", import.meta.url));

/** Which lockfile the packages there were installed from. */
const STAMP = `${PORTFOLIO}/node_modules/.installed-from`;

/** Installs what the example needs, unless it is there. Returns why it cannot, if so. */
async function install(): Promise<string | undefined> {
  const lockfile = await Bun.file(`${PORTFOLIO}/package-lock.json`).text();
  const stamp = Bun.file(STAMP);
  if ((await stamp.exists()) && (await stamp.text()) === Bun.hash(lockfile).toString()) return undefined;
  try {
    await run(["npm", "ci", "--no-audit", "--no-fund"], { cwd: PORTFOLIO });
    await Bun.write(STAMP, Bun.hash(lockfile).toString());
    return undefined;
  } catch (error) {
    const said = /^npm error (?!code)(.+)$/m.exec((error as Error).message)?.[1];
    return `npm ci fails in examples/portfolio: ${said ?? error}`;
  }
}

/** Tests of the built example. Where it cannot be installed they are skipped by name or, with VITRINE_NO_SKIPS, fail. */
export async function describePortfolio(title: string, sentences: () => void): Promise<void> {
  const reason = await install();
  if (reason === undefined) describe(title, sentences);
  else if (process.env.VITRINE_NO_SKIPS)
    test(title, () => {
      throw new Error(reason);
    });
  else describe.skip(`${title} (SKIPPED, ${reason})`, sentences);
}

/** The site as a host would serve it. */
export interface BuiltPortfolio extends AsyncDisposable {
  readonly url: string;
  /** Every file of it, as text; bytes that are none do no harm. */
  files(): Promise<{ readonly path: string; readonly text: string }[]>;
}

let compiling: Promise<unknown> | undefined;

/** The client of this moment, and not of when the packages were installed. */
async function compileClient(): Promise<void> {
  compiling ??= run([tool("tsc"), "-p", "../../client"], { cwd: PORTFOLIO });
  await compiling;
}

interface Source {
  readonly url: string;
  readonly key: string;
}

type Build = (outDir: string, environment: Record<string, string>) => Promise<unknown>;

/** As `npm run build` does it. */
const buildByScript: Build = async (outDir, environment) =>
  run([...(await portfolioScript("build")), "--outDir", outDir], {
    cwd: PORTFOLIO,
    env: { ...portfolioPath(), ...environment },
  });

const BUILDS_WHAT_IS_ASKED = `
  import { createInterface } from "node:readline";
  import { build } from "astro";
  for await (const line of createInterface({ input: process.stdin })) {
    const { outDir, environment } = JSON.parse(line);
    Object.assign(process.env, environment);
    await build({ outDir, logLevel: "error" });
    console.log("built");
  }`;

/** Builds one site after the other in one process, which takes a quarter of the time from the second on. */
export class PortfolioBuilder implements AsyncDisposable {
  #child: Bun.Subprocess<"pipe", "pipe", "pipe"> | undefined;
  #said: AsyncIterator<Uint8Array> | undefined;

  readonly build: Build = async (outDir, environment) => {
    this.#child ??= this.#start();
    this.#said ??= this.#child.stdout.values();
    this.#child.stdin.write(`${JSON.stringify({ outDir, environment })}\n`);
    this.#child.stdin.flush();
    for (let said = ""; !said.includes("built\n"); ) {
      const { value, done } = await this.#said.next();
      if (done) throw new Error(`no site was built: ${said}${await new Response(this.#child.stderr).text()}`);
      said += new TextDecoder().decode(value);
    }
  };

  #start() {
    return Bun.spawn(["node", "--input-type=module", "-e", BUILDS_WHAT_IS_ASKED], {
      cwd: PORTFOLIO,
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.stdin.end();
    await this.#child?.exited;
  }
}

/** Builds the site from a running server, and serves what was built. */
export async function buildPortfolio(source: Source, build = buildByScript): Promise<BuiltPortfolio> {
  await using stack = new AsyncDisposableStack();
  // Within the project, since Astro leaves more than the site in a folder elsewhere.
  const folder = mkdtempSync(`${PORTFOLIO}/node_modules/.built-`);
  stack.defer(() => rmSync(folder, { recursive: true }));
  await compileClient();
  await build(folder, { VITRINE_URL: source.url, VITRINE_KEY: source.key });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      return new Response(Bun.file(folder + (pathname === "/" ? "/index.html" : pathname)));
    },
  });
  stack.defer(() => server.stop(true));
  const opened = stack.move();
  return {
    url: `http://127.0.0.1:${server.port}/`,
    files: () =>
      Promise.all(
        [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true })].map(async (path) => ({
          path,
          text: Buffer.from(await Bun.file(`${folder}/${path}`).bytes()).toString("latin1"),
        })),
      ),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A copy of the example beside it, for what writes to its own folder. */
export async function copyPortfolio(): Promise<Disposable & { readonly path: string }> {
  await compileClient();
  const path = mkdtempSync(`${PORTFOLIO}/../.copied-`);
  for (const part of ["astro.config.mjs", "package.json", "public", "scripts", "src", "tsconfig.json"])
    cpSync(`${PORTFOLIO}/${part}`, `${path}/${part}`, { recursive: true });
  symlinkSync(`${PORTFOLIO}/node_modules`, `${path}/node_modules`);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

/** The words of one of the example's scripts, to run it without npm between: npm passes no signals on. */
export async function portfolioScript(name: "build" | "dev"): Promise<string[]> {
  const { scripts } = (await Bun.file(`${PORTFOLIO}/package.json`).json()) as {
    scripts: Record<string, string>;
  };
  return scripts[name]?.split(" ") ?? [];
}

/** Where npm would look for the commands of a script. */
export function portfolioPath(): { PATH: string } {
  return { PATH: `${PORTFOLIO}/node_modules/.bin:${process.env.PATH}` };
}
