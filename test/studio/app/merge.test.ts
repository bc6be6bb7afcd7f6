import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Draft, draftOf } from "../../../src/studio/app/editing/draft.ts";
import { merge, type Side } from "../../../src/studio/app/editing/merge.ts";
import { isSame, withValue } from "../../../src/studio/app/editing/paths.ts";

interface Link {
  readonly id: string;
  readonly label: string;
}

function tree(title: string, ...labels: string[]) {
  return { title, updatedAt: title, links: labels.map((label): Link => ({ id: label.charAt(0), label })) };
}

const link = fc.record({ id: fc.constantFrom(..."abcdefgh"), label: fc.string({ maxLength: 3 }) });

const record = fc.record({
  title: fc.string({ maxLength: 3 }),
  isPublic: fc.boolean(),
  technologies: fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 }),
  links: fc.uniqueArray(link, { selector: ({ id }) => id, maxLength: 8 }),
});

describe("merging two versions that began from one", () => {
  test("keeps what each of them changed, where these are different places", () => {
    const merged = merge(
      tree("Find me", "a1", "b1", "c1"),
      tree("Find me here", "a1", "b1", "c1"),
      tree("Find me", "a1", "b2", "c1"),
    );
    expect(merged.whole).toMatchObject({ title: "Find me here", links: tree("", "a1", "b2", "c1").links });
    expect(merged.clashes).toEqual([]);
    expect(merged.fromThem).toEqual([["Links", "b1", "Label"]]);
  });

  test("keeps links that either added, and leaves out those that either removed", () => {
    const { whole, clashes } = merge(
      tree("t", "a", "b", "c"),
      tree("t", "a", "x", "b"),
      tree("t", "b", "c", "y"),
    );
    expect(whole.links.map(({ label }) => label).toSorted()).toEqual(["b", "x", "y"]);
    expect(clashes).toEqual([]);
  });

  test("keeps the order of whoever moved something", () => {
    const order = (one: string[], other: string[]) =>
      merge(tree("t", "a", "b", "c"), tree("t", ...one), tree("t", ...other))
        .whole.links.map(({ id }) => id)
        .join("");
    expect(order(["c", "a", "b"], ["a", "b", "c"])).toBe("cab");
    expect(order(["a", "b", "c"], ["c", "a", "b"])).toBe("cab");
    expect(order(["c", "a", "b"], ["a", "b", "c", "d"])).toBe("cdab");
  });

  test("tells that they moved links, and asks where both did so differently", () => {
    const order = (one: string, other: string, choices?: ReadonlyMap<string, Side>) =>
      merge(tree("t", ..."abc"), tree("t", ...one), tree("t", ...other), choices);
    expect(order("abc", "cab").fromThem).toEqual([["Links", "Order"]]);
    expect(order("cab", "cab")).toMatchObject({ clashes: [], fromThem: [] });
    const { whole, clashes, fromThem } = order("cab", "bac");
    expect(whole.links.map(({ id }) => id).join("")).toBe("cab");
    expect(fromThem).toEqual([]);
    expect(clashes).toEqual([
      { key: "/links order", where: ["Links", "Order"], mine: ["c", "a", "b"], theirs: ["b", "a", "c"] },
    ]);
    const chosen = order("cab", "bac", new Map([["/links order", "theirs"]]));
    expect(chosen.whole.links.map(({ id }) => id).join("")).toBe("bac");
  });

  test("tells nothing of an order that is the server's", () => {
    const [one, other] = ["one", "other"].map((title) => ({ id: title, title }));
    expect(merge({ jobs: [one, other] }, { jobs: [one, other] }, { jobs: [other, one] })).toMatchObject({
      whole: { jobs: [other, one] },
      fromThem: [],
    });
  });

  test("asks where both changed the same, and takes mine until somebody chooses", () => {
    const versions = [tree("was", "a1"), tree("mine", "a1"), tree("theirs", "a1")] as const;
    const { whole, clashes } = merge(...versions);
    expect(whole.title).toBe("mine");
    expect(clashes).toEqual([{ key: "/title", where: ["Title"], mine: "mine", theirs: "theirs" }]);
    expect(merge(...versions, new Map([["/title", "theirs"]])).whole.title).toBe("theirs");
  });

  test("asks where one removed what the other changed", () => {
    const { clashes } = merge(tree("t", "a1"), tree("t"), tree("t", "a2"));
    expect(clashes).toEqual([
      { key: "/links/a", where: ["Links", "a2"], mine: undefined, theirs: { id: "a", label: "a2" } },
    ]);
  });

  test("knows a project or a place of study by its other name, and keeps what the other changed in it", () => {
    const draft = (title: string, role: string, institution: string, earlier?: Draft) => {
      const [projects, education] = [
        [{ title, role }],
        [{ institution, studyLevel: "MASTER", fieldOfStudy: role }],
      ];
      return draftOf({ projects, education } as unknown as Draft, earlier);
    };
    const base = draft("Kite", "Maker", "MIT");
    const mine = withValue(
      withValue(base, ["projects", 0, "role"], "Lead"),
      ["education", 0, "fieldOfStudy"],
      "Art",
    );
    const { whole, clashes, fromThem } = merge(base, mine as Draft, draft("Kites", "Maker", "ETH", base));
    expect(whole).toMatchObject({
      projects: [{ title: "Kites", role: "Lead" }],
      education: [{ institution: "ETH", fieldOfStudy: "Art" }],
    });
    expect(clashes).toEqual([]);
    expect(fromThem).toEqual([
      ["Projects", "Kite", "Title"],
      ["Education", "MIT", "Institution"],
    ]);
  });

  test("takes what the server sets from whoever saved last", () => {
    expect(merge(tree("was"), tree("was"), { ...tree("was"), updatedAt: "later" })).toMatchObject({
      whole: { updatedAt: "later" },
      fromThem: [],
    });
  });

  test("is the other version where one of the two changed nothing", () => {
    fc.assert(
      fc.property(record, record, (base, changed) => {
        const [mine, theirs] = [merge(base, changed, base), merge(base, base, changed)];
        expect(isSame(mine.whole, changed)).toBe(true);
        expect(isSame(theirs.whole, changed)).toBe(true);
        expect([...mine.clashes, ...theirs.clashes]).toEqual([]);
      }),
    );
  });

  test("never loses a text that only one of them wrote", () => {
    fc.assert(
      fc.property(record, record, record, (base, mine, theirs) => {
        const { whole, clashes } = merge(base, mine, theirs);
        const kept = JSON.stringify([whole, clashes]);
        for (const version of [mine, theirs])
          for (const { id, label } of version.links) {
            const isNew = !base.links.some((one) => one.id === id && one.label === label);
            if (isNew) expect(kept).toContain(JSON.stringify(label));
          }
      }),
    );
  });
});
