import { describe, expect, test } from "bun:test";
import { answered } from "../../src/exchange/waiting.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";

const IMPATIENT = { tellMs: 5, maxMs: 50, tickMs: 5 };

describe("a step of the database", () => {
  test("that is quick is waited for without a word", async () => {
    const said: number[] = [];
    expect(await answered(Promise.resolve("done"), (seconds) => said.push(seconds))).toBe("done");
    expect(said).toEqual([]);
  });

  test("that never ends is told of, and then given up", async () => {
    const said: number[] = [];
    const never = new Promise<never>(() => {});
    const failure = await answered(never, (seconds) => said.push(seconds), IMPATIENT).catch((error) => error);
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect((failure as Error).message).toBe("the database gave no answer within 0.05 s");
    expect(said.length).toBeGreaterThan(0);
  });

  test("that fails fails as it did", async () => {
    const failing = Promise.reject(new Error("its own words"));
    expect(answered(failing, () => {}, IMPATIENT)).rejects.toThrow("its own words");
  });
});
