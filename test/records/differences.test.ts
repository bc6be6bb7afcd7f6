import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { differencesBetween } from "../../src/records/differences.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

const record = reconcile(checkedRecord(writtenRecord()), undefined, 0).record;

function messages(place: string, value: unknown): string[] {
  const changed = withValue(writtenRecord(), place, value);
  const after = reconcile(checkedRecord(changed), record, 1000).record;
  return differencesBetween(record, after).map(({ message }) => message);
}

describe("what differs between two records", () => {
  test.each([
    ["email", "new@example.com", "e-mail address changed"],
    ["profile.isPublic", false, "profile made private"],
    ["profile.slug", "new", "profile's slug changed"],
    ["profile.phone.isPublic", true, "phone made public"],
    ["profile.url.value", null, "web site removed"],
    ["profile.microblogUrl.value", "https://blog.example/", "microblog address added"],
    ["jobs", [], "jobs: 2 removed"],
    ["jobs[0].title", "Boss", "jobs: 1 changed"],
  ])("is told in a line: %s", (place, value, message) => {
    expect(messages(place, value)).toContain(message);
  });

  test("is told of link trees by their titles, and of links by how many", () => {
    const [tree] = writtenRecord().linkTrees;
    const links = [...(tree?.links ?? [])].reverse();
    expect(messages("linkTrees[0].links", links)).toEqual([
      `link tree “${tree?.title}”: links in another order`,
    ]);
    const more = [{ label: "More", url: "https://more.example/" }, ...(tree?.links.slice(1) ?? [])];
    expect(messages("linkTrees[0].links", more)).toEqual([
      `link tree “${tree?.title}”: 1 link added, 1 removed`,
    ]);
    expect(messages("linkTrees[0].links", [])).toEqual([`link tree “${tree?.title}”: 2 links removed`]);
    expect(messages("linkTrees[0].title", "New")).toEqual(["link tree “New”: title changed"]);
    expect(messages("linkTrees[0].title", "")).toEqual([`link tree “${tree?.slug}”: title changed`]);
    expect(messages("linkTrees[0].hasPage", false)).toEqual([`link tree “${tree?.title}”: page turned off`]);
  });

  test("is nothing where nothing changed, and something where anything did", () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, (one, other) => {
        const before = reconcile(checkedRecord(one), undefined, 0).record;
        expect(differencesBetween(before, structuredClone(before))).toEqual([]);
        const input = { ...checkedRecord(other), id: before.id, jobs: [], projects: [] };
        const { record: after, changed } = reconcile(input, before, 1000);
        expect(differencesBetween(before, after).length > 0).toBe(changed);
      }),
      { numRuns: 50 },
    );
  });
});
