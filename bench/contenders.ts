import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ProgressBar } from "../src/cli/progress.ts";
import { bun, type Dataset, MAIN } from "./dataset.ts";
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
  start(data: Dataset, port: number): MaybePromise<Pick<Start, "command" | "log">>;
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
): Promise<Server> {
  const port = await freePort();
  const start = await contender.start(data, port);
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
      await install(folder);
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
  };
}

/** A server that has one answer for each path in its memory: what Vitrine tells the first user. */
function constant(name: string, title: string, command: string[], sameHeaders = false): Contender {
  const table = `constant-answers${sameHeaders ? "-same-headers" : ""}.json`;
  return {
    name,
    title,
    checks: "nothing",
    prepare: async (data) => {
      const [key = ""] = data.keys();
      await using vitrine = await startContender(VITRINE, data, {});
      const answers: Record<string, { file: string; headers: Record<string, string> }> = {};
      for (const path of PATHS) {
        const response = await ask(vitrine.url, path, key);
        const file = data.file(`constant${path.replaceAll("/", "-")}.json`);
        const type = { "content-type": response.headers.get("content-type") ?? "" };
        const others = response.headers.entries().filter(([name]) => !/^(date|content-length)$/.test(name));
        answers[path] = { file, headers: sameHeaders ? Object.fromEntries(others) : type };
        await Bun.write(file, await response.bytes());
      }
      await Bun.write(data.file(table), JSON.stringify(answers));
    },
    start: (data) => ({ command: [...command, data.file(table)], log: data.file(`${name}.log`) }),
  };
}

export const CONSTANT_BUN = [bun, join(FOLDER, "constant-bun/server.ts")];
const nginx = Bun.which("nginx") ?? Bun.which("/usr/sbin/nginx");

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
      .replace("PORT", String(port));
    await Bun.write(join(folder, "nginx.conf"), configuration);
    return {
      command: [nginx ?? "nginx", "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")],
      log: join(folder, "access.log"),
    };
  },
};

/** Every answer of Vitrine's as a file, named by the user's key. */
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
        const response = await ask(vitrine.url, path, key);
        await Bun.write(join(folder, directoryOf(path), key), await response.bytes());
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

export async function ask(url: string, path: string, key?: string): Promise<Response> {
  const headers = key === undefined ? undefined : { Authorization: `Bearer ${key}` };
  return fetch(url + path, headers ? { headers } : {});
}

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
