import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ProgressBar } from "../src/cli/progress.ts";
import { bun, type Dataset, MAIN } from "./dataset.ts";
import { ENCODINGS, type Encoding } from "./load.ts";
import { freePort, install, run, Server, type Start } from "./processes.ts";

export const PATHS = ["/user/full", "/user/linktrees"] as const;
export type Path = (typeof PATHS)[number];

export const FOLDER = join(import.meta.dir, "contenders");

export interface Contender {
  /** As `--only` takes it. */
  readonly name: string;
  readonly title: string;
  /** What it checks of a request: a key and a limit, a key alone, or nothing. */
  readonly checks: "key and limit" | "key" | "nothing";
  /** A command that says the version of a program which is no package. */
  readonly version?: string[];
  /** Why it cannot run here, where it cannot. */
  missing?(): string | undefined;
  /** Installs it and loads its data. */
  prepare(data: Dataset): Promise<void>;
  /** Whether it has a server for each encoding, which it is started for. Others choose by what they are asked. */
  readonly startsPerEncoding?: true;
  start(data: Dataset, port: number, encoding: Encoding): MaybePromise<Pick<Start, "command" | "log">>;
  /** What its data takes on the disk. Absent where it has none. */
  diskFiles?(data: Dataset): string[];
}

type MaybePromise<Value> = Value | Promise<Value>;

/** Settings of the limits, by the names that Vitrine and the contenders know them by. */
export type Limits = Record<"LIMIT_FULL" | "LIMIT_DEFAULT", string>;

/** For runs with few users. The limit is still checked with every request. */
export const RAISED_LIMITS: Limits = { LIMIT_FULL: "1000000", LIMIT_DEFAULT: "1000000" };
export const SAID_OF_RAISED_LIMITS =
  "limits raised, since there are few users for so many requests, and still checked";

export async function startContender(
  contender: Contender,
  data: Dataset,
  limits: Readonly<Record<string, string>>,
  encoding: Encoding = "plain",
): Promise<Server> {
  const port = await freePort();
  const start = await contender.start(data, port, encoding);
  return Server.start({ ...start, name: contender.title, port, env: limits });
}

export const VITRINE: Contender = {
  name: "vitrine",
  title: "Vitrine",
  checks: "key and limit",
  prepare: async () => {},
  start: (data) => ({
    command: [bun, MAIN, "serve", "--database", data.database],
    log: data.file("vitrine.log"),
  }),
  diskFiles: (data) => [data.file("vitrine.db")],
};

/** A service of Node's with tables of its own. */
function service(name: string, title: string): Contender {
  const folder = join(FOLDER, name);
  const program = (file: string) => ["node", join(folder, "dist", file)];
  return {
    name,
    title,
    checks: "key and limit",
    async prepare(data) {
      // One install for all services, so that what more than one of them uses is compiled once.
      await install(FOLDER);
      await run(["npm", "run", "build"], { cwd: folder });
      const records = await data.records();
      await data.once(`${name}.db`, (part) =>
        run([...program("load.js"), part, records, data.file("keys.csv")]),
      );
    },
    start: (data) => ({
      command: [...program("main.js"), data.file(`${name}.db`)],
      log: data.file(`${name}.log`),
    }),
    diskFiles: (data) => [data.file(`${name}.db`)],
  };
}

/**
 * A server that has one answer for each path in its memory: what Vitrine tells the first user. Where Vitrine sends that
 * as it is to somebody who would take it compressed, it is compressed here.
 */
function constant(name: string, title: string, command: string[], sameHeaders = false): Contender {
  const tableOf = (encoding: Encoding) =>
    `constant-answers${sameHeaders ? "-same-headers" : ""}-${encoding}.json`;
  return {
    name,
    title,
    checks: "nothing",
    startsPerEncoding: true,
    prepare: async (data) => {
      const [key = ""] = data.keys();
      await using vitrine = await startContender(VITRINE, data, {});
      for (const encoding of ENCODINGS) {
        const answers: Record<string, { file: string; headers: Record<string, string> }> = {};
        for (const path of PATHS) {
          const { headers, sent } = await answerTo(vitrine.url, path, key, encoding);
          const isPacked = headers["content-encoding"] !== undefined;
          const file = data.file(`constant${path.replaceAll("/", "-")}-${encoding}`);
          await Bun.write(file, encoding === "gzip" && !isPacked ? Bun.gzipSync(sent) : sent);
          answers[path] = {
            file,
            headers: {
              ...(sameHeaders ? headers : { "content-type": headers["content-type"] ?? "" }),
              ...(encoding === "gzip" && { "content-encoding": "gzip" }),
            },
          };
        }
        await Bun.write(data.file(tableOf(encoding)), JSON.stringify(answers));
      }
    },
    start: (data, _, encoding) => ({
      command: [...command, data.file(tableOf(encoding))],
      log: data.file(`${name}-${encoding}.log`),
    }),
  };
}

