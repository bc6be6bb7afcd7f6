import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { packPlan, unpackPlan } from "../../src/exchange/packed-plan.ts";
import { planForNobody } from "../../src/store/save/batch.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

describe("a packed plan", () => {
  test("holds a batch of any records as it was", async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, async (written) => {
        const batch = await planForNobody([checkedRecord(written)]);
        expect(unpackPlan(packPlan(batch))).toEqual(batch);
      }),
    );
  });

  test("takes far less room than what is in it", async () => {
    const people = Array.from({ length: 50 }, (_, index) => checkedRecord(writtenRecord(index)));
    const batch = await planForNobody(people);
    expect(packPlan(batch).length).toBeLessThan(JSON.stringify(batch).length / 3);
  });
});
