import { expect, setDefaultTimeout, test } from "bun:test";
import { Callers } from "../support/callers.ts";
import { done, load, withKey } from "../support/command-line.ts";
import { metricsUrl, readMetrics, untilShared } from "../support/metrics-page.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { describeWithEachRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

const AWAY = "Redis is away; limits are counted by this process alone for now";
const BACK = "limits are counted in Redis again";

async function prepared(environment: Record<string, string> = {}) {
  const program = new Program(environment);
  await load(program, writtenRecord(1));
  return { program, key: await done(program, ["key", "create", email]) };
}

describeWithEachRedis("serve with a shared limiter", (shared, startAnother) => {
  test("answers every request while Redis freezes, dies and returns under load", async () => {
    await using redis = await startAnother();
    const { program, key } = await prepared({ LIMIT_DEFAULT: "1000000" });
    using _program = program;
    await using server = await program.serve(["serve", "--redis", redis.url, "--metrics-port", "0"]);
    const untilOwn = () =>
      until("counts of its own", async () => {
        const page = await readMetrics(metricsUrl(server));
        return page.value("vitrine_limiter_shared") === 0;
      });

    await using callers = new Callers(8, async () => {
      const response = await fetch(`${server.url}/user/links`, withKey(key));
      await response.arrayBuffer();
      return response.status;
    });
    const someMore = () => callers.more(200);

    await untilShared(server);
    await someMore();
    redis.signal("SIGSTOP");
    await untilOwn();
    await someMore();
    redis.signal("SIGCONT");
    await untilShared(server);
    await someMore();
    await redis.kill();
    await untilOwn();
    await someMore();
    await redis.start();
    await untilShared(server);
    await someMore();
    expect(await callers.stop()).toEqual([200]);
    expect(await server.stop()).toBe(0);

    const changes = [...server.output().matchAll(/"message":"([^"]*Redis[^"]*)"/g)].map((match) => match[1]);
    expect(changes.length).toBeGreaterThanOrEqual(4);
    expect(changes).toEqual(changes.map((_, index) => (index % 2 === 0 ? AWAY : BACK)));
  });

  test("starts and answers without it, and tells nobody the password", async () => {
    const { program, key } = await prepared();
    using _program = program;
    const url = "redis://ada:geheim@127.0.0.1:1";
    await using server = await program.serve(["serve"], { REDIS_URL: url, LOG_LEVEL: "debug" });
    expect((await fetch(`${server.url}/user/full`, withKey(key))).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(server.output()).toContain(AWAY);
    expect(server.output()).not.toContain("geheim");
  });

  test("shares one count with every other instance of it", async () => {
    const { url } = await shared();
    const { program, key } = await prepared();
    using _program = program;
    const args = ["serve", "--redis", url, "--metrics-port", "0"];
    await using one = await program.serve(args);
    await using other = await program.serve(args);
    await Promise.all([untilShared(one), untilShared(other)]);
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) {
      const { status } = await fetch(`${(count % 2 ? one : other).url}/user/full`, withKey(key));
      statuses.push(status);
    }
    expect(statuses).toEqual([...Array<number>(30).fill(200), ...Array<number>(10).fill(429)]);
  });
});
