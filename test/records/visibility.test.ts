import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { publicBody } from "../../src/documents/answer.ts";
import { compile } from "../../src/documents/compile.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { isShown, publicLinks, shownRecord, shownValue } from "../../src/records/visibility.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { withPrivateParts } from "../support/private-parts.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

describe("a value or a job", () => {
  test.each([
    { profile: true, part: true, shown: true },
    { profile: true, part: false, shown: false },
    { profile: false, part: true, shown: false },
    { profile: false, part: false, shown: false },
  ])(
    "with isPublic $part in a profile with isPublic $profile is shown: $shown",
    ({ profile, part, shown }) => {
      expect(isShown({ isPublic: part }, { isPublic: profile })).toBe(shown);
      const field = { isPublic: part, value: "text" };
      expect(shownValue(field, { isPublic: profile })).toBe(shown ? "text" : null);
    },
  );

  test("that is unset shows nothing", () => {
    expect(shownValue({ isPublic: true, value: null }, { isPublic: true })).toBeNull();
  });
});

describe("the addresses of /user/links", () => {
  test("follow their own flags, whatever the profile's is, in any record", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const { profile } = reconcile(checkedRecord(written), undefined, 0).record;
        for (const [field, address] of Object.entries(publicLinks(profile))) {
          expect(address).toBe(shownValue(profile[field as "url"], { isPublic: true }));
        }
        expect(publicLinks({ ...profile, isPublic: !profile.isPublic })).toEqual(publicLinks(profile));
      }),
    );
  });
});

describe("what is shown of a record", () => {
  const { record } = reconcile(checkedRecord(writtenRecord()), undefined, 0);
  const withProfile = (isPublic: boolean) => ({ ...record, profile: { ...record.profile, isPublic } });

  test("has neither the e-mail address nor any number or id of the account", () => {
    expect(Object.keys(shownRecord(record))).toEqual([
      "createdAt",
      "updatedAt",
      "profile",
      "jobs",
      "projects",
      "linkTrees",
      "education",
    ]);
  });

  test("keeps every flag, and of the values those that are public", () => {
    const { profile } = shownRecord(withProfile(true));
    expect(profile.phone).toEqual({ isPublic: false, value: null });
    for (const [name, field] of Object.entries(record.profile))
      if (typeof field === "object")
        expect<unknown>(profile[name as "name"]).toEqual(field.isPublic ? field : { ...field, value: null });
  });

  test("has the public jobs, and projects that name no other", () => {
    const shown = shownRecord(withProfile(true));
    expect(shown.jobs).toEqual(record.jobs.filter((job) => job.isPublic));
    const ids = shown.jobs.map(({ id }) => id);
    expect(shown.projects).toEqual(
      record.projects.map((project) =>
        project.jobId === null || ids.includes(project.jobId) ? project : { ...project, jobId: null },
      ),
    );
  });

  test("is nothing but flags and link trees where the profile is private", () => {
    const { profile, jobs, projects, education, linkTrees } = shownRecord(withProfile(false));
    expect({ jobs, projects, education }).toEqual({ jobs: [], projects: [], education: [] });
    expect(linkTrees).toEqual(record.linkTrees);
    for (const field of Object.values(profile)) if (typeof field === "object") expect(field.value).toBeNull();
  });

  test("does not depend on anything private, in bytes and tags, for any record", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const any = reconcile(checkedRecord(written), undefined, 0).record;
        const shownOf = (it: typeof any) => {
          const { documents } = compile(it);
          // Where in the other view the end lies that both share, no answer tells.
          const { full, shared, ...shown } = documents.public;
          const trees = documents.linkTrees.map(({ start, ...tree }) => tree);
          return { shown, etag: full.etag, body: new Uint8Array(publicBody(documents)), trees };
        };
        const jobs = any.jobs.filter((job) => isShown(job, any.profile));
        const ids = jobs.map(({ id }) => id);
        const projects = any.projects.map((project) =>
          ids.includes(project.jobId ?? "") ? project : { ...project, jobId: null },
        );
        expect(shownOf(withPrivateParts(any, "other", 1))).toEqual(shownOf(any));
        expect(shownOf({ ...any, jobs, projects })).toEqual(shownOf(any));
      }),
    );
  });
});
