import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { USER_STEP } from "../../src/store/contents.ts";
import { expectRefusal } from "../support/command-line.ts";
import { count, everythingIn, fill } from "../support/contents.ts";
import { ENGINES, sqlite, type TestDatabase } from "../support/engines.ts";
import { Program } from "../support/program.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const PEOPLE = 12 * USER_STEP;
const FIRST = 10;

/** Many are needed so that a copy takes its steps, and what they consist of does not matter. */
function personOfFewWords(number: number) {
  return checkedRecord({ ...writtenRecord(number), jobs: [], projects: [], education: [], linkTrees: [] });
}

async function fillWithMany(database: TestDatabase): Promise<void> {
  await fill(database);
  const store = await database.openStore();
  for (let first = FIRST; first < FIRST + PEOPLE; first += 1000) {
    const numbers = Array.from(
      { length: Math.min(1000, FIRST + PEOPLE - first) },
      (_, index) => first + index,
    );
    await store.records.save(numbers.map(personOfFewWords));
  }
  await store.close();
}

/** Starts a copy, and returns when a part of the users is there and another part is not. */
async function startCopy(program: Program, source: TestDatabase, target: TestDatabase) {
  const store = await target.openStore();
  try {
    const child = program.spawn(["copy", "--from", source.url, "--to", target.url]);
    await until("some users to be copied", async () => {
      if (child.exitCode !== null) throw new Error(`the copy ended by itself with ${child.exitCode}`);
      return (await store.records.count()) > 0;
    });
    return child;
  } finally {
    await store.close();
  }
}

const WAYS = ENGINES.map((from) => ({
  from,
  to: ENGINES.find((engine) => engine !== from) ?? from,
  ...(from === sqlite
    ? { end: "killed", signal: "SIGKILL" as const, exitCode: 137, said: "" }
    : {
        end: "interrupted",
        signal: "SIGINT" as const,
        exitCode: 130,
        said: "Interrupted: what was copied is kept. Run the same command again for the rest.\n",
      }),
}));

describe.each(WAYS)("a copy from $from.name to $to.name", ({ from, to, end, signal, exitCode, said }) => {
  test(`that is ${end} leaves whole users in their order, and goes on when it is run again`, async () => {
    await using source = await from.create();
    await using target = await to.create();
    await fillWithMany(source);
    const wanted = await everythingIn(source);
    using program = new Program();
    const child = await startCopy(program, source, target);
    child.kill(signal);
    expect(await new Response(child.stderr).text()).toBe(said);
    expect(await child.exited).toBe(exitCode);

    const { users } = await everythingIn(target);
    expect(users.length).toBeGreaterThan(0);
    expect(users.length).toBeLessThan(wanted.users.length);
    expect(users).toEqual(wanted.users.slice(0, users.length));
    const store = await target.openStore();
    expect(await Array.fromAsync(store.upkeep.discrepancies(() => {}))).toEqual([]);
    await store.close();

    const again = await program.run(["copy", "--from", source.url, "--to", target.url, "--json"]);
    expect(again.stderr).toBe("");
    const { copied, verified } = JSON.parse(again.stdout) as Record<string, Record<string, number>>;
    expect(copied?.users).toBe(wanted.users.length - users.length);
    expect(verified).toEqual({ users: wanted.users.length, keys: 4, hooks: 1, counts: 5 });
    expect(await everythingIn(target)).toEqual(wanted);
  });
});

test("a copy finds that the source was written to meanwhile, and takes that over when it is run again", async () => {
  await using source = await sqlite.create();
  await using target = await sqlite.create();
  await fillWithMany(source);
  using program = new Program();
  const child = await startCopy(program, source, target);
  child.kill("SIGSTOP");
  const store = await source.openStore();
  await store.records.save([checkedRecord(writtenRecord(5))]);
  await store.close();
  await count(source, {});
  expect((await everythingIn(target)).users.length).toBeLessThan(PEOPLE);
  child.kill("SIGCONT");
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expectRefusal(
    { stdout, stderr, exitCode: await child.exited },
    {
      error:
        "1 user, 0 keys, 0 hooks and 1 count are not the same in both: somebody has written since the copy began",
      remedy: "stop what writes to them, and run the same copy again: it takes over what has changed",
    },
  );

  const again = await program.run(["copy", "--from", source.url, "--to", target.url]);
  expect(again.stdout).toStartWith("Copied 1 user, 0 keys, 0 hooks and 1 count from ");
  expect(await everythingIn(target)).toEqual(await everythingIn(source));
});