export const CONSTANT_BUN = [bun, join(FOLDER, "constant-bun/server.ts")];
const nginx = Bun.which("nginx") ?? Bun.which("/usr/sbin/nginx");

/** Files that were compressed beforehand, where it was built to send them, or else compressed as they are sent. */
function nginxCompression(): string {
  const { stderr } = Bun.spawnSync([nginx ?? "nginx", "-V"]);
  return stderr.includes("http_gzip_static_module")
    ? "gzip_static on;"
    : "gzip on; gzip_types application/json;";
}

const NGINX: Contender = {
  name: "nginx",
  title: "nginx, one static file per user",
  checks: "key",
  ...(nginx && { version: [nginx, "-v"] }),
  missing: () => (nginx ? undefined : "nginx is not installed"),
  async prepare(data) {
    await data.once("nginx-files", (part) => writeAnswers(data, part));
  },
  async start(data, port) {
    const folder = data.file("nginx");
    mkdirSync(join(folder, "temporary"), { recursive: true });
    const template = await Bun.file(join(FOLDER, "nginx/nginx.conf")).text();
    const configuration = template
      .replace("USER", process.getuid?.() === 0 ? "user root;" : "")
      .replaceAll("FOLDER", folder)
      .replace("FILES", data.file("nginx-files"))
      .replace("COMPRESSION", nginxCompression())
      .replace("PORT", String(port));
    await Bun.write(join(folder, "nginx.conf"), configuration);
    return {
      command: [nginx ?? "nginx", "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")],
      log: join(folder, "access.log"),
    };
  },
  diskFiles: (data) =>
    PATHS.flatMap((path) => {
      const folder = join(data.file("nginx-files"), directoryOf(path));
      return readdirSync(folder).map((name) => join(folder, name));
    }),
};

/** Every answer of Vitrine's as a file, named by the user's key, and once more compressed. */
async function writeAnswers(data: Dataset, folder: string): Promise<void> {
  await using vitrine = await startContender(VITRINE, data, {});
  const bar = new ProgressBar("writing files");
  const keys = data.keys();
  let next = 0;
  let done = 0;
  for (const path of PATHS) mkdirSync(join(folder, directoryOf(path)), { recursive: true });
  const worker = async () => {
    for (let key = keys[next++]; key !== undefined; key = keys[next++]) {
      for (const path of PATHS) {
        const { bytes } = await answerTo(vitrine.url, path, key);
        const file = join(folder, directoryOf(path), key);
        await Bun.write(file, bytes);
        await Bun.write(`${file}.gz`, Bun.gzipSync(bytes));
      }
      bar.update(++done, keys.length);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  bar.end();
}

function directoryOf(path: Path): string {
  return path.replace("/user/", "");
}

/** Without an encoding the answer is asked for as it is, whatever the runtime would take. */
export function ask(
  url: string,
  path: string,
  key?: string,
  encoding: Encoding = "plain",
): Promise<Response> {
  const headers = {
    "Accept-Encoding": encoding === "gzip" ? "gzip" : "identity",
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  };
  return fetch(url + path, { headers, decompress: false });
}

interface Answer {
  readonly status: number;
  /** Without those that the server adds by itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it was sent, and as it is. */
  readonly sent: Uint8Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export async function answerTo(
  url: string,
  path: string,
  key?: string,
  encoding: Encoding = "plain",
): Promise<Answer> {
  const response = await ask(url, path, key, encoding);
  const names = /^(date|content-length|transfer-encoding|connection|keep-alive)$/;
  const headers = Object.fromEntries(response.headers.entries().filter(([name]) => !names.test(name)));
  const sent = new Uint8Array(await response.arrayBuffer());
  const isPacked = headers["content-encoding"] === "gzip";
  return { status: response.status, headers, sent, bytes: isPacked ? Bun.gunzipSync(sent) : sent };
}

/** Bytes that the data of a contender takes on the disk for each user, or nothing where it has none. */
export function diskBytesPerUser({ diskFiles }: Contender, data: Dataset): number | undefined {
  const bytes = diskFiles?.(data).reduce((sum, file) => sum + statSync(file).blocks * BLOCK_BYTES, 0);
  return bytes === undefined ? undefined : bytes / data.users;
}

/** What the system counts the room of a file in. */
const BLOCK_BYTES = 512;

export const CONTENDERS: readonly Contender[] = [
  VITRINE,
  service("fastify", "Fastify + Drizzle + better-sqlite3"),
  service("nestjs", "NestJS + TypeORM + better-sqlite3"),
  constant("constant-bun", "constant Bun.serve", CONSTANT_BUN),
  constant("constant-bun-headers", "constant Bun.serve, same headers", CONSTANT_BUN, true),
  constant("constant-node", "constant node:http", ["node", join(FOLDER, "constant-node/server.js")]),
  NGINX,
];

/** What the runtime can do at most, which every result is also given as a share of. */
export const LIMIT = "constant-bun";
