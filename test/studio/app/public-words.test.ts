import { describe, expect, test } from "bun:test";
import { reconcile } from "../../../src/records/reconcile.ts";
import type { Draft } from "../../../src/studio/app/editing/draft.ts";
import { publicWords } from "../../../src/studio/app/editing/public-words.ts";
import { checkedRecord, writtenRecord } from "../../support/records.ts";

function draft(): Draft {
  return reconcile(checkedRecord(writtenRecord(1)), undefined, 0).record;
}

function said(record: Draft): string[] {
  return publicWords(record).map(({ lead, rest }) => `${lead} ${rest}`);
}

describe("what the public sees, in words", () => {
  test("names each value that is shown, and each that is not", () => {
    const { profile, ...rest } = draft();
    const given = (value: string, isPublic: boolean) => ({ value, isPublic });
    const bare = Object.fromEntries(
      Object.entries(profile).map(([name, field]) =>
        typeof field === "object" ? [name, { value: null, isPublic: true }] : [name, field],
      ),
    ) as unknown as Draft["profile"];
    const shown: Draft = {
      ...rest,
      jobs: rest.jobs.slice(0, 1).map((job) => ({ ...job, isPublic: false })),
      projects: [],
      education: [],
      profile: {
        ...bare,
        isPublic: true,
        name: given("Mira", true),
        url: given("https://a.example/", true),
        phone: given("1", false),
      },
    };
    expect(said(shown)).toEqual([
      "Everybody may see your name and website.",
      "Only you see your telephone and 1 job.",
    ]);
    expect(said({ ...shown, jobs: [], profile: { ...bare, isPublic: true } })).toEqual([
      "Nothing of your profile is shown yet. Press “Only you” beside what you want to show.",
    ]);
  });

  test("says first of all that a profile is private", () => {
    const record = draft();
    expect(said({ ...record, profile: { ...record.profile, isPublic: false } })).toEqual([
      "Nobody but you sees your profile. Your link trees have pages of their own.",
    ]);
  });
});
