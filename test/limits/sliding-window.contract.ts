import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SlidingWindow, Standing } from "../../src/limits/limiter.ts";
import { HandClock, seconds } from "../support/clock.ts";
import { NaiveWindow } from "./naive-window.ts";

/** A way of counting, and how to get one whose time the test moves. */
export interface WindowEngine {
  readonly name: string;
  create(windowSeconds: number, now: () => number): Promise<OpenedWindow>;
}

interface OpenedWindow extends AsyncDisposable {
  readonly window: SlidingWindow;
}

/** As many endpoints as a window in memory has room for. */
export const ENDPOINTS: readonly string[] = Array.from({ length: 16 }, (_, number) => `endpoint-${number}`);

export const anyEndpoint = fc.constantFrom(...ENDPOINTS);

const WINDOW = 60;

/** Many arrivals close to each other, some far apart, and some exactly a window later. */
const anyPause = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: seconds(20) }) },
  { weight: 1, arbitrary: fc.constantFrom(seconds(WINDOW) - 1, seconds(WINDOW), seconds(WINDOW) + 1) },
);

/** What every sliding window does, in memory and in Redis. */
export function windowSentences(engine: WindowEngine): void {
  async function open() {
    const clock = new HandClock();
    const opened = await engine.create(WINDOW, clock.now);
    return {
      clock,
      take: async (limit: number, user = 1, endpoint = "endpoint-0"): Promise<Standing> =>
        opened.window.take(user, endpoint, limit),
      look: async (limit: number, user = 1, endpoint = "endpoint-0"): Promise<Standing> =>
        opened.window.look(user, endpoint, limit),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  }

  describe(`${engine.name}: a caller`, () => {
    test("may make as many requests as the limit says, and not one more", async () => {
      await using limiter = await open();
      const standings: Standing[] = [];
      for (let count = 0; count < 4; count++) standings.push(await limiter.take(3));
      expect(standings).toEqual([
        { allowed: true, remaining: 2, resetSeconds: 60 },
        { allowed: true, remaining: 1, resetSeconds: 60 },
        { allowed: true, remaining: 0, resetSeconds: 60 },
        { allowed: false, remaining: 0, resetSeconds: 60 },
      ]);
    });

    test("who only looks is told how many are left, and is not counted", async () => {
      await using limiter = await open();
      expect(await limiter.look(2)).toEqual({ allowed: true, remaining: 2, resetSeconds: 60 });
      await limiter.take(2);
      limiter.clock.advance(seconds(10));
      for (let count = 0; count < 3; count++)
        expect(await limiter.look(2)).toEqual({ allowed: true, remaining: 1, resetSeconds: 50 });
      await limiter.take(2);
      expect(await limiter.look(2)).toEqual({ allowed: false, remaining: 0, resetSeconds: 50 });
      limiter.clock.advance(seconds(50));
      expect(await limiter.look(2)).toEqual({ allowed: true, remaining: 1, resetSeconds: 10 });
    });

    test("may make one request when the limit is one", async () => {
      await using limiter = await open();
      expect(await limiter.take(1)).toEqual({ allowed: true, remaining: 0, resetSeconds: 60 });
      expect(await limiter.take(1)).toEqual({ allowed: false, remaining: 0, resetSeconds: 60 });
      limiter.clock.advance(seconds(60));
      expect(await limiter.take(1)).toEqual({ allowed: true, remaining: 0, resetSeconds: 60 });
    });

    test("is counted apart from every other user", async () => {
      await using limiter = await open();
      await limiter.take(1, 1);
      expect((await limiter.take(1, 1)).allowed).toBe(false);
      expect((await limiter.take(1, 2)).allowed).toBe(true);
    });

    test("is counted apart at every endpoint", async () => {
      await using limiter = await open();
      for (const endpoint of ENDPOINTS) {
        expect((await limiter.take(1, 1, endpoint)).allowed).toBe(true);
        expect((await limiter.take(1, 1, endpoint)).allowed).toBe(false);
      }
      expect((await limiter.take(1, 2, ENDPOINTS[0])).allowed).toBe(true);
    });

    test("who is refused is not counted, and so is let in when the first request is a window old", async () => {
      await using limiter = await open();
      await limiter.take(2);
      limiter.clock.advance(seconds(30));
      await limiter.take(2);
      for (let count = 0; count < 29; count++) {
        limiter.clock.advance(seconds(1));
        expect((await limiter.take(2)).allowed).toBe(false);
      }
      limiter.clock.advance(seconds(1));
      expect(await limiter.take(2)).toEqual({ allowed: true, remaining: 0, resetSeconds: 30 });
      expect((await limiter.take(2)).allowed).toBe(false);
    });

    test("gets a request back exactly when it is a window old, and not a millisecond before", async () => {
      await using limiter = await open();
      await limiter.take(1);
      limiter.clock.advance(seconds(60) - 1);
      expect(await limiter.take(1)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
      limiter.clock.advance(1);
      expect((await limiter.take(1)).allowed).toBe(true);
    });

    test("gets requests back one by one, as they age, and not all at once", async () => {
      await using limiter = await open();
      for (let count = 0; count < 3; count++) {
        await limiter.take(3);
        limiter.clock.advance(seconds(10));
      }
      limiter.clock.advance(seconds(30));
      expect(await limiter.take(3)).toEqual({ allowed: true, remaining: 0, resetSeconds: 10 });
      expect(await limiter.take(3)).toEqual({ allowed: false, remaining: 0, resetSeconds: 10 });
      limiter.clock.advance(seconds(10));
      expect(await limiter.take(3)).toEqual({ allowed: true, remaining: 0, resetSeconds: 10 });
    });

    test("who was away for long starts afresh", async () => {
      await using limiter = await open();
      for (let count = 0; count < 5; count++) await limiter.take(5);
      limiter.clock.advance(seconds(3600));
      expect(await limiter.take(5)).toEqual({ allowed: true, remaining: 4, resetSeconds: 60 });
    });

    test("can always do what the answer says: wait those seconds, and be let in", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 5 }),
          fc.array(anyPause, { maxLength: 20, size: "max" }),
          async (limit, pauses) => {
            await using limiter = await open();
            for (const pause of pauses) {
              limiter.clock.advance(pause);
              await limiter.take(limit);
            }
            let standing = await limiter.take(limit);
            while (standing.remaining > 0) standing = await limiter.take(limit);
            expect(standing.resetSeconds).toBeGreaterThan(0);
            expect(standing.resetSeconds).toBeLessThanOrEqual(WINDOW);
            limiter.clock.advance(seconds(standing.resetSeconds));
            expect((await limiter.take(limit)).allowed).toBe(true);
          },
        ),
        { numRuns: 50 },
      );
    });
  });

  describe(`${engine.name}: whatever the arrival times`, () => {
    test("never more than the limit is let in within any window", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 6 }),
          fc.array(anyPause, { minLength: 10, maxLength: 120, size: "max" }),
          async (limit, pauses) => {
            await using limiter = await open();
            const accepted: number[] = [];
            for (const pause of pauses) {
              limiter.clock.advance(pause);
              if ((await limiter.take(limit)).allowed) accepted.push(limiter.clock.now());
            }
            for (const [index, time] of accepted.entries()) {
              const overfull = accepted[index + limit];
              if (overfull !== undefined) expect(overfull - time).toBeGreaterThanOrEqual(seconds(WINDOW));
            }
          },
        ),
        { numRuns: 100 },
      );
    });

    test("several callers at several endpoints stand as a list of their times says", async () => {
      const anyRequest = fc.record({
        pause: anyPause,
        user: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(2 ** 31, 2 ** 40)),
        endpoint: anyEndpoint,
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyRequest, { minLength: 20, maxLength: 200, size: "max" }),
          async (requests) => {
            await using limiter = await open();
            const model = new NaiveWindow(WINDOW);
            for (const { pause, user, endpoint } of requests) {
              limiter.clock.advance(pause);
              const limit = endpoint === "endpoint-0" ? 2 : 3;
              expect(await limiter.take(limit, user, endpoint)).toEqual(
                model.take(user, endpoint, limit, limiter.clock.now()),
              );
            }
          },
        ),
        { numRuns: 50 },
      );
    });
  });
}
