import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type FullUser, type PublicUser, publicProfile } from "../../client/src/index.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { isShown, shownRecord, shownValue } from "../../src/records/visibility.ts";
import { answersOf } from "../support/answers.ts";
import { anyPlainRecord, anyRecord } from "../support/arbitraries.ts";
import { fullUserOf, markedRecord, TRACES } from "../support/marked-record.ts";
import { checkedRecord } from "../support/records.ts";

describe("what may be shown of a record", () => {
  const full = fullUserOf(markedRecord());

  test("has nothing of what is private", () => {
    for (const trace of TRACES) {
      expect(JSON.stringify(full)).toContain(trace);
      expect(JSON.stringify(publicProfile(full))).not.toContain(trace);
    }
  });

  test("has everything else", () => {
    const { jobId, ...project } = { ...full.projects[0] };
    const { createdAt, updatedAt, userId, isPublic, listingId, ...job } = { ...full.jobs[0] };
    expect<unknown>(publicProfile(full)).toEqual({
      profile: {
        slug: "shown",
        name: "Shown Name",
        avatarUrl: "https://shown.example/me.jpg",
        phone: null,
        url: null,
        summary: "A summary for everybody.",
        location: null,
        codehostUrl: null,
        socialnetworkUrl: null,
        microblogUrl: null,
        professionalnetworkUrl: null,
        videoUrl: null,
      },
      jobs: [job],
      projects: [project],
      linkTrees: full.linkTrees,
      education: full.education,
    });
  });

  test("is nothing where the profile as a whole is private", () => {
    expect(publicProfile(fullUserOf(markedRecord({ isPublic: false })))).toBeNull();
  });

  test("leaves out what a later server may add", () => {
    const later = structuredClone(full) as unknown as Record<string, unknown>;
    const addTo = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      for (const inner of Object.values(value)) addTo(inner);
      if (!Array.isArray(value)) Object.assign(value, { later: "an addition" });
    };
    addTo(later);
    expect(publicProfile(later as never)).toEqual(publicProfile(full));
  });

  test("takes only true for public", () => {
    const odd = structuredClone(full);
    odd.profile.name.isPublic = "no" as never;
    for (const job of odd.jobs) job.isPublic = 1 as never;
    expect(publicProfile(odd)).toMatchObject({ profile: { name: null }, jobs: [] });
    odd.profile.isPublic = undefined as never;
    expect(publicProfile(odd)).toBeNull();
  });

  test("is, for any record, each value whose flag is set, and each job whose flag is", () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const any = fullUserOf(record);
        const shown = publicProfile(any);
        expect(shown !== null).toBe(any.profile.isPublic);
        if (!shown) return;
        const { slug, ...fields } = shown.profile;
        for (const [field, value] of Object.entries(fields)) {
          const given = any.profile[field as keyof typeof fields];
          expect(value).toBe(given.isPublic ? given.value : null);
        }
        const visible = any.jobs
          .filter((job) => job.isPublic)
          .map(({ title, startDate }) => ({ title, startDate }));
        expect(shown.jobs).toMatchObject(visible);
        expect(shown.jobs).toHaveLength(visible.length);
      }),
    );
  });

  test("is, for any record, what the server's own rule shows", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const now = Date.now();
        const { profile, jobs } = reconcile(checkedRecord(written), undefined, now).record;
        const { updatedAt, isPublic, slug, language, ...fields } = profile;
        const values = Object.entries(fields).map(([name, field]) => [name, shownValue(field, profile)]);
        const shownJobs = jobs.filter((job) => isShown(job, profile));

        const shown = publicProfile(fullUserOf(written, now));
        if (shown) {
          expect<unknown>(shown.profile).toEqual({ slug, ...Object.fromEntries(values) });
          expect<unknown>(shownJobs).toMatchObject(shown.jobs);
          expect(shownJobs).toHaveLength(shown.jobs.length);
        } else {
          expect(values.filter(([, value]) => value !== null)).toEqual([]);
          expect(shownJobs).toEqual([]);
        }
      }),
    );
  });

  test("is, for any record, the same of what a key of the public view gets", () => {
    fc.assert(
      fc.property(anyPlainRecord, (written) => {
        const { record } = reconcile(checkedRecord(written), undefined, Date.now());
        const full = publicProfile(answersOf(record).byKind.full.json as FullUser);
        const shown = answersOf(record, "public").byKind.full.json as PublicUser;
        expect(publicProfile(shown)).toEqual(full);
        expect<unknown>(shownRecord(record).profile).toEqual(shown.profile);
      }),
    );
  });
});
