import { fileURLToPath } from "node:url";
import { type DatabaseLocation, describeDatabase, parseDatabaseUrl } from "../../src/store/location.ts";
import { engineInUse } from "./engines.ts";
import type { TakenDatabase } from "./postgres-server.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

export const FROM_SOURCE: readonly string[] = [process.execPath, MAIN];

const executable = process.env.VITRINE_EXECUTABLE;

/** The executable that `npm test` has built, which starts in half the time, or else the source. */
export const VITRINE: readonly string[] = executable ? [executable] : FROM_SOURCE;

/** With a pipe for standard output, where Bun gives its children a socket, as systemd does. */
export const INTO_PIPE: readonly string[] = [
  "sh",
  "-c",
  'test -p log || mkfifo log; cat <log & exec "$@" >log',
  "sh",
  ...VITRINE,
];

/**
 * Most commands end within a part of a second, of which JavaScriptCore would spend a third compiling what it has only
 * begun to run. What runs for long is compiled all the same.
 */
const COMPILES_LATE = {
  BUN_JSC_thresholdForJITAfterWarmUp: "5000",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "20000",
};

/** A command that has not ended by then hangs, and is killed, so that its test fails by what it said. */
const DEADLINE_MS = 90_000;

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The real program, run in a folder of its own with an environment that holds nothing of ours. */
export class Program implements Disposable {
  readonly folder = new TemporaryFolder();
  /** Its database: a file in its folder, or an empty one of a server. */
  readonly database: DatabaseLocation;
  /** As messages name it. */
  readonly databaseName: string;
  readonly #taken: TakenDatabase | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly #command: readonly string[];

  /** The command is another one where the program is run in a special way: with few descriptors, say. */
  constructor(environment: Record<string, string> = {}, command: readonly string[] = VITRINE) {
    this.#taken = engineInUse().take?.();
    this.database = (this.#taken && parseDatabaseUrl(this.#taken.url)) ?? {
      engine: "sqlite",
      file: this.folder.file("vitrine.db"),
    };
    this.databaseName = this.#taken ? describeDatabase(this.database) : "vitrine.db";
    this.environment = {
      PATH: process.env.PATH ?? "",
      HOME: this.folder.path,
      ...COMPILES_LATE,
      ...(this.#taken && { DATABASE_URL: this.#taken.url }),
      ...environment,
    };
    this.#command = command;
  }

  /** For a test that takes the schema for granted. */
  async makeSchema(): Promise<void> {
    await this.#taken?.makeSchema();
  }

  /** Writes a file into the program's folder and returns the name it has there. */
  async put(name: string, content: string | Uint8Array): Promise<string> {
    await Bun.write(this.folder.file(name), content);
    return name;
  }

  spawn(
    args: readonly string[],
    stdin: string | Blob | "ignore" = "ignore",
    environment: Record<string, string> = {},
  ) {
    return Bun.spawn([...this.#command, ...args], {
      cwd: this.folder.path,
      env: { ...this.environment, ...environment },
      stdin: typeof stdin === "string" && stdin !== "ignore" ? new Blob([stdin]) : stdin,
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async run(args: readonly string[], stdin?: string, environment?: Record<string, string>): Promise<Outcome> {
    const child = this.spawn(args, stdin, environment);
    const overdue = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    clearTimeout(overdue);
    return { stdout, stderr, exitCode };
  }

  /** Runs a script of bash, in which the program is called `vitrine`. */
  async runScript(script: string): Promise<Outcome> {
    const command = this.#command.map((word) => `'${word}'`).join(" ");
    const child = Bun.spawn(["bash", "-c", `vitrine() { ${command} "$@"; }\n${script}`], {
      cwd: this.folder.path,
      env: this.environment,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { stdout, stderr, exitCode };
  }

  /** Runs on a pseudo-terminal, and types the answer, once it is known, after the question is on the screen. */
  async runOnTerminal(
    args: readonly string[],
    dialogue?: {
      readonly question: string;
      readonly answer: string | ((screen: () => string) => Promise<string>);
    },
    environment: Record<string, string> = {},
  ): Promise<{ readonly screen: string; readonly exitCode: number }> {
    let screen = "";
    let awaited = dialogue?.question;
    let answers: Promise<void> | undefined;
    const decoder = new TextDecoder();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const child = Bun.spawn([...this.#command, ...args], {
      cwd: this.folder.path,
      env: { ...this.environment, TERM: "xterm-256color", ...environment },
      terminal: {
        cols: 100,
        rows: 30,
        data(terminal, bytes) {
          screen += decoder.decode(bytes, { stream: true });
          if (awaited === undefined || !screen.includes(awaited)) return;
          awaited = undefined;
          const answer = dialogue?.answer ?? "";
          if (typeof answer === "string") terminal.write(answer);
          else
            answers = answer(() => screen).then(
              (typed) => void terminal.write(typed),
              (error) => {
                child.kill();
                throw error;
              },
            );
        },
        exit: () => resolve(),
      },
    });
    const exitCode = await child.exited;
    await answers;
    child.terminal?.close();
    await closed;
    return { screen, exitCode };
  }

  /** Starts `serve` (or another command that serves) on a free port, unless it names one, and waits until it says that it listens. */
  async serve(
    args: readonly string[] = ["serve"],
    environment: Record<string, string> = {},
  ): Promise<ServingProgram> {
    const onFreePort = args.includes("--port") ? args : [...args, "--port", "0"];
    const child = this.spawn(onFreePort, "ignore", environment);
    let output = "";
    const decoder = new TextDecoder();
    const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
    let thawed = Promise.withResolvers<void>();
    thawed.resolve();
    const reading = (async () => {
      for await (const chunk of child.stdout) {
        await thawed.promise;
        output += decoder.decode(chunk, { stream: true });
        const url = /"message":"listening","url":"([^"]+)"/.exec(output)?.[1];
        if (url) resolve(url);
      }
      reject(new Error(`the program ended without listening: ${output}`));
    })();
    return {
      url: await listening,
      child,
      output: () => output,
      freezeLog() {
        thawed = Promise.withResolvers<void>();
      },
      thawLog: () => thawed.resolve(),
      async stop(signal = "SIGTERM") {
        child.kill(signal);
        const exitCode = await child.exited;
        thawed.resolve();
        await reading;
        return exitCode;
      },
      async [Symbol.asyncDispose]() {
        child.kill("SIGKILL");
        await child.exited;
      },
    };
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
    void this.#taken?.release();
  }
}

export interface ServingProgram extends AsyncDisposable {
  readonly url: string;
  readonly child: ReturnType<Program["spawn"]>;
  /** All of standard output so far. */
  output(): string;
  /** Standard output is read no more, until it is. */
  freezeLog(): void;
  thawLog(): void;
  stop(signal?: NodeJS.Signals): Promise<number>;
}
