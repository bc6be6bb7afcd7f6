import { describe, expect, test } from "bun:test";
import { Log } from "../../src/logging/log.ts";
import { GroupCommit } from "../../src/tracking/group-commit.ts";
import { KeyUse } from "../../src/tracking/key-use.ts";
import { HandClock, seconds } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

const HOUR = seconds(60 * 60);

function start() {
  const clock = new HandClock();
  const noted: string[] = [];
  const keyUse = new KeyUse({ noteKey: (id) => noted.push(id) }, clock.now);
  return { clock, noted, keyUse };
}

describe("the use of a key", () => {
  test("is noted the first time", () => {
    const { noted, keyUse } = start();
    keyUse.note("a", null);
    expect(noted).toEqual(["a"]);
  });

  test("is noted again after an hour, and not a millisecond before", () => {
    const { clock, noted, keyUse } = start();
    const lastUsedAt = clock.now();
    clock.advance(HOUR - 1);
    keyUse.note("a", lastUsedAt);
    expect(noted).toEqual([]);
    clock.advance(1);
    keyUse.note("a", lastUsedAt);
    expect(noted).toEqual(["a"]);
  });

  test("is noted at most once an hour over a busy day", () => {
    const { clock, noted, keyUse } = start();
    let lastUsedAt: number | null = null;
    for (let minute = 0; minute < 24 * 60; minute++) {
      const before = noted.length;
      keyUse.note("a", lastUsedAt);
      if (noted.length > before) lastUsedAt = clock.now();
      clock.advance(seconds(60));
    }
    expect(noted).toHaveLength(24);
  });

  test("is told from the use of another", () => {
    const { clock, noted, keyUse } = start();
    keyUse.note("a", null);
    keyUse.note("b", null);
    keyUse.note("c", clock.now());
    expect(noted).toEqual(["a", "b"]);
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
    const commits = new GroupCommit(await database.openTrackingWriter(), log, { now: clock.now });
    clock.advance(seconds(90));
    new KeyUse(commits, clock.now).note(keys[0]?.id ?? "", null);
    await commits.close();
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
