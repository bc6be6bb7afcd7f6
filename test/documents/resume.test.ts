import { describe, expect, test } from "bun:test";
import { schema, validate } from "@jsonresume/schema";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import * as paper from "jsonresume-theme-paper";
import * as stackoverflow from "jsonresume-theme-stackoverflow";
import { parse } from "yaml";
import { Resume } from "../../src/contract/resume.ts";
import { resumeOf } from "../../src/documents/resume.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { shownRecord } from "../../src/records/visibility.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { markedRecord, TRACES } from "../support/marked-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

function recordOf(written: unknown = writtenRecord()): UserRecord {
  return reconcile(checkedRecord(written), undefined, Date.UTC(2026, 3, 12)).record;
}

const strict = addFormats(new Ajv({ strict: false })).compile(schema);

/** What the format's own validator, and a stricter one, have to say. */
function faultsOf(resume: unknown): unknown[] {
  let own: unknown[] = [];
  validate(resume, (faults: unknown[] | null) => {
    own = faults ?? [];
  });
  strict(resume);
  return [...own, ...(strict.errors ?? [])];
}

describe("the JSON Resume of a record", () => {
  test("holds to the schema of the format and to ours, whatever the record says, in either view", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const record = recordOf(written);
        for (const resume of [resumeOf(record), resumeOf(shownRecord(record))]) {
          expect(faultsOf(JSON.parse(JSON.stringify(resume)))).toEqual([]);
          expect(Resume.safeParse(resume).error).toBeUndefined();
        }
      }),
    );
  });

  test("says what the format has a place for", () => {
    const { basics, work, education, projects } = resumeOf(recordOf());
    expect(basics).toMatchObject({
      name: "Person 1",
      email: "person1@example.com",
      location: { city: "Lisbon" },
      profiles: [
        { network: "Code host", url: "https://codehost.example/person1" },
        { network: "Social network", url: "https://social.example/person1" },
        { network: "Video", url: "https://video.example/person1" },
      ],
    });
    expect(work[0]).toEqual({
      name: "Now Ltd",
      position: "Lead",
      url: "https://now.example/",
      startDate: "2021-07-01",
      summary: "Keeps it running.",
      keywords: ["TypeScript"],
    });
    expect(education[0]).toMatchObject({ area: "Mathematics", studyType: "Master", endDate: "2018-06-30" });
    expect(projects[0]).toMatchObject({ roles: ["Maker"], url: "https://codehost.example/kite" });
  });

  test("names a network as its users do, where the address tells", () => {
    const written = writtenRecord();
    written.profile.codehostUrl.value = "https://github.com/person1";
    written.profile.videoUrl.value = "https://m.youtube.com/@person1";
    const { profiles } = resumeOf(recordOf(written)).basics;
    expect(profiles.map(({ network }) => network)).toEqual(["GitHub", "Social network", "YouTube"]);
  });

  test("has nothing private in the view of everybody", () => {
    const text = JSON.stringify(resumeOf(shownRecord(recordOf(markedRecord()))));
    expect(text).toContain("Shown Company");
    for (const trace of TRACES) expect(text).not.toContain(trace);
  });

  test.each([
    ["Paper", paper.render],
    ["Stack Overflow", stackoverflow.render],
  ])("is shown by a published theme, %s", async (_, render) => {
    const sample = await Bun.file(new URL("../../sample/profile.yaml", import.meta.url)).text();
    const page = await render(JSON.parse(JSON.stringify(resumeOf(recordOf(parse(sample))))));
    for (const shown of ["Mira Solberg", "Lead Engineer", "University of Bergen"])
      expect(page).toContain(shown);
    expect(page).not.toMatch(/undefined|Invalid date|NaN/);
  });
});
