import { describe, expect, test } from "bun:test";
import { isSame, valueAt, withValue } from "../../../src/studio/app/editing/paths.ts";

const RECORD = { profile: { name: "Mira", phone: "1" }, trees: [{ links: [{ url: "a" }] }, { links: [] }] };

describe("a value in a record", () => {
  test("is found by its path, and is nothing where the path leads nowhere", () => {
    expect(valueAt(RECORD, ["trees", 0, "links", 0, "url"])).toBe("a");
    expect(valueAt(RECORD, ["trees", 7, "links", 0, "url"])).toBeUndefined();
  });

  test("is set without touching the record, and shares with it all that is beside the way", () => {
    const changed = withValue(RECORD, ["trees", 0, "links", 0, "url"], "b");
    expect(changed.trees[0]?.links).toEqual([{ url: "b" }]);
    expect(RECORD.trees[0]?.links).toEqual([{ url: "a" }]);
    expect(changed.profile).toBe(RECORD.profile);
    expect(changed.trees[1]).toBe(RECORD.trees[1]);
  });

  test("is left out when it is set to nothing, which is the same as never having been there", () => {
    const changed = withValue(RECORD, ["profile", "phone"], undefined);
    expect(Object.keys(changed.profile)).toEqual(["name"]);
    expect(isSame(changed, { ...RECORD, profile: { name: "Mira", phone: undefined } })).toBe(true);
    expect(isSame(changed, RECORD)).toBe(false);
  });
});
