import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { quickCheckOf } from "../../src/records/quick-check.ts";
import { RecordSchema } from "../../src/records/schema.ts";
import { anyMutatedRecord, anyRecord } from "../support/arbitraries.ts";
import { placesOf, withValue } from "../support/edit-record.ts";
import { writtenRecord } from "../support/records.ts";

const quickCheck = quickCheckOf(RecordSchema);

/** Equal down to the order of fields, which is that of the texts that are stored. */
function expectSame(quick: unknown, value: unknown): void {
  const { data } = RecordSchema.safeParse(value);
  expect(quick).toEqual(data);
  expect(JSON.stringify(quick)).toBe(JSON.stringify(data));
}

describe("the quick check of a record", () => {
  test("takes any good record, for what the schema takes it", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const quick = quickCheck(written);
        expect(quick).toBeDefined();
        expectSame(quick, written);
      }),
    );
  });

  test("takes of anything else only what the schema takes as well", () => {
    fc.assert(
      fc.property(anyMutatedRecord, ({ record }) => {
        const quick = quickCheck(record);
        if (quick !== undefined) expectSame(quick, record);
        else expect(RecordSchema.safeParse(record).success).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test("leaves to the schema whatever has a wrong type, wherever it is", () => {
    const written = writtenRecord();
    for (const place of placesOf(written)) {
      for (const wrong of [undefined, Symbol("wrong"), () => {}, [[]], { __proto__: null }, Number.NaN])
        expect([place, quickCheck(withValue(written, place, wrong))]).toEqual([place, undefined]);
    }
  });

  test("is not fooled by a good record that comes after a bad one", () => {
    expect(quickCheck(withValue(writtenRecord(), "email", "nobody"))).toBeUndefined();
    expect(quickCheck(writtenRecord())).toBeDefined();
  });

  test("leaves the value as it is", () => {
    const written = writtenRecord();
    quickCheck(written);
    expect(written).toEqual(writtenRecord());
  });
});

describe("a quick check", () => {
  test.each([
    ["a number", z.number().max(5), 4, 6],
    ["a string of a format", z.iso.date(), "2026-04-12", "yesterday"],
    ["an object that takes other fields", z.object({ a: z.string() }), { a: "", b: 1 }, { a: 1 }],
    ["a union", z.union([z.string(), z.int()]), 1, 1.5],
    ["a pipe", z.string().pipe(z.literal("a")), "a", "b"],
    ["a transformation that may refuse", z.preprocess(refuseZero, z.int()), 1, 0],
  ])("asks the schema where it knows no short cut: %s", (_name, schema: z.ZodType, good, bad) => {
    expect(quickCheckOf(schema)(good)).toEqual(schema.parse(good));
    expect(quickCheckOf(schema)(bad)).toBeUndefined();
  });

  const atLeastTwo = (value: unknown) => String(value ?? "").length > 1;

  test.each([
    ["a text", z.string().refine(atLeastTwo), "ab", "a"],
    ["what can be null", z.string().nullable().refine(atLeastTwo), "ab", null],
    [
      "what can be left out",
      z.strictObject({ a: z.string().optional().refine(atLeastTwo) }),
      { a: "ab" },
      {},
    ],
    ["what comes of a pipe", z.preprocess(String, z.string()).refine(atLeastTwo), 12, 1],
    ["a list", z.array(z.boolean()).refine((list) => list.length > 1), [true, false], [true]],
  ])("keeps to the rules of %s", (_name, schema: z.ZodType, good, bad) => {
    expect(quickCheckOf(schema)(good)).toEqual(schema.parse(good));
    expect(quickCheckOf(schema)(bad)).toBeUndefined();
  });

  test("leaves out a rule that does not apply", () => {
    const schema = z.string().refine(() => false, { when: ({ value }) => value !== "a" });
    expect([quickCheckOf(schema)("a"), schema.parse("a")]).toEqual(["a", "a"]);
    expect(quickCheckOf(schema)("b")).toBeUndefined();
  });
});

function refuseZero(value: unknown, context: z.RefinementCtx): unknown {
  if (value === 0) context.addIssue("must not be zero");
  return value;
}
