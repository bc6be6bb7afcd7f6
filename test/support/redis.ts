import { afterAll, describe } from "bun:test";
import { RedisClient } from "bun";
import { withoutTool } from "./missing-tool.ts";
import { TemporaryFolder } from "./temporary-folder.ts";
import { until } from "./until.ts";

const NAMES = ["redis-server", "valkey-server"];

const executable = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);

/** Ends the server when the test run has been killed: its standard input closes with it. */
const GUARD = 'read -r _; kill -9 "$1"';

/** A real server on a port of its own, which a test may freeze, kill and start again. */
export class TestRedis implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly port = freePort();
  readonly url = `redis://127.0.0.1:${this.port}`;
  #server: Bun.Subprocess | undefined;
  #guard: Bun.Subprocess | undefined;

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis();
    await redis.start();
    return redis;
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
    this.#server = Bun.spawn([executable ?? "redis-server", ...args], { stdout: "ignore", stderr: "ignore" });
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

/** Tests with a real Redis or Valkey, which is looked for on the PATH. */
export function describeWithRedis(title: string, sentences: (redis: () => Promise<TestRedis>) => void): void {
  if (executable === undefined) {
    withoutTool(title, `no ${NAMES.join(" or ")} on the PATH`, sentences);
    return;
  }
  describe(title, () => {
    let started: Promise<TestRedis> | undefined;
    afterAll(async () => (await started)?.[Symbol.asyncDispose]());
    sentences(() => {
      started ??= TestRedis.start();
      return started;
    });
  });
}
