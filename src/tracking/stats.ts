import { DAY_MS } from "../records/days.ts";
import type { LinkTree } from "../records/record.ts";
import type { TreeCount } from "../store/store.ts";

export interface Totals {
  readonly views: number;
  readonly clicks: number;
}

interface DayStats extends Totals {
  /** Such as 2026-04-12, in UTC. */
  readonly day: string;
}

interface LinkStats {
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly clicks: number;
}

/** What was counted for one tree. Its clicks hold those on links that are no longer there. */
export interface TreeStats extends Totals {
  readonly slug: string;
  readonly title: string;
  readonly links: readonly LinkStats[];
  readonly days: readonly DayStats[];
}

/** What an owner is told about some link trees. */
export interface Stats extends Totals {
  readonly trees: readonly TreeStats[];
}

/** The days of a period in UTC, oldest first. The last one is that of the instant. */
export function daysUntil(instant: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(instant - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** What was counted for these trees on these days. Counts of other trees and days are passed over. */
export function statsOf(
  trees: readonly LinkTree[],
  counts: readonly TreeCount[],
  days: readonly string[],
): Stats {
  const byTree = Map.groupBy(counts, ({ treeId }) => treeId);
  const all = trees.map((tree) => treeStatsOf(tree, byTree.get(tree.id) ?? [], days));
  return { ...totalsOf(all), trees: all };
}

function treeStatsOf(tree: LinkTree, counts: readonly TreeCount[], days: readonly string[]): TreeStats {
  const byDay = new Map(days.map((day) => [day, { day, views: 0, clicks: 0 }]));
  const byLink = new Map<string, number>();
  for (const { linkId, day, count } of counts) {
    const sums = byDay.get(day);
    if (!sums) continue;
    if (linkId === "") sums.views += count;
    else {
      sums.clicks += count;
      byLink.set(linkId, (byLink.get(linkId) ?? 0) + count);
    }
  }
  const daily = [...byDay.values()];
  return {
    slug: tree.slug,
    title: tree.title,
    ...totalsOf(daily),
    links: tree.links.map(({ id, label, url }) => ({ id, label, url, clicks: byLink.get(id) ?? 0 })),
    days: daily,
  };
}

function totalsOf(items: readonly Totals[]): Totals {
  let [views, clicks] = [0, 0];
  for (const item of items) {
    views += item.views;
    clicks += item.clicks;
  }
  return { views, clicks };
}
