import { describe, expect, test } from "bun:test";
import { Log } from "../../src/logging/log.ts";
import type { CountBatch, CountWriter } from "../../src/store/count-writer.ts";
import { CountsLost, GroupCommit, MAX_WAIT_MS } from "../../src/tracking/group-commit.ts";
import { HandClock } from "../support/clock.ts";
import { until } from "../support/until.ts";

/** Remembers what was written, and waits or fails when the test says so. */
class ListedWriter implements Pick<CountWriter, "write" | "close"> {
  readonly written: CountBatch[] = [];
  failure: Error | undefined;
  closed = false;
  begun = 0;
  #gate = Promise.resolve();

  /** Lets writes wait until the gate is opened, at the latest when the test is over. */
  closeGate(): Disposable & { open(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return { open: resolve, [Symbol.dispose]: resolve };
  }

  async write(batch: CountBatch): Promise<void> {
    this.begun++;
    await this.#gate;
    if (this.failure) throw this.failure;
    this.written.push(batch);
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  get total(): number {
    return this.written.flatMap(({ counts }) => counts).reduce((sum, { count }) => sum + count, 0);
  }
}

function counter(linkId = "") {
  return { userNumber: 1, treeId: "tree", linkId, day: "2026-04-12" };
}

function start(options: { maxEntries?: number; stopMs?: number } = {}) {
  const writer = new ListedWriter();
  const clock = new HandClock();
  let output = "";
  const log = new Log({
    level: "info",
    readable: false,
    write: (bytes) => (output += new TextDecoder().decode(bytes)),
  });
  const commits = new GroupCommit(writer, log, { now: clock.now, ...options });
  return {
    writer,
    clock,
    commits,
    logged() {
      log.flush();
      const lines = output.split("\n").filter(Boolean);
      return lines.map((line) => JSON.parse(line) as { level: string; message: string; dropped?: number });
    },
    [Symbol.asyncDispose]: () => commits.close(),
  };
}

/** Whether a wait is over by now, without waiting for it longer than for the turn of the event loop to end. */
async function isOver(wait: unknown): Promise<boolean> {
  const pending = Symbol();
  const endOfTurn = new Promise((resolve) => setImmediate(resolve, pending));
  return (await Promise.race([wait, endOfTurn])) !== pending;
}

describe("counting", () => {
  test("is over when it is written, and not before", async () => {
    await using it = start();
    using gate = it.writer.closeGate();
    const wait = it.commits.count(counter());
    await new Promise((resolve) => setImmediate(resolve));
    expect(await isOver(wait)).toBe(false);
    gate.open();
    await wait;
    expect(it.writer.total).toBe(1);
  });

  test("of a thousand at once is one transaction, with one row for each counter", async () => {
    await using it = start();
    await Promise.all(Array.from({ length: 1000 }, (_, n) => it.commits.count(counter(`link-${n % 3}`))));
    expect(it.writer.written).toHaveLength(1);
    expect(it.writer.written[0]?.counts).toHaveLength(3);
    expect(it.writer.total).toBe(1000);
    expect(it.commits.numbers).toMatchObject({ committed: 1000, dropped: 0, transactions: 1 });
  });

  test("of those who come while one is written share the next", async () => {
    await using it = start();
    using gate = it.writer.closeGate();
    const waits = [it.commits.count(counter())];
    await until("the first is being written", () => it.writer.begun > 0);
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      waits.push(it.commits.count(counter()));
    }
    gate.open();
    await Promise.all(waits);
    expect(it.writer.written.map(({ counts }) => counts[0]?.count)).toEqual([1, 20]);
  });

  test("keeps nobody waiting longer than it may, and loses nothing by that", async () => {
    await using it = start();
    using gate = it.writer.closeGate();
    const began = performance.now();
    await it.commits.count(counter());
    const waited = performance.now() - began;
    expect(waited).toBeGreaterThanOrEqual(MAX_WAIT_MS - 5);
    expect(waited).toBeLessThan(MAX_WAIT_MS * 8);
    expect(it.writer.total).toBe(0);
    gate.open();
    await it.commits.flush();
    expect(it.writer.total).toBe(1);
  });

  test("tells counters apart by user, tree, link and day", async () => {
    await using it = start();
    const others = [{ userNumber: 2 }, { treeId: "other" }, { linkId: "x" }, { day: "2026-04-13" }, {}];
    await Promise.all(others.map((other) => it.commits.count({ ...counter(), ...other })));
    expect(it.writer.written[0]?.counts).toHaveLength(others.length);
  });
});

describe("keys in use", () => {
  test("go along with the next count, each once, with the time of the clock", async () => {
    await using it = start();
    for (let use = 0; use < 10; use++) it.commits.noteKey("a");
    it.commits.noteKey("b");
    await it.commits.count(counter());
    expect(it.writer.written).toHaveLength(1);
    expect(it.writer.written[0]).toMatchObject({ keyIds: ["a", "b"], usedAt: it.clock.now() });
  });

  test("are written by themselves after a moment", async () => {
    await using it = start();
    it.commits.noteKey("a");
    await until("the key is written", () => it.writer.written.length > 0);
    expect(it.writer.written[0]?.keyIds).toEqual(["a"]);
  });
});

describe("a visitor who turns out to be gone", () => {
  test("is not counted, and holds up nobody who came at the same time", async () => {
    await using it = start();
    const both = [it.commits.count(counter("a"), () => true), it.commits.count(counter("a"), () => false)];
    await Promise.all(both);
    expect(it.writer.total).toBe(1);
  });

  test("is not waited for where nobody else came, and no transaction is written", async () => {
    await using it = start();
    await it.commits.count(counter("a"), () => true);
    expect(it.writer.begun).toBe(0);
  });

  test("is asked for when the moment is over, and not before", async () => {
    await using it = start();
    let isGone = false;
    const counted = it.commits.count(counter("a"), () => isGone);
    isGone = true;
    await counted;
    expect(it.writer.total).toBe(0);
  });

  test("is found out at a stop, too, which loses nobody else", async () => {
    const it = start();
    void it.commits.count(counter("a"), () => false);
    void it.commits.count(counter("a"), () => true);
    await it.commits.close();
    expect(it.writer.total).toBe(1);
  });
});

describe("a store that cannot be written", () => {
  test("lets visitors go on at once, and gets everything when it is back", async () => {
    await using it = start();
    it.writer.failure = new Error("database is locked");
    await it.commits.count(counter("a"));
    for (let visit = 0; visit < 5; visit++) expect(it.commits.count(counter("b"))).toBeUndefined();
    it.commits.noteKey("key");
    it.writer.failure = undefined;
    await it.commits.flush();
    expect(it.writer.total).toBe(6);
    expect(it.writer.written[0]?.keyIds).toEqual(["key"]);
    expect(it.commits.numbers).toMatchObject({ committed: 6, dropped: 0, failures: 1 });
  });

  test("is tried again by itself", async () => {
    await using it = start();
    it.writer.failure = new Error("disk full");
    await it.commits.count(counter());
    it.writer.failure = undefined;
    await until("the count is written", () => it.writer.total === 1);
  });

  test("is logged once when it begins and once when it is over", async () => {
    await using it = start();
    it.writer.failure = new Error("database is locked");
    for (let round = 0; round < 4; round++) {
      await it.commits.count(counter());
      await it.commits.flush();
    }
    it.writer.failure = undefined;
    await it.commits.flush();
    await it.commits.count(counter());
    expect(it.logged().map(({ level, message }) => [level, message])).toEqual([
      ["warn", "views and clicks cannot be written for now; they wait"],
      ["info", "views and clicks are written again"],
    ]);
  });

  test("fills a queue of fixed size: what is known goes on adding up, and what is dropped is counted", async () => {
    await using it = start({ maxEntries: 2 });
    it.writer.failure = new Error("away");
    for (let visit = 0; visit < 10; visit++) {
      for (const link of ["a", "b", "c"]) await it.commits.count(counter(link));
    }
    expect(it.commits.numbers.dropped).toBe(10);
    it.writer.failure = undefined;
    await it.commits.flush();
    expect(it.writer.total).toBe(20);
    expect(it.logged().map(({ message }) => message)).toEqual([
      "views and clicks cannot be written for now; they wait",
      "too many views and clicks are waiting; some are not counted",
      "views and clicks are written again",
    ]);
    expect(it.logged().at(-1)?.dropped).toBe(10);
  });

  test("drops a counter that had been counted up, and knows how much that was", async () => {
    await using it = start({ maxEntries: 1 });
    using gate = it.writer.closeGate();
    const first = Array.from({ length: 7 }, () => it.commits.count(counter("a")));
    await until("the first are being written", () => it.writer.begun > 0);
    it.writer.failure = new Error("away");
    void it.commits.count(counter("b"));
    gate.open();
    await Promise.all(first);
    expect(it.commits.numbers.dropped).toBe(7);
    it.writer.failure = undefined;
    await it.commits.flush();
    expect(it.writer.total).toBe(1);
  });

  test("when closing is tried again for a while, and gets everything when it is back", async () => {
    const it = start();
    it.writer.failure = new Error("database is locked");
    for (let visit = 0; visit < 3; visit++) await it.commits.count(counter());
    const closed = it.commits.close();
    const begun = it.writer.begun;
    await until("another attempt", () => it.writer.begun > begun);
    it.writer.failure = undefined;
    await closed;
    expect(it.writer.total).toBe(3);
    expect(it.logged().at(-1)?.message).toBe("views and clicks are written again");
  });

  test("when closing is told of in the log at last, with how much is lost", async () => {
    const it = start({ stopMs: 1 });
    it.writer.failure = new Error("away");
    for (let visit = 0; visit < 3; visit++) await it.commits.count(counter());
    await expect(it.commits.close()).rejects.toEqual(new CountsLost(3));
    expect(it.writer.closed).toBe(true);
    expect(it.logged().at(-1)).toMatchObject({
      level: "error",
      message: "views and clicks were lost",
      events: 3,
    });
  });

  test("when closing is not waited for where only the use of keys would be lost", async () => {
    const it = start();
    it.writer.failure = new Error("away");
    it.commits.noteKey("a");
    await it.commits.close();
    expect(it.writer.begun).toBe(1);
    expect(it.writer.closed).toBe(true);
  });
});

describe("closing", () => {
  test("writes what is waiting, and then closes the writer", async () => {
    const it = start();
    const wait = it.commits.count(counter());
    it.commits.noteKey("a");
    await it.commits.close();
    await wait;
    expect(it.writer.total).toBe(1);
    expect(it.writer.written.flatMap(({ keyIds }) => keyIds)).toEqual(["a"]);
    expect(it.writer.closed).toBe(true);
  });

  test("while a transaction is being written also writes what has come meanwhile", async () => {
    const it = start();
    using gate = it.writer.closeGate();
    void it.commits.count(counter("a"));
    await until("the first is being written", () => it.writer.begun > 0);
    void it.commits.count(counter("b"));
    const closed = it.commits.close();
    gate.open();
    await closed;
    expect(it.writer.total).toBe(2);
  });

  test("with nothing waiting writes nothing", async () => {
    const it = start();
    await it.commits.close();
    expect(it.writer.written).toEqual([]);
  });
});
