import { describe, expect, test } from "bun:test";
import { Log } from "../../src/logging/log.ts";
import type { KeyUseWriter } from "../../src/store/reader.ts";
import { KeyUse } from "../../src/tracking/key-use.ts";
import { HandClock, seconds } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

const HOUR = seconds(60 * 60);

/** Remembers what was written, and fails when the test says so. */
class ListedWriter implements KeyUseWriter {
  readonly written: { ids: readonly string[]; at: number }[] = [];
  failure: Error | undefined;
  closed = false;
  onTouch = (): void => {};

  async touch(ids: readonly string[], at: number): Promise<void> {
    this.onTouch();
    if (this.failure) throw this.failure;
    this.written.push({ ids, at });
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  /** Every key that was written, in order. */
  get ids(): string[] {
    return this.written.flatMap(({ ids }) => ids);
  }
}

function start() {
  const clock = new HandClock();
  const writer = new ListedWriter();
  let output = "";
  const log = new Log({
    level: "info",
    readable: false,
    write: (bytes) => (output += new TextDecoder().decode(bytes)),
  });
  const keyUse = new KeyUse(writer, log, clock.now);
  return {
    clock,
    writer,
    keyUse,
    logged() {
      log.flush();
      return output
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    [Symbol.asyncDispose]: () => keyUse.close(),
  };
}

describe("the use of a key", () => {
  test("is noted the first time, with the time of the clock", async () => {
    await using it = start();
    it.keyUse.note("a", null);
    await it.keyUse.flush();
    expect(it.writer.written).toEqual([{ ids: ["a"], at: it.clock.now() }]);
  });

  test("is noted once however often it is used in between", async () => {
    await using it = start();
    for (let count = 0; count < 100; count++) it.keyUse.note("a", null);
    await it.keyUse.flush();
    expect(it.writer.ids).toEqual(["a"]);
  });

  test("is noted again after an hour, and not a millisecond before", async () => {
    await using it = start();
    const lastUsedAt = it.clock.now();
    it.clock.advance(HOUR - 1);
    it.keyUse.note("a", lastUsedAt);
    await it.keyUse.flush();
    expect(it.writer.ids).toEqual([]);
    it.clock.advance(1);
    it.keyUse.note("a", lastUsedAt);
    await it.keyUse.flush();
    expect(it.writer.written).toEqual([{ ids: ["a"], at: it.clock.now() }]);
  });

  test("is noted at most once an hour over a busy day", async () => {
    await using it = start();
    let lastUsedAt: number | null = null;
    for (let minute = 0; minute < 24 * 60; minute++) {
      it.keyUse.note("a", lastUsedAt);
      await it.keyUse.flush();
      lastUsedAt = it.writer.written.at(-1)?.at ?? null;
      it.clock.advance(seconds(60));
    }
    expect(it.writer.ids).toHaveLength(24);
  });

  test("is told from the use of another", async () => {
    await using it = start();
    it.keyUse.note("a", null);
    it.keyUse.note("b", null);
    it.keyUse.note("c", it.clock.now());
    await it.keyUse.flush();
    expect(it.writer.written.map(({ ids }) => ids)).toEqual([["a", "b"]]);
  });
});

describe("noting", () => {
  test("never makes a request wait: it only remembers", async () => {
    await using it = start();
    it.keyUse.note("a", null);
    expect(it.writer.written).toEqual([]);
  });

  test("writes by itself after a moment", async () => {
    await using it = start();
    const { promise, resolve } = Promise.withResolvers<void>();
    it.writer.onTouch = resolve;
    it.keyUse.note("a", null);
    await promise;
    expect(it.writer.ids).toEqual(["a"]);
  });

  test("writes nothing when nothing was used", async () => {
    await using it = start();
    await it.keyUse.flush();
    expect(it.writer.written).toEqual([]);
  });

  test("writes very many keys a part at a time, each of them once", async () => {
    await using it = start();
    const ids = Array.from({ length: 2500 }, (_, index) => `key-${index}`);
    for (const id of ids) it.keyUse.note(id, null);
    for (let count = 0; count < 3; count++) await it.keyUse.flush();
    expect(it.writer.written.map((write) => write.ids.length)).toEqual([1000, 1000, 500]);
    expect(it.writer.ids).toEqual(ids);
  });

  test("writes what is left when it is closed, and closes the writer", async () => {
    const it = start();
    it.keyUse.note("a", null);
    await it.keyUse.close();
    expect(it.writer.ids).toEqual(["a"]);
    expect(it.writer.closed).toBe(true);
  });

  test("writes all that is left when it is closed, however much that is", async () => {
    const it = start();
    const ids = Array.from({ length: 2500 }, (_, index) => `key-${index}`);
    for (const id of ids) it.keyUse.note(id, null);
    await it.keyUse.close();
    expect(new Set(it.writer.ids).size).toBe(ids.length);
  });
});

describe("a writer that fails", () => {
  test("is tried again with the same keys", async () => {
    await using it = start();
    it.writer.failure = new Error("database is locked");
    it.keyUse.note("a", null);
    await it.keyUse.flush();
    it.keyUse.note("b", null);
    it.writer.failure = undefined;
    await it.keyUse.flush();
    expect(it.writer.ids).toEqual(["a", "b"]);
  });

  test("is logged once when it begins to fail and once when it is over, however long that takes", async () => {
    await using it = start();
    it.keyUse.note("a", null);
    it.writer.failure = new Error("database is locked");
    for (let count = 0; count < 5; count++) await it.keyUse.flush();
    it.writer.failure = undefined;
    await it.keyUse.flush();
    it.keyUse.note("b", null);
    await it.keyUse.flush();
    expect(it.logged().map(({ level, message, reason }) => ({ level, message, reason }))).toEqual([
      {
        level: "warn",
        message: "the last use of keys cannot be noted for now",
        reason: "Error: database is locked",
      },
      { level: "info", message: "the last use of keys is noted again", reason: undefined },
    ]);
  });

  test("is logged anew when it fails again later", async () => {
    await using it = start();
    for (const failure of [new Error("one"), undefined, new Error("two"), undefined]) {
      it.writer.failure = failure;
      it.keyUse.note("a", null);
      await it.keyUse.flush();
    }
    expect(it.logged().map(({ level }) => level)).toEqual(["warn", "info", "warn", "info"]);
  });

  test("does not stand in the way of closing", async () => {
    const it = start();
    it.keyUse.note("a", null);
    it.writer.failure = new Error("database is locked");
    await it.keyUse.close();
    expect(it.writer.closed).toBe(true);
  });
});

describe.each(ENGINES)("on $name", (engine) => {
  test("the last use of a key shows where the owner's keys are listed", async () => {
    await using database = await engine.create();
    const clock = new HandClock();
    const store = await database.openStore(clock.now);
    await store.save([checkedRecord(writtenRecord())]);
    const { email } = writtenRecord();
    const keys = await store.createKeys(
      [1, 2].map((fill) => ({ email, hash: new Uint8Array(32).fill(fill), name: null, expiresAt: null })),
    );
    const log = new Log({ level: "silent", readable: false });
    const keyUse = new KeyUse(await database.openKeyUseWriter(), log, clock.now);
    clock.advance(seconds(90));
    keyUse.note(keys[0]?.id ?? "", null);
    await keyUse.close();
    const uses = (await store.keysOf(email)).map(({ id, lastUsedAt }) => [id, lastUsedAt] as const);
    expect(new Map(uses)).toEqual(
      new Map([
        [keys[0]?.id ?? "", clock.now()],
        [keys[1]?.id ?? "", null],
      ]),
    );
    await store.close();
  });
});
