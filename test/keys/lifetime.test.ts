import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { KeyEnded, keyStatus, rotationOf, timestampOf } from "../../src/keys/lifetime.ts";
import { HandClock } from "../support/clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function lifetime(createdAt: number, expiresAt: number | null, revokedAt: number | null = null) {
  return { createdAt, expiresAt, revokedAt };
}

describe("a key", () => {
  test("is active until the moment it expires, and expired from then on", () => {
    const clock = new HandClock();
    const key = lifetime(clock.now(), clock.now() + HOUR);
    clock.advance(HOUR - 1);
    expect(keyStatus(key, clock.now())).toBe("active");
    clock.advance(1);
    expect(keyStatus(key, clock.now())).toBe("expired");
  });

  test("without an expiry is active for good", () => {
    const clock = new HandClock();
    const key = lifetime(clock.now(), null);
    clock.advance(5000 * 365 * DAY);
    expect(keyStatus(key, clock.now())).toBe("active");
  });

  test("that was revoked is revoked, also after it would have expired", () => {
    const clock = new HandClock();
    const key = lifetime(clock.now(), clock.now() + HOUR, clock.now());
    expect(keyStatus(key, clock.now())).toBe("revoked");
    clock.advance(DAY);
    expect(keyStatus(key, clock.now())).toBe("revoked");
  });
});

describe("a rotated key", () => {
  test("gets a whole life, also late in the life of the old one", () => {
    const clock = new HandClock();
    const old = lifetime(clock.now(), clock.now() + 90 * DAY);
    clock.advance(90 * DAY - 1);
    expect(rotationOf(old, HOUR, clock.now()).expiresAt).toBe(clock.now() + 90 * DAY);
  });

  test("lives for good where the old one would have", () => {
    const { now } = new HandClock();
    expect(rotationOf(lifetime(now(), null), HOUR, now()).expiresAt).toBeNull();
  });

  test("leaves the old one its grace, and no more than it had", () => {
    const { now } = new HandClock();
    const ends = (expiresAt: number | null) =>
      rotationOf(lifetime(now(), expiresAt), DAY, now()).oldExpiresAt;
    expect(ends(null)).toBe(now() + DAY);
    expect(ends(now() + 90 * DAY)).toBe(now() + DAY);
    expect(ends(now() + HOUR)).toBe(now() + HOUR);
  });

  test.each(["revoked", "expired"] as const)("is not made of one that is %s", (status) => {
    const { now } = new HandClock();
    const old = status === "revoked" ? lifetime(now(), null, now()) : lifetime(now() - DAY, now());
    expect(() => rotationOf(old, DAY, now())).toThrow(new KeyEnded(status));
  });

  test("ends with the year 9999 at the latest, however often it is rotated", () => {
    const { now } = new HandClock();
    let { expiresAt } = rotationOf(lifetime(now(), now() + 999_999 * 7 * DAY), 0, now());
    for (let times = 0; times < 3; times++)
      ({ expiresAt } = rotationOf(lifetime(now(), expiresAt), 0, now()));
    expect(timestampOf(expiresAt ?? 0)).toBe("9999-12-31T23:59:59.999Z");
  });
});

describe("the time of a key as text", () => {
  test("has four digits for the year, whatever number a database holds", () => {
    const anyStored = fc.oneof(
      fc.maxSafeInteger(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(Number),
    );
    fc.assert(
      fc.property(anyStored, (instant) => {
        expect(timestampOf(instant)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }),
    );
  });
});
