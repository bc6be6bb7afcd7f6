import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, expectRefusal, load, withKey } from "../support/command-line.ts";
import { metricsUrl, readMetrics, untilShared } from "../support/metrics-page.ts";
import { freePort } from "../support/postgres-cluster.ts";
import { childrenOf, running } from "../support/processes.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { describeWithRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

/** Longer than a worker may be silent. */
const STANDSTILL_MS = 7000;

function messages(server: ServingProgram): string[] {
  return [...server.output().matchAll(/"message":"([^"]+)"/g)].map((match) => match[1] ?? "");
}

function count(server: ServingProgram, message: string): number {
  return messages(server).filter((it) => it === message).length;
}

/** The workers of a server that must have so many. */
async function workersOf(server: ServingProgram, count: number): Promise<number[]> {
  return until(`${count} workers`, async () => {
    const workers = await childrenOf(server.child.pid);
    return workers.length === count && workers;
  });
}

describe("serve with several workers", () => {
  test("is refused without Redis, with the reason and what to do", async () => {
    using program = new Program();
    expectRefusal(await program.run(["serve", "--workers", "3"]), {
      error: /^3 workers without Redis would count apart, and let a user in 3 times as often/,
      remedy: "vitrine serve --workers 3 --redis redis://127.0.0.1:6379",
      exitCode: 2,
    });
    expect(await Bun.file(program.folder.file("vitrine.db")).exists()).toBe(false);
  });

  test("cannot be had by starting one by hand", async () => {
    using program = new Program();
    expectRefusal(await program.run(["serve-worker"]), {
      error: "only `vitrine serve --workers` starts workers",
      remedy: "vitrine serve --workers auto",
    });
  });
});

