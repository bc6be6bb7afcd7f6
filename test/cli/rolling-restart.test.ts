import { expect, setDefaultTimeout, test } from "bun:test";
import { Balancer } from "../support/balancer.ts";
import { Callers } from "../support/callers.ts";
import { done, load, withKey } from "../support/command-line.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

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

  await using callers = new Callers(CALLERS, () =>
    fetch(`${balancer.url}/user/linktrees`, withKey(key)).then(
      async (response) => `${response.status} ${(await response.text()).length > 100}`,
      (error: Error) => `${error.name}: ${error.message}`,
    ),
  );
  await callers.more(REQUESTS_BETWEEN);
  for (const old of instances) {
    expect(await old.stop("SIGTERM")).toBe(0);
    expect(balancer.ready).not.toContain(old.url);
    const fresh = stack.use(await start());
    await balancer.add(fresh.url);
    expect(balancer.ready).toContain(fresh.url);
    await callers.more(REQUESTS_BETWEEN);
  }
  expect(await callers.stop()).toEqual(["200 true"]);
  expect(balancer.ready.length).toBe(2);
  for (const { output } of instances) expect(output()).toContain('"route":"/user/linktrees","status":200');
});
