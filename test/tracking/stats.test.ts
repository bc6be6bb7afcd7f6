import { describe, expect, test } from "bun:test";
import { reconcile } from "../../src/records/reconcile.ts";
import { daysUntil, statsOf } from "../../src/tracking/stats.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

const NOW = Date.parse("2026-03-01T00:30:00.000Z");
const { linkTrees } = reconcile(checkedRecord(writtenRecord(1)), undefined, NOW).record;
const [tree, other] = linkTrees;
const [link] = tree?.links ?? [];
if (!tree || !other || !link) throw new Error("the record has two trees, and the first one has links");

function count(day: string, linkId: string, count: number, treeId = tree?.id ?? "") {
  return { treeId, linkId, day, count };
}

describe("the days of a period", () => {
  test("end with today in UTC, across the end of a month", () => {
    expect(daysUntil(NOW, 3)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  });

  test("of the period before end on the day before it", () => {
    const period = daysUntil(NOW, 7);
    const before = daysUntil(Date.parse(period[0] ?? "") - 1, 7);
    expect(before.at(-1)).toBe("2026-02-22");
    expect(daysUntil(NOW, 14)).toEqual([...before, ...period]);
  });
});

describe("what an owner is told", () => {
  const counts = [
    count("2026-02-27", "", 5),
    count("2026-02-28", "", 10),
    count("2026-02-28", link.id, 3),
    count("2026-03-01", link.id, 1),
    count("2026-03-01", "gone", 2),
    count("2026-03-01", "", 7, other.id),
    count("2026-03-01", "", 1000, "of a tree that is no longer there"),
  ];

  test("is each tree's views, and the clicks on each link, day by day", () => {
    const { trees } = statsOf(linkTrees, counts, daysUntil(NOW, 2));
    expect(trees[0]).toEqual({
      slug: tree.slug,
      title: tree.title,
      views: 10,
      clicks: 6,
      links: tree.links.map(({ id, label, url }) => ({ id, label, url, clicks: id === link.id ? 4 : 0 })),
      days: [
        { day: "2026-02-28", views: 10, clicks: 3 },
        { day: "2026-03-01", views: 0, clicks: 3 },
      ],
    });
    expect(trees[1]).toMatchObject({ slug: other.slug, views: 7, clicks: 0 });
  });

  test("adds up to the totals of these trees and these days alone", () => {
    expect(statsOf(linkTrees, counts, daysUntil(NOW, 2))).toMatchObject({ views: 17, clicks: 6 });
    expect(statsOf(linkTrees, counts, ["2026-02-27"])).toMatchObject({ views: 5, clicks: 0 });
    expect(statsOf([other], counts, daysUntil(NOW, 2))).toMatchObject({ views: 7, clicks: 0 });
    expect(statsOf([], counts, daysUntil(NOW, 2))).toEqual({ views: 0, clicks: 0, trees: [] });
  });
});
