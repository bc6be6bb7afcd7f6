import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Log } from "../../src/logging/log.ts";
import { GroupCommit } from "../../src/tracking/group-commit.ts";
import { KeyUse } from "../../src/tracking/key-use.ts";
import { HandClock, seconds } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

// The first test on PostgreSQL starts the server.
setDefaultTimeout(300_000);

const HOUR = seconds(60 * 60);

function start() {
  const clock = new HandClock();
  const noted: string[] = [];
  const keyUse = new KeyUse({ noteKey: (id) => noted.push(id) }, clock.now);
  /** What the uses since the last time come to. */
  const handedOver = () => {
    keyUse.handOver();
    return noted.splice(0);
  };
  return { clock, keyUse, handedOver, noted, [Symbol.dispose]: () => keyUse.close() };
}

describe("the use of a key", () => {
  test("is noted the first time", () => {
    using it = start();
    it.keyUse.note("a", null);
    expect(it.handedOver()).toEqual(["a"]);
  });

  test("is noted again after an hour, and not a millisecond before", () => {
    using it = start();
    const lastUsedAt = it.clock.now();
    it.clock.advance(HOUR - 1);
    it.keyUse.note("a", lastUsedAt);
    expect(it.handedOver()).toEqual([]);
    it.clock.advance(1);
    it.keyUse.note("a", lastUsedAt);
    expect(it.handedOver()).toEqual(["a"]);
  });

  test("is noted anew where the last one was noted by a clock that has been set back since", () => {
    using it = start();
    it.keyUse.note("a", it.clock.now() + HOUR);
    expect(it.handedOver()).toEqual(["a"]);
  });

  test("is noted at most once an hour over a busy day", () => {
    using it = start();
    let lastUsedAt: number | null = null;
    let count = 0;
    for (let minute = 0; minute < 24 * 60; minute++) {
      it.keyUse.note("a", lastUsedAt);
      const writes = it.handedOver().length;
      if (writes > 0) lastUsedAt = it.clock.now();
      count += writes;
      it.clock.advance(seconds(60));
    }
    expect(count).toBe(24);
  });

  test("is told from the use of another", () => {
    using it = start();
    it.keyUse.note("a", null);
    it.keyUse.note("b", null);
    it.keyUse.note("c", it.clock.now());
    expect(it.handedOver()).toEqual(["a", "b"]);
  });

  test("is handed over once, however often the key is used meanwhile", () => {
    using it = start();
    for (let count = 0; count < 100; count++) it.keyUse.note("a", null);
    expect(it.noted).toEqual([]);
    expect(it.handedOver()).toEqual(["a"]);
    expect(it.handedOver()).toEqual([]);
  });

  test("that waits is handed over when the server stops", () => {
    const it = start();
    it.keyUse.note("a", null);
    it.keyUse.close();
    expect(it.noted).toEqual(["a"]);
  });

  test("waits in bounded room, and loses nothing but a turn where there is none", () => {
    using it = start();
    for (let number = 0; number < 60_000; number++) it.keyUse.note(`key-${number}`, null);
    expect(it.handedOver()).toHaveLength(50_000);
    it.keyUse.note("key-59999", null);
    expect(it.handedOver()).toEqual(["key-59999"]);
  });
});

describe.each(ENGINES)("on $name", (engine) => {
  test("the last use of a key shows where the owner's keys are listed", async () => {
    await using database = await engine.create();
    const clock = new HandClock();
    const store = await database.openStore(clock.now);
    await store.records.save([checkedRecord(writtenRecord())]);
    const { email } = writtenRecord();
    const keys = await store.keys.create(
      [1, 2].map((fill) => ({ email, hash: new Uint8Array(32).fill(fill), name: null, expiresAt: null })),
    );
    const log = new Log({ level: "silent", readable: false });
    const commits = new GroupCommit(await database.openCountWriter(), log, { now: clock.now });
    clock.advance(seconds(90));
    const keyUse = new KeyUse(commits, clock.now);
    keyUse.note(keys[0]?.id ?? "", null);
    keyUse.close();
    await commits.close();
    const uses = (await store.keys.of(email)).map(({ id, lastUsedAt }) => [id, lastUsedAt] as const);
    expect(new Map(uses)).toEqual(
      new Map([
        [keys[0]?.id ?? "", clock.now()],
        [keys[1]?.id ?? "", null],
      ]),
    );
    await store.close();
  });
});
