import { existsSync, readdirSync, readFileSync } from "node:fs";
import { truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

const taskset = Bun.which("taskset");

export const isPinned = taskset !== null && navigator.hardwareConcurrency > 1;

/** Pins a command to a core where the system allows it, so that server and load do not take from each other. */
function pinned(core: number, command: string[]): string[] {
  return isPinned && taskset ? [taskset, "-c", String(core), ...command] : command;
}

const onServerCore = (command: string[]) => pinned(0, command);
export const onLoadCore = (command: string[]) => pinned(1, command);

/** Runs a command to its end and returns what it printed. */
export async function output(command: string[], env: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(command, {
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed: ${text.slice(-1000)}`);
  return text;
}

/** Runs a command to its end. What it says on standard error is seen; what it prints goes to a file, or nowhere. */
export async function run(
  command: string[],
  { cwd, stdin, stdout }: { cwd?: string; stdin?: string; stdout?: string } = {},
): Promise<void> {
  const child = Bun.spawn(command, {
    ...(cwd && { cwd }),
    stdin: stdin === undefined ? "ignore" : Bun.file(stdin),
    stdout: stdout === undefined ? "ignore" : Bun.file(stdout),
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
}

const servers = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const server of servers) server.kill();
});

/** Lets a server end with this process, however that ends. */
export function endsWithUs<Child extends Bun.Subprocess>(server: Child): Child {
  servers.add(server);
  void server.exited.then(() => servers.delete(server));
  return server;
}

/** Lets a signal end this process in a way that takes its servers along. */
export function leaveWithServers(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
}

/** Installs the packages of a folder, unless that was done to its end: npm writes its own lockfile last. */
export async function install(folder: string): Promise<void> {
  if (!existsSync(join(folder, "node_modules/.package-lock.json"))) await run(["npm", "ci"], { cwd: folder });
}

export interface Start {
  readonly name: string;
  readonly command: string[];
  readonly env?: Record<string, string>;
  /** Where its log goes, as an operator's would go to a file. */
  readonly log: string;
  readonly port: number;
  readonly pinned?: boolean;
}

export interface Memory {
  /** Megabytes that are the process's own. */
  readonly own: number;
  /** Megabytes of mapped files that are in memory, which the system takes back when it needs them. */
  readonly mapped: number;
}

/** A server that answers, and is gone when the scope that holds it is left. */
export class Server implements AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly #child: Bun.Subprocess;
  readonly #log: string;

  private constructor(start: Start, child: Bun.Subprocess) {
    this.name = start.name;
    this.url = `http://127.0.0.1:${start.port}`;
    this.#child = child;
    this.#log = start.log;
  }

  static async start(start: Start): Promise<Server> {
    await Bun.write(start.log, "");
    const child = endsWithUs(
      Bun.spawn(start.pinned === false ? start.command : onServerCore(start.command), {
        env: { ...process.env, NODE_ENV: "production", ...start.env, PORT: String(start.port) },
        stdin: "ignore",
        stdout: Bun.file(start.log),
        stderr: "inherit",
      }),
    );
    const server = new Server(start, child);
    while (!(await server.#answers())) {
      if (child.exitCode !== null) throw new Error(`${start.name} ended before it served`);
      await Bun.sleep(2);
    }
    return server;
  }

  async #answers(): Promise<boolean> {
    return fetch(this.url).then(
      () => true,
      () => false,
    );
  }

  get pid(): number {
    return this.#child.pid;
  }

  memory(): Memory | undefined {
    return memoryOf(this.#child.pid);
  }

  processorSeconds(): number {
    return processorSecondsOf(this.#child.pid);
  }

  /** Logs grow by gigabytes in an hour of load, and nobody reads them. */
  async emptyLog(): Promise<void> {
    await truncate(this.#log, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }
}

/** Of a process and its children together, or nothing where the system does not say. */
export function memoryOf(pid: number): Memory | undefined {
  try {
    const statuses = [pid, ...childrenOf(pid)].map(statusOf);
    const sum = (field: string) =>
      statuses.reduce((megabytes, status) => megabytes + kibibytes(status, field) / 1024, 0);
    return { own: sum("RssAnon"), mapped: sum("RssFile") };
  } catch {
    return undefined;
  }
}

/** The system counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** The processor time that a process and its children have used, or NaN where the system does not say. */
export function processorSecondsOf(pid: number): number {
  try {
    const ticks = [pid, ...childrenOf(pid)].map(ticksOf);
    return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** What a process has used for itself and in the system, by the fields behind its name, which may hold spaces. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function statusOf(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, "utf8");
}

function kibibytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return kibibytes(statusOf(pid), "PPid") === parent;
    } catch {
      return false;
    }
  });
}

/** Below the ports that the system gives to programs that ask for any, so that none of those takes it meanwhile. */
const PORTS = { first: 20_000, count: 10_000 };

export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    if (await promise) return port;
  }
}
