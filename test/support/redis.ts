import { afterAll, describe } from "bun:test";
import { RedisClient } from "bun";
import { withoutTool } from "./missing-tool.ts";
import { TemporaryFolder } from "./temporary-folder.ts";
import { until } from "./until.ts";

/** Who speaks the protocol, and the program that is looked for on the PATH. */
const KINDS = { Redis: "redis-server", Valkey: "valkey-server" } as const;

/** Ends the server when the test run has been killed: its standard input closes with it. */
const GUARD = 'read -r _; kill -9 "$1"';

/** A real server on a port of its own, which a test may freeze, kill and start again. */
export class TestRedis implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly port = freePort();
  readonly url = `redis://127.0.0.1:${this.port}`;
  readonly #program: string;
  #server: Bun.Subprocess | undefined;
  #guard: Bun.Subprocess | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  async start(): Promise<void> {
    const args = [
      "--port",
      String(this.port),
      "--bind",
      "127.0.0.1",
      "--save",
      "",
      "--dir",
      this.#folder.path,
    ];
    this.#server = Bun.spawn([this.#program, ...args], { stdout: "ignore", stderr: "ignore" });
    this.#guard = Bun.spawn(["sh", "-c", GUARD, "sh", String(this.#server.pid)], {
      stdin: "pipe",
      stderr: "ignore",
    });
    await until("Redis to answer", () => this.send("PING").then(Boolean, () => false));
  }

  /** One command on a connection of its own. */
  async send(command: string, ...args: string[]): Promise<unknown> {
    const client = new RedisClient(this.url, { autoReconnect: false });
    try {
      await client.connect();
      return await client.send(command, args);
    } finally {
      client.close();
    }
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#server?.kill(signal);
  }

  async kill(): Promise<void> {
    this.#guard?.kill();
    this.#server?.kill("SIGKILL");
    await this.#server?.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.#folder[Symbol.dispose]();
  }
}

function freePort(): number {
  using listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  return listener.port;
}

/** Starts another server of the kind that the sentences are about. */
type StartRedis = () => Promise<TestRedis>;

/** The server that the sentences share is given first; one that is treated badly is better started for that alone. */
type RedisSentences = (shared: StartRedis, startAnother: StartRedis) => void;

/** Tests with a real server, whichever of the kinds there is. */
export function describeWithRedis(title: string, sentences: RedisSentences): void {
  const programs = Object.values(KINDS);
  const found = programs.find((name) => Bun.which(name) !== null);
  if (found) describeWith(found, title, sentences);
  else withoutTool(title, `no ${programs.join(" or ")} on the PATH`, (fail) => sentences(fail, fail));
}

/** Tests with a real server of each kind. */
export function describeWithEachRedis(title: string, sentences: RedisSentences): void {
  for (const [name, program] of Object.entries(KINDS)) {
    if (Bun.which(program)) describeWith(program, `${name}: ${title}`, sentences);
    else withoutTool(`${name}: ${title}`, `no ${program} on the PATH`, (fail) => sentences(fail, fail));
  }
}

function describeWith(program: string, title: string, sentences: RedisSentences): void {
  const start = async () => {
    const redis = new TestRedis(program);
    await redis.start();
    return redis;
  };
  describe(title, () => {
    let started: Promise<TestRedis> | undefined;
    afterAll(async () => (await started)?.[Symbol.asyncDispose]());
    sentences(() => {
      started ??= start();
      return started;
    }, start);
  });
}
