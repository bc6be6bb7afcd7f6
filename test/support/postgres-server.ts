import { chownSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { until } from "./until.ts";

/** Where Debian puts the programs of each version, off the PATH. */
const DEBIAN_FOLDER = "/usr/lib/postgresql";

/** PostgreSQL refuses to run as root; then it runs as whoever owns nothing. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * The server lives as long as its standard input: when the test run ends, however it ends, that is closed, and
 * the server goes with all of its files. Who watches is a process of its own, since Bun kills what a test has
 * started when the test takes too long.
 */
const UNTIL_INPUT_ENDS = `
  folder=$1; shift; exec 3<&0
  "$@" </dev/null 3<&- & server=$!
  { cat <&3; kill -QUIT $server; while kill -0 $server; do sleep 0.1; done; rm -rf "$folder"; } >/dev/null 2>&1 &
  wait $server`;

/** Nothing here has to survive a power cut. */
const CONFIGURATION = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
};

/** The folder of PostgreSQL's programs: found through the PATH, or the newest where Debian puts them. */
export const postgresPrograms = findPrograms();

function findPrograms(): string | undefined {
  const onPath = Bun.which("initdb");
  if (onPath) return dirname(realpathSync(onPath));
  try {
    const [newest] = readdirSync(DEBIAN_FOLDER).toSorted((one, other) => Number(other) - Number(one));
    return newest && join(DEBIAN_FOLDER, newest, "bin");
  } catch {
    return undefined;
  }
}

/** A server of its own for this test run, on a free port, in a fresh folder. */
export class PostgresServer {
  readonly #programs: string;
  readonly #port: number;
  readonly #free: EmptyDatabase[] = [];
  #made = 0;

  constructor(programs: string, port: number) {
    this.#programs = programs;
    this.#port = port;
  }

  urlOf(database: string): string {
    return `postgres://vitrine@127.0.0.1:${this.#port}/${database}`;
  }

  /** One connection of the superuser, for what only a test does. */
  connect(database: string): SQL {
    return new SQL({ url: this.urlOf(database), database, max: 1 });
  }

  /** An empty database. It takes long to make one, so one that is given back is used again. */
  takeDatabase(): TakenDatabase {
    const database = this.#free.pop() ?? this.#makeDatabase();
    return {
      url: this.urlOf(database.name),
      release: async () => {
        await database.admin.unsafe(`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`);
        await database.admin
          .unsafe("SET client_min_messages = warning; DROP SCHEMA IF EXISTS vitrine CASCADE")
          .simple();
        this.#free.push(database);
      },
    };
  }

  #makeDatabase(): EmptyDatabase {
    const name = `test_${++this.#made}`;
    const address = ["-h", "127.0.0.1", "-p", String(this.#port), "-U", "vitrine"];
    const made = Bun.spawnSync([join(this.#programs, "createdb"), ...address, name]);
    if (!made.success) throw new Error(`createdb failed: ${made.stderr}`);
    return { name, admin: this.connect(name) };
  }
}

export interface TakenDatabase {
  readonly url: string;
  /** Empties it, whoever is still connected. */
  release(): Promise<void>;
}

interface EmptyDatabase {
  readonly name: string;
  readonly admin: SQL;
}

async function start(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-postgres-"));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, "data");
  const initialised = Bun.spawnSync(
    asNobody(
      join(programs, "initdb"),
      "-D",
      data,
      "-U",
      "vitrine",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--no-locale",
      "-N",
    ),
    { cwd: folder },
  );
  if (!initialised.success) throw new Error(`initdb failed: ${initialised.stderr}`);

  const port = await freePort();
  const log = join(folder, "log");
  const settings = Object.entries({ ...CONFIGURATION, port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const server = Bun.spawn(
    asNobody("sh", "-c", UNTIL_INPUT_ENDS, "sh", folder, join(programs, "postgres"), "-D", data, ...settings),
    { cwd: folder, stdin: "pipe", stdout: "ignore", stderr: Bun.file(log) },
  );
  server.unref();
  await until(`PostgreSQL listens; see ${log}`, () => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended: ${readFileSync(log, "utf8")}`);
    return readFileSync(log, "utf8").includes("ready to accept connections");
  });
  return new PostgresServer(programs, port);
}

function asNobody(...command: string[]): string[] {
  const identity = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  return isRoot ? [...identity, ...command] : command;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

let starting: Promise<PostgresServer> | undefined;
let running: PostgresServer | undefined;

/** Starts with the first test that needs it. */
export async function postgresServer(): Promise<PostgresServer> {
  if (postgresPrograms === undefined) throw new Error("there is no PostgreSQL here");
  starting ??= start(postgresPrograms);
  running = await starting;
  return running;
}

/** The same, for whom it has started already. */
export function runningPostgresServer(): PostgresServer {
  if (!running) throw new Error("PostgreSQL has not started yet");
  return running;
}
