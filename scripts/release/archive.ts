import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Zippable, zipSync } from "fflate";

/** The same archive of the same files, whenever and by whomever it is made. */
const REPRODUCIBLE = [
  "--sort=name",
  "--owner=0",
  "--group=0",
  "--numeric-owner",
  "--mode=u=rwX,go=rX",
  "--format=ustar",
];

/** Packs a folder under its own name, with one time for everything. */
export async function packTar(folder: string, file: string, time: Date): Promise<void> {
  await pack(["--directory", dirname(folder), basename(folder)], file, time);
}

/** Packs what is in a folder. */
export async function packContents(folder: string, file: string, time: Date): Promise<void> {
  await pack(["--directory", folder, ...readdirSync(folder).toSorted()], file, time);
}

async function pack(place: readonly string[], file: string, time: Date): Promise<void> {
  const moment = `--mtime=@${time.getTime() / 1000}`;
  const tar = Bun.spawn(["tar", "--create", ...REPRODUCIBLE, moment, ...place], { stdout: "pipe" });
  const bytes = await new Response(tar.stdout).bytes();
  if ((await tar.exited) !== 0) throw new Error(`tar could not pack ${file}`);
  await Bun.write(file, Bun.gzipSync(new Uint8Array(bytes), { level: 9 }));
}

/** For systems that know no tar. */
export async function packZip(folder: string, file: string, time: Date): Promise<void> {
  const entries: Zippable = {};
  for (const name of [...new Bun.Glob("**").scanSync({ cwd: folder, dot: true })].toSorted())
    entries[`${basename(folder)}/${name}`] = [readFileSync(`${folder}/${name}`), { mtime: inUtc(time) }];
  await Bun.write(file, zipSync(entries, { level: 9 }));
}

/** ZIP has the time of the place where it is made; this makes it the same one everywhere. */
function inUtc(time: Date): Date {
  return new Date(time.getTime() + time.getTimezoneOffset() * 60_000);
}
