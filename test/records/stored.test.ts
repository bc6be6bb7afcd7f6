import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compile } from "../../src/documents/compile.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { readStored } from "../../src/records/stored.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { placesOf, without, withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

function storedRecord(written: unknown = writtenRecord()): UserRecord {
  return reconcile(checkedRecord(written), undefined, Date.UTC(2026, 3, 12)).record;
}

const OPTIONAL =
  /^codehostId$|\.(?:companyUrl|listingId|role|repoUrl|institutionUrl|fieldOfStudy)$|^projects.*\.startDate$|^education.*Date$/;

describe("a stored record", () => {
  test("is read as what it was, whatever it says", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const record = storedRecord(written);
        expect(readStored(compile(record).record)).toEqual({ record });
      }),
    );
  });

  test("is read although a rule has become stricter since", () => {
    const record = withValue(storedRecord(), "linkTrees[0].slug", "Not A Slug\u200b/");
    expect(readStored(JSON.stringify(record))).toEqual({ record: record as UserRecord });
  });

  test("is no JSON wherever its text is cut off", () => {
    const text = JSON.stringify(storedRecord());
    for (let length = 0; length < text.length; length += 7)
      expect(readStored(text.slice(0, length))).toEqual({ fault: "no JSON" });
  });

  test.each(["null", "5", '"text"', "[]", "{}", "true"])("is none where it says %s", (text) => {
    expect(readStored(text)).toEqual({ fault: "no record" });
  });

  test("is none where a field is of another type, or a time is none", () => {
    const record = storedRecord();
    for (const place of placesOf(record)) {
      const wrong = { another: "type" };
      expect([place, readStored(JSON.stringify(withValue(record, place, wrong)))]).toEqual([
        place,
        { fault: "no record" },
      ]);
    }
    for (const place of ["updatedAt", "profile.updatedAt", "jobs[0].createdAt", "linkTrees[1].updatedAt"])
      expect(readStored(JSON.stringify(withValue(record, place, "yesterday")))).toEqual({
        fault: "no record",
      });
  });

  test("is none where a field is gone that is not optional", () => {
    const record = storedRecord();
    const settled = placesOf(record).filter((place) => !place.endsWith("]") && !OPTIONAL.test(place));
    for (const place of settled)
      expect([place, readStored(JSON.stringify(without(record, place)))]).toEqual([
        place,
        { fault: "no record" },
      ]);
  });
});
