import { styleText } from "node:util";
import type { LinkTree } from "../../records/record.ts";
import type { DatabaseLocation } from "../../store/database-url.ts";
import type { TreeCount } from "../../store/store.ts";
import { drawChart } from "../chart.ts";
import { withStore } from "../database.ts";
import { Misuse, noSuchTree, noSuchUser } from "../failure.ts";
import { number, oneLine, plural, print, printJson, printTable } from "../output.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_DAYS = 3660;

interface DayCounts {
  readonly day: string;
  readonly views: number;
  readonly clicks: number;
}

/** What was counted for one tree. Its clicks hold those on links that are no longer there. */
interface TreeStats {
  readonly slug: string;
  readonly title: string;
  readonly views: number;
  readonly clicks: number;
  readonly links: readonly { id: string; label: string; url: string; clicks: number }[];
  readonly days: readonly DayCounts[];
}

export async function stats(
  email: string,
  options: { database: DatabaseLocation; tree: string | undefined; days: string; json: boolean },
): Promise<void> {
  const days = lastDays(options.days);
  await withStore(options.database, async (store) => {
    const record = await store.findRecord(email);
    if (!record) throw noSuchUser(email);
    const trees = record.linkTrees.filter(({ slug }) => slug === (options.tree ?? slug));
    if (options.tree !== undefined && trees.length === 0)
      throw noSuchTree(`${options.tree} of ${record.email}`, `vitrine user show ${record.email}`);
    const counts = await store.countsSince(email, days[0] ?? "");
    const all = trees.map((tree) => statsOf(tree, counts, days));
    const totals = { views: sum(all, "views"), clicks: sum(all, "clicks") };
    const period = { from: days[0] ?? "", to: days.at(-1) ?? "" };
    if (options.json) printJson({ email: record.email, ...period, ...totals, trees: all });
    else printStats(record.email, period, totals, all);
  });
}

/** The last so many days in UTC, today included, oldest first. */
function lastDays(text: string): string[] {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MOST_DAYS) {
    throw new Misuse(
      `--days is ${JSON.stringify(text)}, but it must be a whole number from 1 to ${MOST_DAYS}`,
      "vitrine stats EMAIL --days 30",
    );
  }
  const today = Date.now();
  return Array.from({ length: count }, (_, index) =>
    new Date(today - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function statsOf(tree: LinkTree, allCounts: readonly TreeCount[], days: readonly string[]): TreeStats {
  const byDay = new Map(days.map((day) => [day, { day, views: 0, clicks: 0 }]));
  const byLink = new Map(tree.links.map(({ id }) => [id, 0]));
  for (const { treeId, linkId, day, count } of allCounts) {
    const sums = byDay.get(day);
    if (treeId !== tree.id || !sums) continue;
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
    views: sum(daily, "views"),
    clicks: sum(daily, "clicks"),
    links: tree.links.map(({ id, label, url }) => ({ id, label, url, clicks: byLink.get(id) ?? 0 })),
    days: daily,
  };
}

function sum<Name extends string>(items: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return items.reduce((total, item) => total + item[name], 0);
}

function printStats(
  email: string,
  { from, to }: { from: string; to: string },
  { views, clicks }: { views: number; clicks: number },
  trees: readonly TreeStats[],
): void {
  print(`${email}, ${from === to ? from : `${from} to ${to}`} (UTC): ${said(views, clicks)}`);
  if (trees.length === 0) print("There are no link trees.");
  for (const tree of trees) {
    print(`\n${styleText("bold", oneLine(tree.title))}  /t/${tree.slug}  ${said(tree.views, tree.clicks)}\n`);
    if (tree.views + tree.clicks > 0) {
      for (const line of drawChart(tree.days.map(({ day, views }) => ({ day, value: views })))) print(line);
      print("");
    }
    printLinks(tree);
  }
}

function printLinks({ links, clicks }: TreeStats): void {
  const gone = clicks - sum(links, "clicks");
  const rows = links.map((link) => [number(link.clicks).padStart(6), oneLine(link.label), link.url]);
  if (gone > 0) rows.push([number(gone).padStart(6), "(links that are no longer there)", ""]);
  if (rows.length === 0) print("It has no links.");
  else printTable(["CLICKS", "LINK", "URL"], rows);
}

function said(views: number, clicks: number): string {
  return `${plural(views, "view")}, ${plural(clicks, "click")}`;
}
