import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_ENDPOINTS, MemoryWindow } from "../../src/limits/memory-window.ts";
import { HandClock, seconds } from "../support/clock.ts";
import { NaiveWindow } from "./naive-window.ts";
import { anyEndpoint, ENDPOINTS, type WindowEngine, windowSentences } from "./sliding-window.contract.ts";

const WINDOW = 60;
const [FIRST = "", SECOND = ""] = ENDPOINTS;
const LAST = ENDPOINTS.at(-1) ?? "";

const memory: WindowEngine = {
  name: "memory",
  async create(windowSeconds, now) {
    return { window: new MemoryWindow(ENDPOINTS, windowSeconds, now), [Symbol.asyncDispose]: async () => {} };
  },
};

windowSentences(memory);

function open() {
  const clock = new HandClock(0);
  return { clock, limiter: new MemoryWindow(ENDPOINTS, WINDOW, clock.now) };
}

function sweepAll(limiter: MemoryWindow): void {
  for (let before = -1; before !== limiter.bytes; limiter.sweep()) before = limiter.bytes;
}

test("memory: a first request is told to wait a whole window and no longer, at any fraction of a millisecond", () => {
  const anyInstant = fc.integer({ min: 0, max: 10 ** 12 }).map((nanoseconds) => nanoseconds / 1e6);
  fc.assert(
    fc.property(anyInstant, (instant) => {
      const limiter = new MemoryWindow(ENDPOINTS, WINDOW, () => instant);
      expect(limiter.take(1, FIRST, 1).resetSeconds).toBe(WINDOW);
      expect(limiter.take(1, FIRST, 1).resetSeconds).toBe(WINDOW);
    }),
  );
});

describe("the memory of a limiter", () => {
  test("does not grow with the limit", () => {
    const [small, large] = [open(), open()];
    for (let user = 0; user < 5000; user++) {
      small.limiter.take(user, FIRST, 1);
      large.limiter.take(user, FIRST, 1_000_000);
    }
    expect(large.limiter.bytes).toBe(small.limiter.bytes);
  });

  test("does not grow with the users that there are, however high their numbers", () => {
    const { limiter } = open();
    const before = limiter.bytes;
    limiter.take(2 ** 40, LAST, 1_000_000);
    expect(limiter.bytes).toBe(before);
  });

  test("grows with the requests of the last window, by 16 bytes for each and the room to grow", () => {
    const { limiter } = open();
    for (let count = 0; count < 100_000; count++) limiter.take(count % 1000, FIRST, 1_000_000);
    expect(limiter.size).toBe(100_000);
    expect(limiter.bytes).toBeGreaterThan(100_000 * 8);
    expect(limiter.bytes).toBeLessThan(100_000 * 2 * 16);
  });

  test("does not grow with refused requests", () => {
    const { limiter } = open();
    limiter.take(1, FIRST, 1);
    const before = limiter.bytes;
    for (let count = 0; count < 100_000; count++) limiter.take(1, FIRST, 1);
    expect(limiter.bytes).toBe(before);
    expect(limiter.size).toBe(1);
  });

  test("does not grow with time: old requests make room for new ones", () => {
    const { clock, limiter } = open();
    for (let count = 0; count < 1000; count++) limiter.take(count, FIRST, 30);
    const before = limiter.bytes;
    for (let minute = 0; minute < 100; minute++) {
      clock.advance(seconds(WINDOW));
      for (let count = 0; count < 1000; count++) limiter.take(minute * 1000 + count, FIRST, 30);
    }
    expect(limiter.bytes).toBe(before);
  });

  test("is given back by sweeping, once the requests are a window old", () => {
    const { clock, limiter } = open();
    const before = limiter.bytes;
    for (let count = 0; count < 100_000; count++) limiter.take(count, FIRST, 30);
    const grown = limiter.bytes;
    sweepAll(limiter);
    expect(limiter.bytes).toBe(grown);
    clock.advance(seconds(WINDOW));
    limiter.sweep();
    expect(limiter.size).toBe(0);
    expect(limiter.bytes).toBeLessThan(grown);
    sweepAll(limiter);
    expect(limiter.bytes).toBe(before);
  });

  test("is never swept of what still counts", () => {
    const { clock, limiter } = open();
    for (let count = 0; count < 50_000; count++) limiter.take(count, FIRST, 30);
    clock.advance(seconds(WINDOW) - 1);
    for (let count = 0; count < 3; count++) limiter.take(7, SECOND, 3);
    clock.advance(1);
    sweepAll(limiter);
    expect(limiter.size).toBe(3);
    expect(limiter.take(7, SECOND, 3)).toEqual({ allowed: false, remaining: 0, resetSeconds: 60 });
  });
});

