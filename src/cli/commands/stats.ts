import { daysUntil, type Stats, statsOf, type Totals, type TreeStats } from "../../tracking/stats.ts";
import { drawChart } from "../chart.ts";
import { type DatabaseOption, withReadOnlyStore } from "../database.ts";
import { Misuse, noSuchTree, noSuchUser } from "../failure.ts";
import { number, oneLine, plural, print, printJson, printLines, printTable, styled } from "../output.ts";
import { shellWord } from "../shell-quotes.ts";

const MAX_DAYS = 3660;

export async function stats(
  email: string,
  options: DatabaseOption & { tree?: string; days: string; json?: true },
): Promise<void> {
  const days = daysUntil(Date.now(), parseDays(options.days));
  const [from = "", to = from] = [days[0], days.at(-1)];
  await withReadOnlyStore(options.database, async (store) => {
    const record = await store.records.find(email);
    if (!record) throw noSuchUser(email);
    const trees = record.linkTrees.filter(({ slug }) => slug === (options.tree ?? slug));
    if (options.tree !== undefined && trees.length === 0)
      throw noSuchTree(`${options.tree} of ${record.email}`, `vitrine user show ${shellWord(record.email)}`);
    const counted = statsOf(trees, await store.counts.since(email, from), days);
    if (options.json) printJson({ email: record.email, from, to, ...counted });
    else {
      print(`${record.email}, ${from === to ? from : `${from} to ${to}`} (UTC): ${said(counted)}`);
      printTrees(counted);
    }
  });
}

function parseDays(text: string): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_DAYS) {
    throw new Misuse(
      `--days is ${JSON.stringify(text)}, but it must be a whole number from 1 to ${MAX_DAYS}`,
      "vitrine stats EMAIL --days 30",
    );
  }
  return count;
}

function printTrees({ trees }: Stats): void {
  if (trees.length === 0) print("There are no link trees.");
  for (const tree of trees) {
    print();
    print(styled("bold", oneLine(tree.title)), `  /t/${tree.slug}  ${said(tree)}`);
    print();
    if (tree.views + tree.clicks > 0) {
      printLines(drawChart(tree.days.map(({ day, views }) => ({ day, value: views }))));
      print();
    }
    printLinks(tree);
  }
}

function printLinks({ links, clicks }: TreeStats): void {
  const gone = links.reduce((rest, link) => rest - link.clicks, clicks);
  const rows = links.map((link) => [number(link.clicks).padStart(6), oneLine(link.label), link.url]);
  if (gone > 0) rows.push([number(gone).padStart(6), "(links that are no longer there)", ""]);
  if (rows.length === 0) print("It has no links.");
  else printTable(["CLICKS", "LINK", "URL"], rows);
}

function said({ views, clicks }: Totals): string {
  return `${plural(views, "view")}, ${plural(clicks, "click")}`;
}
