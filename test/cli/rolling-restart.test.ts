import { expect, setDefaultTimeout, test } from "bun:test";
import { Balancer } from "../support/balancer.ts";
import { done, load, withKey } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const CALLERS = 16;

/** Enough between two restarts that every caller has been answered by whoever is new. */
const REQUESTS_BETWEEN = 1000;

test("a rolling restart of two instances under load loses no request", async () => {
  using program = new Program({ LIMIT_DEFAULT: "1000000", SHUTDOWN_DELAY: "1" });
  await load(program, writtenRecord(1));
  const key = await done(program, ["key", "create", writtenRecord(1).email]);
  const start = () => program.serve();

  using balancer = new Balancer();
  await using stack = new AsyncDisposableStack();
  const instances = [stack.use(await start()), stack.use(await start())];
  for (const { url } of instances) await balancer.add(url);
  expect(balancer.ready.length).toBe(2);

  const outcomes = new Map<string, number>();
  let answered = 0;
  let going = true;
  const calling = Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (going) {
        const outcome = await fetch(`${balancer.url}/user/linktrees`, withKey(key)).then(
          async (response) => `${response.status} ${(await response.text()).length > 100}`,
          (error: Error) => `${error.name}: ${error.message}`,
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        answered++;
      }
    }),
  );
  const someMore = async () => {
    const before = answered;
    await until("some more requests", () => answered > before + REQUESTS_BETWEEN);
  };

  await someMore();
  for (const old of instances) {
    expect(await old.stop("SIGTERM")).toBe(0);
    expect(balancer.ready).not.toContain(old.url);
    const fresh = stack.use(await start());
    await balancer.add(fresh.url);
    expect(balancer.ready).toContain(fresh.url);
    await someMore();
  }
  going = false;
  await calling;

  expect([...outcomes.keys()]).toEqual(["200 true"]);
  expect(answered).toBeGreaterThan(3 * REQUESTS_BETWEEN);
  expect(balancer.ready.length).toBe(2);
  for (const { output } of instances) expect(output()).toContain('"route":"/user/linktrees","status":200');
});
