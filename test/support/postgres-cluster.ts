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
 * Starts and stops the server as it is told on its standard input. When the test run ends, however it ends, that is
 * closed, and the server goes with all of its files.
 */
const UNTIL_INPUT_ENDS = `
  folder=$1; shift
  while read -r command; do
    case $command in
      start) "$@" </dev/null >&2 & ;;
      *) kill -"$command" $!; wait $!; echo ended ;;
    esac
  done
  kill -QUIT $!; kill -CONT $!; wait $!; rm -rf "$folder"`;

/** Nothing here has to survive a power cut. */
const CONFIGURATION = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
};

const READY = /ready to accept (?:read-only )?connections/g;

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

/** A server on a free port in a fresh folder, which a test may stop, freeze and start again. */
export class PostgresCluster implements AsyncDisposable {
  readonly port: number;
  readonly #data: string;
  readonly #log: string;
  readonly #guard: Bun.Subprocess<"pipe", "pipe", Bun.BunFile>;
  readonly #said: AsyncIterator<Uint8Array>;

  private constructor(folder: string, port: number) {
    this.port = port;
    this.#data = join(folder, "data");
    this.#log = join(folder, "log");
    const settings = Object.entries({ ...CONFIGURATION, port }).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]);
    const server = [program("postgres"), "-D", this.#data, ...settings];
    this.#guard = Bun.spawn(asNobody("sh", "-c", UNTIL_INPUT_ENDS, "sh", folder, ...server), {
      cwd: folder,
      stdin: "pipe",
      stdout: "pipe",
      stderr: Bun.file(this.#log),
    });
    this.#guard.unref();
    this.#said = this.#guard.stdout.values();
  }

  static async start(): Promise<PostgresCluster> {
    return PostgresCluster.#startFrom((folder) => {
      const options = ["-U", "vitrine", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"];
      return [program("initdb"), "-D", join(folder, "data"), ...options];
    });
  }

  /** A second server that follows this one, and can only be read. */
  async startReplica(): Promise<PostgresCluster> {
    const options = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "vitrine"];
    return PostgresCluster.#startFrom((folder) => {
      const how = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
      return [program("pg_basebackup"), "-D", join(folder, "data"), ...options, ...how];
    });
  }

  static async #startFrom(initialise: (folder: string) => string[]): Promise<PostgresCluster> {
    const folder = folderOfNobody("vitrine-postgres-");
    const command = initialise(folder);
    const done = Bun.spawnSync(asNobody(...command), { cwd: folder });
    if (!done.success) throw new Error(`${command[0]} failed: ${done.stderr}`);
    const cluster = new PostgresCluster(folder, await freePort());
    await cluster.start();
    return cluster;
  }

  urlOf(database: string): string {
    return `postgres://vitrine@127.0.0.1:${this.port}/${database}`;
  }

  /** One connection of the superuser, for what only a test does. */
  connect(database: string): SQL {
    return new SQL({ url: this.urlOf(database), database, max: 1 });
  }

  createDatabase(name: string): void {
    const address = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "vitrine"];
    const made = Bun.spawnSync([program("createdb"), ...address, name]);
    if (!made.success) throw new Error(`createdb failed: ${made.stderr}`);
  }

  async start(): Promise<void> {
    const before = this.#timesReady();
    this.#tell("start");
    await until(`PostgreSQL listens; see ${this.#log}`, () => {
      if (this.#guard.exitCode !== null) throw new Error(`PostgreSQL ended: ${this.#logged()}`);
      return this.#timesReady() > before;
    });
  }

  /** As an operator does it: connections are ended at once, and what was committed is kept. */
  async stop(): Promise<void> {
    this.#tell("INT");
    await this.#said.next();
  }

  /** The server and all of its connections stand still, but nothing is closed. */
  freeze(): void {
    this.#signalAll("SIGSTOP");
  }

  thaw(): void {
    this.#signalAll("SIGCONT");
  }

  #signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
    const [postmaster = ""] = readFileSync(join(this.#data, "postmaster.pid"), "utf8").split("\n");
    const { stdout } = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", postmaster]);
    for (const pid of `${postmaster} ${stdout}`.trim().split(/\s+/)) {
      try {
        process.kill(Number(pid), signal);
      } catch {
        // A connection that has ended since.
      }
    }
  }

  #tell(command: string): void {
    this.#guard.stdin.write(`${command}\n`);
    this.#guard.stdin.flush();
  }

  #logged(): string {
    return readFileSync(this.#log, "utf8");
  }

  #timesReady(): number {
    return this.#logged().match(READY)?.length ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#guard.stdin.end();
    await this.#guard.exited;
  }
}

function program(name: string): string {
  if (postgresPrograms === undefined) throw new Error("there is no PostgreSQL here");
  return join(postgresPrograms, name);
}

/** A new folder for such a command. */
export function folderOfNobody(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/** A command that must not run as root, as somebody else. */
export function asNobody(...command: string[]): string[] {
  const identity = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  return isRoot ? [...identity, ...command] : command;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