describe("a limiter with very many callers", () => {
  /** Numbers that lie close together, far apart, and at distances at which a poor hash would make them collide. */
  const anyUser = fc.oneof(
    fc.integer({ min: 0, max: 3000 }),
    fc.integer({ min: 0, max: 500 }).map((number) => number * 2048),
    fc.integer({ min: 0, max: 500 }).map((number) => number * 2 ** 28),
    fc.integer({ min: 0, max: 500 }).map((number) => number * 2 ** 32 + 1),
    fc.maxSafeInteger().map((number) => Math.floor(Math.abs(number) / 16)),
  );

  test("agrees with a list of their times through growth, ageing and sweeping", () => {
    const anyStep = fc.record({
      pause: fc.integer({ min: 0, max: 60 }),
      user: anyUser,
      endpoint: anyEndpoint,
      requests: fc.integer({ min: 1, max: 4 }),
      sweep: fc.integer({ min: 0, max: 200 }).map((chance) => chance === 0),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 2000, maxLength: 4000, size: "max" }), (steps) => {
        const { clock, limiter } = open();
        const model = new NaiveWindow(WINDOW);
        for (const { pause, user, endpoint, requests, sweep } of steps) {
          clock.advance(pause);
          if (sweep) limiter.sweep();
          for (let count = 0; count < requests; count++) {
            expect(limiter.take(user, endpoint, 3)).toEqual(model.take(user, endpoint, 3, clock.now()));
          }
        }
        limiter.sweep();
        expect(limiter.size).toBe(model.sizeAt(clock.now()));
      }),
      { numRuns: 6, endOnFailure: true },
    );
  }, 300_000);

  test("agrees with a list of their times when all of them come and go at once", () => {
    const { clock, limiter } = open();
    const model = new NaiveWindow(WINDOW);
    for (let round = 0; round < 8; round++) {
      for (let user = 0; user < 3000; user++) {
        const number = round % 2 === 0 ? user * 1024 : user;
        const endpoint = ENDPOINTS[user % 7] ?? FIRST;
        expect(limiter.take(number, endpoint, 2)).toEqual(model.take(number, endpoint, 2, clock.now()));
        clock.advance(round);
      }
      limiter.sweep();
      expect(limiter.size).toBe(model.sizeAt(clock.now()));
    }
  });
});

describe("a limiter with a most of entries", () => {
  const MOST = 5000;
  const bounded = () => {
    const clock = new HandClock(0);
    return { clock, limiter: new MemoryWindow(ENDPOINTS, WINDOW, clock.now, MOST) };
  };

  test("has no more, and no more memory, however many callers there are", () => {
    const { limiter } = bounded();
    for (let user = 0; user < MOST; user++) limiter.take(user, FIRST, 1);
    const { bytes } = limiter;
    for (let user = 0; user < 10 * MOST; user++) limiter.take(user * 7919, FIRST, 1);
    expect(limiter.size).toBe(MOST);
    expect(limiter.bytes).toBe(bytes);
  });

  test("forgets the oldest first, and counts the others as ever", () => {
    const { limiter } = bounded();
    for (let user = 0; user < MOST + 10; user++) limiter.take(user, FIRST, 1);
    const allowed = (user: number) => limiter.look(user, FIRST, 1).allowed;
    expect([0, 9, 10, MOST + 9].map(allowed)).toEqual([true, true, false, false]);
  });

  test("is exact as long as they have room", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(5000)), { maxLength: 200 }), (requests) => {
        const { clock, limiter } = bounded();
        const model = new NaiveWindow(WINDOW);
        for (const [user, later] of requests) {
          clock.advance(later);
          expect(limiter.take(user, FIRST, 3)).toEqual(model.take(user, FIRST, 3, clock.now()));
        }
      }),
    );
  });
});

describe("the endpoints of a limiter", () => {
  test("are told apart by their names, in whichever order they were listed", () => {
    const { now } = new HandClock(0);
    const [one, other] = [ENDPOINTS, ENDPOINTS.toReversed()].map(
      (names) => new MemoryWindow(names, WINDOW, now),
    );
    for (const [count, name] of ENDPOINTS.entries()) {
      for (let request = 0; request <= count; request++) {
        expect(one?.take(1, name, 100)).toEqual({ allowed: true, remaining: 99 - request, resetSeconds: 60 });
        expect(other?.take(1, name, 100)).toEqual({
          allowed: true,
          remaining: 99 - request,
          resetSeconds: 60,
        });
      }
    }
  });

  test("have a number that fits, or there is no limiter", () => {
    expect(ENDPOINTS.length).toBe(MAX_ENDPOINTS);
    expect(() => new MemoryWindow([...ENDPOINTS, "one more"], WINDOW)).toThrow(
      "17 endpoints, where 16 have room",
    );
  });

  test("that were never listed are refused, and not counted as another", () => {
    const { limiter } = open();
    expect(() => limiter.take(1, "elsewhere", 1)).toThrow("no endpoint elsewhere");
    expect(limiter.size).toBe(0);
  });
});
