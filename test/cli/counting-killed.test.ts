import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { done, load } from "../support/command-line.ts";
import { engineInUse, sqlite } from "../support/engines.ts";
import { Program, type ServingProgram } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";
import { describeWithRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import { PERSON } from "../support/visitors.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);
const CONNECTIONS = 64;

/** Enough of them answered before the process is killed to say something. */
const ANSWERED_BEFORE = 3000;

interface Stats {
  readonly trees: readonly {
    readonly slug: string;
    readonly views: number;
    readonly links: readonly { readonly id: string; readonly clicks: number }[];
  }[];
}

async function statsOf(program: Program): Promise<Stats> {
  return JSON.parse(await done(program, ["stats", email, "--json"])) as Stats;
}

/** Clicks on one connection after the other, until it breaks. Each is sent once and never again. */
async function clickUntilItBreaks(path: string, tally: { sent: number; answered: number }): Promise<void> {
  for (;;) {
    tally.sent++;
    try {
      const response = await fetch(path, { headers: PERSON, redirect: "manual" });
      if (response.status !== 302 && response.status !== 200) return;
      await response.arrayBuffer();
      tally.answered++;
    } catch {
      return;
    }
  }
}

describe("a process that is killed in the middle of thousands of clicks", () => {
  test("has counted at least as many as it answered, and at most as many as were sent", async () => {
    using program = new Program({ LOG_LEVEL: "warn" });
    await load(program, writtenRecord(1));
    const [tree] = (await statsOf(program)).trees;
    const [first, second] = tree?.links ?? [];
    const clicks = { sent: 0, answered: 0 };
    const others = { sent: 0, answered: 0 };
    const views = { sent: 0, answered: 0 };

    await using server = await program.serve(["serve"], { LOG_LEVEL: "info" });
    const page = `${server.url}/t/${tree?.slug}`;
    const visitors = Array.from({ length: CONNECTIONS }, (_, index) => {
      if (index % 8 === 0) return clickUntilItBreaks(page, views);
      if (index % 8 === 1) return clickUntilItBreaks(`${page}/${second?.id}`, others);
      return clickUntilItBreaks(`${page}/${first?.id}`, clicks);
    });
    await until("enough clicks were answered", () => clicks.answered >= ANSWERED_BEFORE);
    server.child.kill("SIGKILL");
    await Promise.all([server.child.exited, ...visitors]);

    const [counted] = (await statsOf(program)).trees;
    const clicksOn = (id: string | undefined) => counted?.links.find((link) => link.id === id)?.clicks ?? 0;
    for (const [count, tally] of [
      [clicksOn(first?.id), clicks],
      [clicksOn(second?.id), others],
      [counted?.views ?? 0, views],
    ] as const) {
      expect(count).toBeGreaterThanOrEqual(tally.answered);
      expect(count).toBeLessThanOrEqual(tally.sent);
    }

    // And it goes on from there.
    await using again = await program.serve(["serve"], { LOG_LEVEL: "info" });
    await fetch(`${again.url}/t/${tree?.slug}`, { headers: PERSON });
    expect((await statsOf(program)).trees[0]?.views).toBe((counted?.views ?? 0) + 1);
  });
});

describe("a process that is told to stop", () => {
  test("has counted every click that it answered", async () => {
    using program = new Program();
    await load(program, writtenRecord(1));
    await using server = await program.serve();
    const tally = { sent: 0, answered: 0 };
    const visitors = Array.from({ length: 16 }, () =>
      clickUntilItBreaks(`${server.url}/t/everything-1`, tally),
    );
    await until("enough visits were answered", () => tally.answered >= 300);
    expect(await server.stop()).toBe(0);
    await Promise.all(visitors);
    const views = (await statsOf(program)).trees[0]?.views ?? 0;
    expect(views).toBeGreaterThanOrEqual(tally.answered);
    expect(views).toBeLessThanOrEqual(tally.sent);
  });
});

if (engineInUse() === sqlite) {
  /** Holds the write lock until it is told to let go, at the latest when the test is over. */
  async function holdLocked(program: Program): Promise<Disposable & { release(): void }> {
    const { Database } = await import("bun:sqlite");
    const other = new Database(program.folder.file("vitrine.db"));
    other.run("PRAGMA busy_timeout = 10000");
    other.run("BEGIN IMMEDIATE");
    return { release: () => void other.run("COMMIT"), [Symbol.dispose]: () => other.close() };
  }

  async function visitThrice({ url }: ServingProgram): Promise<void> {
    for (let count = 0; count < 3; count++)
      expect((await fetch(`${url}/t/everything-1`, { headers: PERSON })).status).toBe(200);
  }

  const WAITS = "views and clicks cannot be written for now; they wait";
  const LOST = '"message":"views and clicks were lost","events":3';

  describe("a database that another program holds locked", () => {
    test("keeps no visitor waiting for long, and misses nothing once it is free", async () => {
      using program = new Program();
      await load(program, writtenRecord(1));
      await using server = await program.serve();
      using lock = await holdLocked(program);
      const began = performance.now();
      await visitThrice(server);
      expect(performance.now() - began).toBeLessThan(3 * 2000);
      lock.release();
      await until("all were counted", async () => (await statsOf(program)).trees[0]?.views === 3);
    });

    test("keeps a server that is told to stop until what was answered is counted", async () => {
      using program = new Program();
      await load(program, writtenRecord(1));
      await using server = await program.serve();
      using lock = await holdLocked(program);
      await visitThrice(server);
      const stopped = server.stop();
      await until(
        "it to stop, and to wait",
        () => /"stopping"/.test(server.output()) && server.output().includes(WAITS),
      );
      expect(server.child.exitCode).toBeNull();
      lock.release();
      expect(await stopped).toBe(0);
      expect((await statsOf(program)).trees[0]?.views).toBe(3);
    });

    test("for too long ends the server with 1, and it says how much was lost", async () => {
      using program = new Program();
      await load(program, writtenRecord(1));
      await using server = await program.serve();
      using _lock = await holdLocked(program);
      await visitThrice(server);
      expect(await server.stop()).toBe(1);
      expect(server.output()).toContain(LOST);
      expect(server.output()).not.toContain('"message":"stopped"');
      const said = await new Response(server.child.stderr).text();
      expect(said).toBe(
        "Error: 3 of the views and clicks could not be written, and were lost\nTry: vitrine doctor\n",
      );
    });
  });

  describeWithRedis("a database that another program holds locked, with several workers,", (redis) => {
    test("for too long ends their parent with 1", async () => {
      using program = new Program();
      await load(program, writtenRecord(1));
      const { url } = await redis();
      await using server = await program.serve(["serve", "--workers", "2", "--redis", url]);
      using _lock = await holdLocked(program);
      await visitThrice(server);
      expect(await server.stop()).toBe(1);
      expect(server.output()).toContain(LOST.slice(0, -1));
    });
  });
}
