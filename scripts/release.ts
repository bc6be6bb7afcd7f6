/**
 * Makes everything that a release needs in `dist`, and publishes nothing: `npm run release -- VERSION [TARGET…]`.
 * Two runs of one commit make the same files.
 */
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { commit } from "../src/version.ts";
import fonts from "../vendor/fonts/release.json" with { type: "json" };
import scalar from "../vendor/scalar/release.json" with { type: "json" };
import { packTar, packZip } from "./release/archive.ts";
import { makeImage } from "./release/image.ts";
import { notesOf } from "./release/notes.ts";
import { run } from "./release/run.ts";
import { runtimeFor } from "./release/runtime.ts";
import { type Lock, type Sbom, shippedParts } from "./release/sbom.ts";
import { isWindows, TARGETS, type Target } from "./release/targets.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const DIST = `${REPOSITORY}/dist`;

/** What goes with the executable: the guide, and the files that it tells an operator to put in place. */
const BESIDE = [
  "README.md",
  "LICENSE",
  "THIRD-PARTY-LICENSES",
  "CHANGELOG.md",
  "SECURITY.md",
  "docs",
  "deploy",
];

/** The most that the compressed image may have. */
const MAX_IMAGE_BYTES = 70e6;

const [version, ...chosen] = Bun.argv.slice(2);
if (version !== packageJson.version)
  throw new Error(`package.json says ${packageJson.version}: name that version, or change it there first`);
const unknown = chosen.find((name) => !TARGETS.some((target) => target.name === name));
if (unknown) throw new Error(`${unknown} is none of ${TARGETS.map(({ name }) => name).join(", ")}`);
const name = `vitrine-${version}`;
const madeOf = commit();
const time = new Date(Number(run(["git", "-C", REPOSITORY, "log", "-1", "--format=%ct"])) * 1000);
const listed = run(["git", "-C", REPOSITORY, "ls-files", ...BESIDE])
  .trim()
  .split("\n");
const notes = notesOf(await Bun.file(`${REPOSITORY}/CHANGELOG.md`).text(), version);

rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST);
const work = mkdtempSync(join(tmpdir(), "vitrine-release-"));
try {
  for (const target of TARGETS.filter((it) => chosen.length === 0 || chosen.includes(it.name)))
    await pack(target);
  if (Bun.which("buildah")) await packImage();
  else say("buildah is not there, so there is no image.");
  run(["npm", "pack", "--silent", "--pack-destination", DIST, "./client"], { cwd: REPOSITORY });
  await Bun.write(`${DIST}/${name}.cdx.json`, `${JSON.stringify(await sbom(), null, 2)}\n`);
  await Bun.write(`${DIST}/RELEASE_NOTES.md`, notes);
  await Bun.write(`${DIST}/SHA256SUMS`, await sums());
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const file of readdirSync(DIST).toSorted())
  say(`${String(statSync(`${DIST}/${file}`).size).padStart(10)}  ${file}`);
if (madeOf.endsWith("-dirty"))
  say(`Not to be published: there are changes that are not in a commit (${madeOf}).`);

/** The executable for a target with what belongs to it, as an archive. */
async function pack(target: Target): Promise<void> {
  const folder = `${work}/${name}-${target.name}`;
  const program = isWindows(target) ? "vitrine.exe" : "vitrine";
  build(target, `${work}/${target.name}/${program}`);
  mkdirSync(folder);
  copyFileSync(`${work}/${target.name}/${program}`, `${folder}/${program}`);
  chmodSync(`${folder}/${program}`, 0o755);
  for (const file of listed) put(`${REPOSITORY}/${file}`, `${folder}/${file}`);
  if (isWindows(target)) return packZip(folder, `${DIST}/${name}-${target.name}.zip`, time);
  mkdirSync(`${folder}/completions`);
  for (const shell of ["bash", "zsh", "fish"])
    await write(`${folder}/completions/vitrine.${shell}`, vitrine("completion", shell));
  await write(`${folder}/vitrine.1`, vitrine("man"));
  return packTar(folder, `${DIST}/${name}-${target.name}.tar.gz`, time);
}

function build(target: Target, file: string): void {
  mkdirSync(`${work}/${target.name}`);
  run([process.execPath, `${REPOSITORY}/scripts/build.ts`, file, target.bun, runtimeFor(target)]);
}

async function packImage(): Promise<void> {
  const target = TARGETS.find((it) => it.name === `linux-${process.arch}`);
  if (!target) throw new Error(`there is no image for ${process.arch}`);
  const executable = `${work}/${target.name}/vitrine`;
  if (!readdirSync(work).includes(target.name)) build(target, executable);
  const file = `${DIST}/${name}-image-${process.arch === "x64" ? "amd64" : process.arch}.tar.gz`;
  const options = { repository: REPOSITORY, work: `${work}/image`, version: version ?? "", commit: madeOf };
  await makeImage({ ...options, executable, file, time });
  const { size } = statSync(file);
  if (size > MAX_IMAGE_BYTES) throw new Error(`the image has ${size} bytes, more than ${MAX_IMAGE_BYTES}`);
}

/** Without dev dependencies npm leaves out what they share with the others, so all of it is asked for and sorted here. */
async function sbom(): Promise<Sbom> {
  const listed = JSON.parse(run(["npm", "sbom", "--sbom-format", "cyclonedx"], { cwd: REPOSITORY })) as Sbom;
  const lock = (await Bun.file(`${REPOSITORY}/package-lock.json`).json()) as Lock;
  const families = ["newsreader", "instrument-sans", "jetbrains-mono"];
  const vendored = [
    { name: "@scalar/api-reference", version: scalar.version, license: "MIT" },
    ...families.map((family) => ({
      name: `@fontsource-variable/${family}`,
      version: fonts.version,
      license: "OFL-1.1",
    })),
  ];
  return shippedParts(listed, { lock, vendored, name: packageJson.name, time });
}

async function sums(): Promise<string> {
  const lines: string[] = [];
  for (const file of readdirSync(DIST).toSorted()) {
    const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(`${DIST}/${file}`).bytes());
    lines.push(`${digest.digest("hex")}  ${file}\n`);
  }
  return lines.join("");
}

function vitrine(...args: readonly string[]): string {
  return run([process.execPath, `${REPOSITORY}/src/cli/main.ts`, ...args]);
}

/** Modes are a part of an archive, and those here are whoever's they are. */
function put(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o644);
}

async function write(file: string, text: string): Promise<void> {
  await Bun.write(file, text);
  chmodSync(file, 0o644);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
