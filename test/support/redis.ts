import { afterAll, describe, test } from "bun:test";
import { RedisClient } from "bun";
import { TemporaryFolder } from "./temporary-folder.ts";
import { until } from "./until.ts";

const NAMES = ["redis-server", "valkey-server"];

const executable = NAMES.map((name) => Bun.which(name)).find((path) => path !== null);

/** Ends the server when the test run does, however that ends: its standard input closes with it. */
const GUARD = '"$@" >&2 & echo $!; read -r _; kill -9 $!';

/** A real server on a port of its own, which a test may freeze, kill and start again. */
export class TestRedis implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  readonly port = freePort();
  readonly url = `redis://127.0.0.1:${this.port}`;
  #guard: Bun.Subprocess<"pipe", "pipe", "ignore"> | undefined;
  #pid = 0;

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
    this.#guard = Bun.spawn(["sh", "-c", GUARD, "sh", executable ?? "redis-server", ...args], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    const { value } = await this.#guard.stdout.getReader().read();
    this.#pid = Number(new TextDecoder().decode(value));
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
    process.kill(this.#pid, signal);
  }

  async kill(): Promise<void> {
    this.#guard?.stdin.end();
    await this.#guard?.exited;
    this.#guard = undefined;
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

/**
 * Tests with a real Redis or Valkey, which is looked for on the PATH. Where there is none they are skipped by name
 * or, with VITRINE_NO_SKIPS, fail.
 */
export function describeWithRedis(title: string, sentences: (redis: () => Promise<TestRedis>) => void): void {
  if (executable === undefined) {
    const reason = `no ${NAMES.join(" or ")} on the PATH`;
    if (process.env.VITRINE_NO_SKIPS) {
      test(title, () => {
        throw new Error(reason);
      });
    } else
      describe.skip(`${title} (SKIPPED, ${reason})`, () =>
        sentences(() => Promise.reject(new Error(reason))));
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
