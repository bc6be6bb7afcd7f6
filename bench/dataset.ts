import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { plural } from "../src/cli/output.ts";
import { ProgressBar } from "../src/cli/progress.ts";
import { benchRecord, type Shape } from "./data.ts";
import { run } from "./processes.ts";

export const MAIN = join(import.meta.dir, "../src/cli/main.ts");
const SOURCE = join(import.meta.dir, "../src");
export const bun = process.execPath;

/** What decides how the data looks. Another version of any of it makes other data. */
const DECIDES = [
  "documents/**/*.ts",
  "records/**/*.ts",
  "keys/**/*.ts",
  "packing/**/*.ts",
  "store/packed-record.ts",
  "store/sqlite/{connection,migrations,store}.ts",
];

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Users in a database of Vitrine's, with a key each, in a folder that is kept for the next run. */
export class Dataset {
  readonly folder: string;
  readonly users: number;
  readonly database: string;

  constructor(folder: string, users: number, database = `sqlite:${join(folder, "vitrine.db")}`) {
    this.folder = folder;
    this.users = users;
    this.database = database;
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  /** The keys that the load takes, one a line. */
  get keysFile(): string {
    return this.file("keys.txt");
  }

  /** The same for keys of the public view. */
  publicKeys(): Promise<string> {
    return this.once("public-keys.txt", (part) => createKeys(this, part, "--view", "public"));
  }

  get importedPerSecond(): number {
    return Number(readFileSync(this.file("imported-per-second.txt"), "utf8"));
  }

  keys(): string[] {
    return readFileSync(this.keysFile, "utf8").trim().split("\n");
  }

  /** Makes a file or folder by the function, once: a name without `.part` is one that was finished. */
  async once(name: string, make: (path: string) => Promise<void>): Promise<string> {
    const path = this.file(name);
    if (existsSync(path)) return path;
    const part = `${path}.part`;
    for (const leftover of readdirSync(this.folder)) {
      if (leftover.startsWith(`${name}.part`)) rmSync(this.file(leftover), { recursive: true });
    }
    await make(part);
    renameSync(part, path);
    return path;
  }

  /** Every record with its ids and times, as `vitrine export` prints it: what the contenders are loaded from. */
  records(): Promise<string> {
    return this.once("records.ndjson", (part) =>
      run([bun, MAIN, "export", "--all", "--database", this.database], { stdout: part }),
    );
  }
}

/** Bytes that a user takes on the disk, all files of a comparison counted. */
const ROOM = { vitrine: 25_000, contenders: 60_000 };

export async function buildDataset(
  cache: string,
  users: number,
  shape: Shape = {},
  forContenders = false,
): Promise<Dataset> {
  const name = [`${users}-users`, ...(shape.links ? [`${shape.links}-links`] : [])].join("-");
  const folder = join(cache, `${name}-${fingerprint()}`);
  mkdirSync(cache, { recursive: true });
  for (const other of readdirSync(cache)) {
    // Data of another version would only fill the disk.
    if (other.startsWith(`${name}-`) && join(cache, other) !== folder && /-[0-9a-f]{12}$/.test(other)) {
      rmSync(join(cache, other), { recursive: true });
    }
  }
  const dataset = new Dataset(folder, users);
  if (existsSync(dataset.keysFile)) return dataset;

  const needed = users * (ROOM.vitrine + (forContenders ? ROOM.contenders : 0));
  const { bavail, bsize } = statfsSync(cache);
  if (bavail * bsize < needed) {
    throw new Error(`${plural(users, "user")} need ${size(needed)} of disk in ${cache}`);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await writeRecords(dataset.file("users.ndjson"), users, shape);
  const startedAt = performance.now();
  await run([bun, MAIN, "import", dataset.file("users.ndjson"), "--database", dataset.database]);
  const seconds = (performance.now() - startedAt) / 1000;
  await Bun.write(dataset.file("imported-per-second.txt"), String(users / seconds));
  rmSync(dataset.file("users.ndjson"));
  await createKeys(dataset);
  return dataset;
}

export async function createKeys(
  dataset: Dataset,
  file = dataset.keysFile,
  ...flags: readonly string[]
): Promise<void> {
  const emails = Array.from({ length: dataset.users }, (_, index) => `user${index + 1}@example.com`);
  await Bun.write(dataset.file("emails.txt"), emails.join("\n"));
  await run([bun, MAIN, "key", "create", "-", "--database", dataset.database, ...flags], {
    stdin: dataset.file("emails.txt"),
    stdout: dataset.file("keys.csv"),
  });
  const lines = readFileSync(dataset.file("keys.csv"), "utf8").trim().split("\n");
  const keys = lines.map((line) => line.slice(line.indexOf(",") + 1));
  await Bun.write(file, keys.join("\n"));
}

export async function writeRecords(file: string, users: number, shape: Shape = {}): Promise<void> {
  const bar = new ProgressBar("writing records");
  const sink = Bun.file(file).writer();
  for (let user = 1; user <= users; user++) {
    sink.write(`${JSON.stringify(benchRecord(user, shape))}\n`);
    if (user % 1000 === 0) await sink.flush();
    bar.update(user, users);
  }
  await sink.end();
  bar.end();
}

function fingerprint(): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const pattern of DECIDES) {
    const files = [...new Bun.Glob(pattern).scanSync({ cwd: SOURCE })].toSorted();
    for (const file of files) hasher.update(readFileSync(join(SOURCE, file)));
  }
  for (const file of ["data.ts", "prose.ts", "words.ts"])
    hasher.update(readFileSync(join(import.meta.dir, file)));
  return hasher.digest("hex").slice(0, 12);
}

export function size(bytes: number): string {
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
