import { describe, expect, test } from "bun:test";
import { withDeadline } from "../../src/async/maybe-promise.ts";

/** What takes two turns with somebody outside, as a transaction does. */
async function twoTurns(): Promise<number> {
  const first = await Bun.spawn(["true"]).exited;
  return first + (await Bun.spawn(["true"]).exited);
}

describe("a deadline", () => {
  test("fails what takes longer", async () => {
    const never = new Promise<never>(() => {});
    await expect((async () => withDeadline(never, 10))()).rejects.toThrow("no answer within 10 ms");
  });

  test("does not count the time in which the process itself stood still", async () => {
    const answer = withDeadline(twoTurns(), 1000);
    Bun.sleepSync(1300);
    expect(await answer).toBe(0);
  });
});
