import type { UserRecord } from "../records/record.ts";
import type { TreeCount } from "../store/store.ts";
import { daysUntil, statsOf } from "../tracking/stats.ts";
import type { DayNumbers, Numbers, Totals } from "./contract.ts";

/** What was counted in some days until now, and in as many before them. */
export async function numbersOf(
  { linkTrees }: UserRecord,
  countsSince: (day: string) => Promise<TreeCount[]>,
  count: number,
  now: number,
): Promise<Numbers> {
  const days = daysUntil(now, 2 * count);
  const [earlier, period] = [days.slice(0, count), days.slice(count)];
  const counts = await countsSince(earlier[0] ?? "");
  const { views, clicks, trees } = statsOf(linkTrees, counts, period);
  const before = statsOf(linkTrees, counts, earlier);
  const totals = (stats: Totals | undefined) => ({ views: stats?.views ?? 0, clicks: stats?.clicks ?? 0 });
  return {
    from: period[0] ?? "",
    to: period.at(-1) ?? "",
    views,
    clicks,
    days: together(
      period,
      trees.flatMap((tree) => tree.days),
    ),
    trees: trees.map((tree, index) => ({ ...tree, before: totals(before.trees[index]) })),
    before: totals(before),
  };
}

function together(days: readonly string[], all: readonly DayNumbers[]): DayNumbers[] {
  const byDay = Map.groupBy(all, ({ day }) => day);
  return days.map((day) => {
    const some = byDay.get(day) ?? [];
    const sum = (field: "views" | "clicks") => some.reduce((total, one) => total + one[field], 0);
    return { day, views: sum("views"), clicks: sum("clicks") };
  });
}

/** By a byte order mark Excel takes a file for UTF-8. Without it, letters beyond ASCII become others. */
const BYTE_ORDER_MARK = "\ufeff";

/** One line for each day and tree, as spreadsheets read it (RFC 4180). */
export function numbersAsCsv({ trees }: Numbers): string {
  const lines = trees.flatMap(({ slug, title, days }) =>
    days.map(({ day, views, clicks }) => [day, slug, title, String(views), String(clicks)]),
  );
  const table = [["day", "slug", "title", "views", "clicks"], ...lines];
  return BYTE_ORDER_MARK + table.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

/** A cell that begins like a formula would be run as one by a spreadsheet. */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
