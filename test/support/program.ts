import { fileURLToPath } from "node:url";
import { type DatabaseLocation, describeDatabase, parseDatabaseUrl } from "../../src/store/database-url.ts";
import { engineInUse, postgres } from "./engines.ts";
import { runningPostgresServer, type TakenDatabase } from "./postgres-server.ts";
import { TemporaryFolder } from "./temporary-folder.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** A command that has not ended by then hangs, and is killed, so that its test fails by what it said. */
const DEADLINE_MS = 40_000;

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
  readonly #environment: Record<string, string>;
  readonly #command: readonly string[];

  /** From its source, unless the command is another one: the compiled executable, say. */
  constructor(
    environment: Record<string, string> = {},
    command: readonly string[] = [process.execPath, MAIN],
  ) {
    this.#taken = engineInUse() === postgres ? runningPostgresServer().takeDatabase() : undefined;
    this.database = (this.#taken && parseDatabaseUrl(this.#taken.url)) ?? {
      engine: "sqlite",
      file: this.folder.file("vitrine.db"),
    };
    this.databaseName = this.#taken ? describeDatabase(this.database) : "vitrine.db";
    this.#environment = {
      PATH: process.env.PATH ?? "",
      HOME: this.folder.path,
      ...(this.#taken && { DATABASE_URL: this.#taken.url }),
      ...environment,
    };
    this.#command = command;
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
      env: { ...this.#environment, ...environment },
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

  /** Runs on a pseudo-terminal, and types the answer once the question is on the screen. */
  async runOnTerminal(
    args: readonly string[],
    dialogue?: { readonly question: string; readonly answer: string },
    environment: Record<string, string> = {},
  ): Promise<{ readonly screen: string; readonly exitCode: number }> {
    let screen = "";
    let awaited = dialogue?.question;
    const decoder = new TextDecoder();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const child = Bun.spawn([...this.#command, ...args], {
      cwd: this.folder.path,
      env: { ...this.#environment, TERM: "xterm-256color", ...environment },
      terminal: {
        cols: 100,
        rows: 30,
        data(terminal, bytes) {
          screen += decoder.decode(bytes, { stream: true });
          if (awaited === undefined || !screen.includes(awaited)) return;
          awaited = undefined;
          terminal.write(dialogue?.answer ?? "");
        },
        exit: () => resolve(),
      },
    });
    const exitCode = await child.exited;
    child.terminal?.close();
    await closed;
    return { screen, exitCode };
  }

  /** Starts `serve` (or another command that serves) on a free port and waits until it says that it listens. */
  async serve(
    args: readonly string[] = ["serve"],
    environment: Record<string, string> = {},
  ): Promise<ServingProgram> {
    const child = this.spawn([...args, "--port", "0"], "ignore", environment);
    let output = "";
    const decoder = new TextDecoder();
    const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
    const reading = (async () => {
      for await (const chunk of child.stdout) {
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
      async stop(signal = "SIGTERM") {
        child.kill(signal);
        const exitCode = await child.exited;
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
  stop(signal?: NodeJS.Signals): Promise<number>;
}
