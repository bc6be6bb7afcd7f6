import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { childrenOf, running } from "../support/processes.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { describeWithRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

/** A delay that no test waits for. */
const LONG = { SHUTDOWN_DELAY: "300" };

async function notReady({ url }: ServingProgram): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { headers: { Connection: "close" } });
  return response.status === 503;
}

describe("serve with a delay before it stops", () => {
  test("says after SIGTERM that it is not ready, and goes on answering", async () => {
    using program = new Program(LONG);
    await using server = await program.serve();
    expect(await notReady(server)).toBe(false);
    server.child.kill("SIGTERM");
    await until("it to say that it is not ready", () => notReady(server));
    const response = await fetch(`${server.url}/healthz`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Connection")).toBe("close");
    expect(server.child.exitCode).toBeNull();
  });

  test("ends with 0 when the delay is over", async () => {
    using program = new Program({ SHUTDOWN_DELAY: "1" });
    await using server = await program.serve();
    expect(await server.stop("SIGTERM")).toBe(0);
  });

  test("does not make a person who presses Ctrl+C wait", async () => {
    using program = new Program(LONG);
    await using server = await program.serve();
    expect(await server.stop("SIGINT")).toBe(0);
  });

  test("ends at once at the second signal", async () => {
    using program = new Program(LONG);
    await using server = await program.serve();
    server.child.kill("SIGTERM");
    await until("it to say that it is not ready", () => notReady(server));
    expect(await server.stop("SIGTERM")).toBe(1);
  });
});

describeWithRedis("serve with workers and a delay before it stops", (redis) => {
  async function drainedWorkers(program: Program) {
    const { url } = await redis();
    const server = await program.serve(["serve", "--workers", "2", "--redis", url]);
    const workers = await until("two workers", async () => {
      const found = await childrenOf(server.child.pid);
      return found.length === 2 && found;
    });
    server.child.kill("SIGTERM");
    await until("it to say that it is not ready", () => notReady(server));
    return { server, workers };
  }

  test.each([
    ["at the second signal", "SIGTERM"],
    ["when it is killed", "SIGKILL"],
  ] as const)("ends with all its workers at once %s", async (_, signal) => {
    using program = new Program(LONG);
    const { server, workers } = await drainedWorkers(program);
    await using _server = server;
    expect((await running(workers)).length).toBe(2);
    expect(await server.stop(signal)).not.toBe(0);
    await until("all workers to end", async () => (await running(workers)).length === 0);
  });
});
