import { describe, expect, test } from "bun:test";
import { bytesOfFile } from "../../src/exchange/bytes.ts";
import { Crew } from "../../src/exchange/crew.ts";
import { partsOf } from "../../src/exchange/parts.ts";
import type { Plan } from "../../src/exchange/plan-part.ts";
import { answered } from "../../src/exchange/waiting.ts";
import { planForNobody } from "../../src/store/save/batch.ts";
import { StoreUnavailable } from "../../src/store/unavailable.ts";
import { ndjson } from "../support/command-line.ts";
import { writtenRecord } from "../support/records.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

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

  test("is not given up because the process itself stood still", async () => {
    const step = answered(
      Bun.sleep(20).then(() => "done"),
      () => {},
      IMPATIENT,
    );
    Bun.sleepSync(2 * IMPATIENT.maxMs);
    expect(await step).toBe("done");
  });

  test("that fails fails as it did", async () => {
    const failing = Promise.reject(new Error("its own words"));
    expect(answered(failing, () => {}, IMPATIENT)).rejects.toThrow("its own words");
  });
});

describe("what is planned of a file", () => {
  async function planned(plan: Plan, sourceTakesMs = 0): Promise<number> {
    using folder = new TemporaryFolder();
    const name = folder.file("people.ndjson");
    await Bun.write(name, ndjson([writtenRecord(1)]));
    using crew = new Crew({
      database: undefined,
      isDryRun: true,
      plan,
      wait: (step) => answered(step, () => {}, IMPATIENT),
    });
    const parts = async function* () {
      await Bun.sleep(sourceTakesMs);
      yield* partsOf({ name, content: bytesOfFile(name) });
    };
    let count = 0;
    for await (const { result } of crew.planAll(parts())) count += result.count;
    return count;
  }

  test("is waited for, however long the file itself takes to come through a pipe", async () => {
    expect(await planned(planForNobody, 2 * IMPATIENT.maxMs)).toBe(1);
  });

  test("is given up where the database never answers", async () => {
    expect(planned(() => new Promise<never>(() => {}))).rejects.toThrow(StoreUnavailable);
  });
});
