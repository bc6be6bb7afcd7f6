import { describe, expect, test } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import fc from "fast-check";
import { recordSchemaText } from "../../scripts/record-schema.ts";
import { RECORD_SCHEMA_FILE } from "../../src/contract/record-schema.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { without, withValue } from "../support/edit-record.ts";
import { writtenRecord } from "../support/records.ts";

const accepts = new Ajv({ strict: false }).compile(JSON.parse(recordSchemaText()) as object);

describe("the JSON Schema of a record", () => {
  test("is the one that is kept: `npm run schema` writes it", async () => {
    expect(await Bun.file(RECORD_SCHEMA_FILE).text()).toBe(recordSchemaText());
  });

  test("takes any good record", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        accepts(written);
        expect(accepts.errors).toBeNull();
      }),
    );
  });

  test.each([
    ["a field that is not known", withValue(writtenRecord(), "linktrees", [])],
    ["a value without its flag", withValue(writtenRecord(), "profile.name", "Ada")],
    ["a number for a text", withValue(writtenRecord(), "jobs[0].startDate", 1842)],
    ["a study level that there is not", withValue(writtenRecord(), "education[0].studyLevel", "Masters")],
    ["an address of another kind", withValue(writtenRecord(), "projects[0].repoUrl", "javascript:alert(1)")],
    ["what is needed and left out", without(writtenRecord(), "linkTrees[0].slug")],
    ["null where that is no value", withValue(writtenRecord(), "jobs[0].title", null)],
  ])("refuses %s", (_, record) => {
    expect(accepts(record)).toBe(false);
  });
});
