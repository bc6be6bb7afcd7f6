import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { publicProfile } from "../../client/src/index.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { fullUserOf, markedRecord, TRACES } from "../support/marked-record.ts";

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
});
