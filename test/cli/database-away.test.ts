import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { MAX_WAIT_MS } from "../../src/store/postgres/read-pool.ts";
import { Callers } from "../support/callers.ts";
import { withKey } from "../support/command-line.ts";
import { ENGINES, postgres } from "../support/engines.ts";
import { metricsUrl, readMetrics } from "../support/metrics-page.ts";
import { END_OTHERS } from "../support/postgres-server.ts";
import { startPostgresService } from "../support/postgres-service.ts";
import type { ServingProgram } from "../support/program.ts";
import { describeWithRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

setDefaultTimeout(300_000);

/** A request that has not been answered by then hangs, however slow the machine is. */
const HANGS_MS = 30_000;

/** A server with a database of its own, and callers who never stop asking. */
async function underLoad() {
  await using stack = new AsyncDisposableStack();
  const { cluster, program, key } = stack.use(await startPostgresService());
  const server = stack.use(await program.serve(["serve", "--metrics-port", "0"]));

  const ask = (path: string) =>
    fetch(server.url + path, {
      headers: { ...withKey(key).headers, ...PERSON },
      signal: AbortSignal.timeout(HANGS_MS),
    });
  const callers = stack.use(
    new Callers(8, async (caller) => {
      const response = await ask(caller % 2 ? "/user/links" : "/t/everything-1");
      await response.arrayBuffer();
      if (response.status === 503 && !response.headers.get("Retry-After"))
        throw new Error("503 without Retry-After");
      return response.status;
    }),
  );
  const opened = stack.move();
  return {
    cluster,
    server,
    ask,
    /** Waits for some more answers with this status. */
    answers: (status: number) => callers.more(100, status),
    finish: () => callers.stop(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function changes(server: ServingProgram): string[] {
  return [...server.output().matchAll(/"message":"(the database [^"]*)"/g)].map((match) => match[1] ?? "");
}

const AWAY = "the database is away";
const BACK = "the database answers again";

if (ENGINES.includes(postgres)) {
  describe("serve with PostgreSQL", () => {
    test("lets a read wait for less than a second", () => {
      expect(MAX_WAIT_MS).toBeLessThan(1000);
    });

    test("answers 503 while the database is stopped or frozen, and serves when it is back", async () => {
      await using service = await underLoad();
      const { cluster, server, ask, answers } = service;
      const readiness = async (status: number) => {
        await until(`readiness ${status}`, async () => (await ask("/readyz")).status === status);
        const page = await readMetrics(metricsUrl(server));
        expect(page.value("vitrine_store_up")).toBe(status === 200 ? 1 : 0);
      };
      await answers(200);

      await cluster.stop();
      await answers(503);
      await readiness(503);
      expect((await ask("/healthz")).status).toBe(200);
      await cluster.start();
      await readiness(200);
      await answers(200);

      cluster.freeze();
      await answers(503);
      await readiness(503);
      cluster.thaw();
      await readiness(200);
      await answers(200);

      expect(await service.finish()).toEqual([200, 503]);
      expect(changes(server)).toEqual([AWAY, BACK, AWAY, BACK]);
      expect(await server.stop()).toBe(0);
      expect(server.output()).not.toContain("views and clicks were lost");
    });

    test("loses no request when the server ends its connections", async () => {
      await using service = await underLoad();
      const admin = service.cluster.connect("vitrine");
      for (let time = 0; time < 20; time++) {
        await service.answers(200);
        await admin.unsafe(END_OTHERS);
      }
      await service.answers(200);
      await admin.close();
      expect(await service.finish()).toEqual([200]);
      expect(changes(service.server)).toEqual([]);
      expect(await service.server.stop()).toBe(0);
    });

    test("goes on with the other connections when one of them hangs", async () => {
      await using service = await underLoad();
      await service.answers(200);
      const admin = service.cluster.connect("vitrine");
      const [{ pid }] = await admin.unsafe(`
        SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%keys.hash%' LIMIT 1`);
      process.kill(pid, "SIGSTOP");
      for (let time = 0; time < 20; time++) await service.answers(200);
      process.kill(pid, "SIGCONT");
      await admin.close();
      await service.finish();
      expect(changes(service.server)).toEqual([]);
    });

    test("can be stopped while the database is frozen, and says what was lost by that", async () => {
      await using service = await underLoad();
      await service.answers(200);
      service.cluster.freeze();
      await service.answers(503);
      await service.finish();
      const exitCode = await service.server.stop();
      expect(exitCode).toBe(service.server.output().includes("views and clicks were lost") ? 1 : 0);
      service.cluster.thaw();
    });
  });

  describeWithRedis("serve with PostgreSQL and several workers", (redis) => {
    test("has the metrics of every worker while the database is frozen", async () => {
      await using service = await startPostgresService({ REDIS_URL: (await redis()).url });
      await using server = await service.program.serve(["serve", "--workers", "2", "--metrics-port", "0"]);
      const isUp = async (...expected: number[]) => {
        const page = await readMetrics(metricsUrl(server));
        const told = ["1", "2"].map((worker) => page.value("vitrine_store_up", { worker }));
        return Bun.deepEquals(told, expected);
      };
      service.cluster.freeze();
      let inARow = 0;
      await until("five pages in a row on which both workers say that storage is down", async () => {
        inARow = (await isUp(0, 0)) ? inARow + 1 : 0;
        return inARow === 5;
      });
      service.cluster.thaw();
      await until("both workers to say that it is up", () => isUp(1, 1));
    });
  });
}