describeWithRedis("serve with several workers and Redis", (redis) => {
  async function start(program: Program): Promise<ServingProgram> {
    const { url } = await redis();
    return program.serve(["serve", "--workers", "2", "--redis", url, "--metrics-port", "0"]);
  }

  test("answers on one port, and every worker takes its share", async () => {
    using program = new Program();
    await using server = await start(program);
    const url = metricsUrl(server);
    // Connections are spread by the kernel, so each request has one of its own.
    const served = await until("requests at both workers", async () => {
      const response = await fetch(`${server.url}/healthz`, { headers: { Connection: "close" } });
      expect(response.status).toBe(200);
      const { samples } = await readMetrics(url);
      const workers = samples
        .filter(({ name, labels }) => name === "vitrine_requests_total" && labels.route === "/healthz")
        .map(({ labels }) => labels.worker);
      return workers.length === 2 && workers;
    });
    expect(served.toSorted()).toEqual(["1", "2"]);
    expect(count(server, "listening")).toBe(1);
  });

  test("counts requests exactly, whichever worker gets them", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    await (await redis()).send("FLUSHALL");
    await using server = await start(program);
    await untilShared(server);
    const { headers } = withKey(key);
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await fetch(`${server.url}/user/full`, {
          headers: { ...headers, Connection: "close" },
        });
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 200).length).toBe(30);
    expect(statuses.filter((status) => status === 429).length).toBe(70);
  });

  test("replaces a worker that was killed, later each time, and says so", async () => {
    using program = new Program();
    await using server = await start(program);
    const [, other = 0] = await workersOf(server, 2);
    for (const times of [1, 2]) {
      const [doomed = 0] = (await workersOf(server, 2)).filter((worker) => worker !== other);
      process.kill(doomed, "SIGKILL");
      await until("a worker in its place", () => count(server, "a worker serves again") === times);
    }
    const [first, second] = [...server.output().matchAll(/another one takes its place.*"pauseMs":(\d+)/g)];
    expect(first?.[0]).toContain("SIGKILL");
    expect(Number(second?.[1])).toBe(2 * Number(first?.[1]));
    expect(await workersOf(server, 2)).toContain(other);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  test("replaces a worker that hangs, and says so", async () => {
    using program = new Program();
    await using server = await start(program);
    const [hung = 0, other = 0] = await workersOf(server, 2);
    process.kill(hung, "SIGSTOP");
    await until("a worker in its place", () => count(server, "a worker serves again") === 1);
    expect(messages(server)).toContain("a worker does not answer, and is killed");
    const now = await workersOf(server, 2);
    expect(now).toContain(other);
    expect(now).not.toContain(hung);
    expect((await readMetrics(metricsUrl(server))).value("vitrine_worker_restarts_total")).toBe(1);
    for (let time = 0; time < 20; time++) {
      const response = await fetch(`${server.url}/healthz`, { headers: { Connection: "close" } });
      expect(response.status).toBe(200);
    }
    expect(await server.stop()).toBe(0);
  });

  test("does not wait for a worker that hangs when it is told to stop", async () => {
    using program = new Program();
    await using server = await start(program);
    const [hung = 0] = await workersOf(server, 2);
    process.kill(hung, "SIGSTOP");
    expect(await server.stop()).toBe(1);
    expect(messages(server)).toContain("a worker does not answer, and is killed");
  });

  test("replaces nobody when all of it stood still for a while", async () => {
    using program = new Program();
    await using server = await start(program);
    const all = [server.child.pid, ...(await workersOf(server, 2))];
    const signal = (which: "SIGSTOP" | "SIGCONT") => {
      for (const pid of all) process.kill(pid, which);
    };
    signal("SIGSTOP");
    await Bun.sleep(STANDSTILL_MS);
    signal("SIGCONT");
    const page = await readMetrics(metricsUrl(server));
    expect(page.value("vitrine_workers")).toBe(2);
    expect(page.value("vitrine_worker_restarts_total")).toBe(0);
    expect(count(server, "a worker does not answer, and is killed")).toBe(0);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("stops all workers on %s, and ends with 0", async (signal) => {
    using program = new Program();
    await using server = await start(program);
    const workers = await workersOf(server, 2);
    expect(await server.stop(signal)).toBe(0);
    expect(await running(workers)).toEqual([]);
    expect(messages(server).slice(-2)).toEqual(["stopping", "stopped"]);
  });

  test("stops only once when a signal reaches the workers too, as Ctrl+C does", async () => {
    using program = new Program();
    await using server = await start(program);
    for (const worker of await workersOf(server, 2)) process.kill(worker, "SIGINT");
    expect(await server.stop("SIGINT")).toBe(0);
    expect(messages(server)).not.toContain("a worker died; another one takes its place");
  });

  test("leaves no worker behind when it is killed itself", async () => {
    using program = new Program();
    await using server = await start(program);
    const workers = await workersOf(server, 2);
    server.child.kill("SIGKILL");
    await until("all workers to end", async () => (await running(workers)).length === 0);
  });

  test("says that a port is in use, though workers could share it", async () => {
    using program = new Program();
    await using server = await start(program);
    const { port } = new URL(server.url);
    const { url } = await redis();
    expectRefusal(await program.run(["serve", "--workers", "2", "--redis", url, "--port", port]), {
      error: `port ${port} of 127.0.0.1 is in use`,
      remedy: `vitrine serve --port ${Number(port) + 1}`,
    });
  });

  test("does not share its port with its own metrics", async () => {
    using program = new Program();
    const port = String(await freePort());
    const { url } = await redis();
    const args = ["serve", "--workers", "2", "--redis", url, "--port", port, "--metrics-port", port];
    expectRefusal(await program.run(args), {
      error: `port ${port} of 127.0.0.1 is in use`,
      remedy: `vitrine serve --metrics-port ${Number(port) + 1}`,
    });
  });

  test("writes whole lines to one log, however many workers write to it at once", async () => {
    using program = new Program({ LIMIT_FULL: "1000000" });
    await load(program, writtenRecord(1));
    const key = await done(program, ["key", "create", email]);
    await using server = await start(program);
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let count = 0; count < 100; count++) {
          const response = await fetch(`${server.url}/user/full`, {
            headers: { ...withKey(key).headers, ...(count % 10 === 0 && { Connection: "close" }) },
          });
          await response.arrayBuffer();
        }
      }),
    );
    expect(await server.stop()).toBe(0);
    const lines = server.output().trimEnd().split("\n");
    const parsed = lines.map((line) => JSON.parse(line) as { message: string });
    expect(parsed.filter(({ message }) => message === "request").length).toBe(1600);
  });
});
