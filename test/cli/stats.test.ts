import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Count } from "../../src/store/count-writer.ts";
import { done, expectRefusal, load } from "../support/command-line.ts";
import { openCountWriter, openReader } from "../support/databases.ts";
import { without, withValue } from "../support/edit-record.ts";
import { Program } from "../support/program.ts";
import { writtenRecord } from "../support/records.ts";

setDefaultTimeout(300_000);

const { email } = writtenRecord(1);

function day(ago: number): string {
  return new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

const LINKS = [
  { id: "home", label: "Home", url: "https://person1.example/" },
  { id: "write", label: "Write", url: "mailto:person1@example.com" },
];

function person() {
  const record = writtenRecord(1);
  return {
    ...record,
    linkTrees: record.linkTrees.map((tree, index) => (index === 0 ? { ...tree, links: LINKS } : tree)),
  };
}

/** A program whose database holds one person, and what was counted for her. */
async function counted(...counts: readonly Pick<Count, "linkId" | "day" | "count">[]): Promise<Program> {
  const program = new Program();
  await load(program, person());
  const reader = await openReader(program.database);
  const page = await reader.readPage("everything-1");
  await reader.close();
  const writer = await openCountWriter(program.database);
  const { userNumber = 0, treeId = "" } = page ?? {};
  await writer.write({
    counts: counts.map((count) => ({ userNumber, treeId, ...count })),
    keyIds: [],
    usedAt: 0,
  });
  await writer.close();
  return program;
}

const SOME = [
  { linkId: "", day: day(0), count: 1200 },
  { linkId: "", day: day(2), count: 300 },
  { linkId: "home", day: day(0), count: 40 },
  { linkId: "write", day: day(2), count: 2 },
  { linkId: "", day: day(40), count: 9000 },
];

describe("stats --json", () => {
  test("has every tree with its links and its days, oldest first", async () => {
    using program = await counted(...SOME);
    const said = JSON.parse(await done(program, ["stats", email, "--days", "3", "--json"])) as unknown;
    expect(said).toEqual({
      email,
      from: day(2),
      to: day(0),
      views: 1500,
      clicks: 42,
      trees: [
        {
          slug: "everything-1",
          title: "Everything",
          views: 1500,
          clicks: 42,
          links: [
            { ...LINKS[0], clicks: 40 },
            { ...LINKS[1], clicks: 2 },
          ],
          days: [
            { day: day(2), views: 300, clicks: 2 },
            { day: day(1), views: 0, clicks: 0 },
            { day: day(0), views: 1200, clicks: 40 },
          ],
        },
        {
          slug: "empty-1",
          title: "Empty",
          views: 0,
          clicks: 0,
          links: [],
          days: [day(2), day(1), day(0)].map((one) => ({ day: one, views: 0, clicks: 0 })),
        },
      ],
    });
  });

  test("looks at 30 days unless told otherwise", async () => {
    using program = await counted(...SOME);
    const read = async (...flags: string[]) =>
      JSON.parse(await done(program, ["stats", email, "--json", ...flags])) as {
        views: number;
        from: string;
      };
    expect(await read()).toMatchObject({ views: 1500, from: day(29) });
    expect(await read("--days", "41")).toMatchObject({ views: 10_500, from: day(40) });
    expect(await read("--days", "1")).toMatchObject({ views: 1200, from: day(0) });
  });

  test("has one tree where one is named", async () => {
    using program = await counted(...SOME);
    const said = JSON.parse(await done(program, ["stats", email, "--tree", "empty-1", "--json"])) as {
      views: number;
      trees: { slug: string }[];
    };
    expect(said.views).toBe(0);
    expect(said.trees.map(({ slug }) => slug)).toEqual(["empty-1"]);
  });

  test("counts clicks on a link that is no longer there with the tree's", async () => {
    using program = await counted(...SOME);
    await load(program, without(person(), "linkTrees[0].links[0]"));
    const said = JSON.parse(await done(program, ["stats", email, "--json"])) as {
      trees: { clicks: number; links: { clicks: number }[] }[];
    };
    expect(said.trees[0]?.clicks).toBe(42);
    expect(said.trees[0]?.links.map(({ clicks }) => clicks)).toEqual([2]);
  });
});

describe("stats", () => {
  test("prints totals, a chart over days and a table of links", async () => {
    using program = await counted(...SOME);
    const text = await done(program, ["stats", email, "--days", "3"]);
    expect(text).toContain(`${email}, ${day(2)} to ${day(0)} (UTC): 1,500 views, 42 clicks`);
    expect(text).toContain("Everything  /t/everything-1  1,500 views, 42 clicks");
    expect(text).toContain("1,200 ┤  █");
    expect(text).toContain("    0 ┤█ █");
    expect(text).toMatch(/^ +40 {2}Home +https:\/\/person1\.example\/$/m);
    expect(text).toContain("It has no links.");
  });

  test("names clicks on links that are no longer there", async () => {
    using program = await counted(...SOME);
    await load(program, without(person(), "linkTrees[0].links[0]"));
    expect(await done(program, ["stats", email])).toMatch(/^ +40 {2}\(links that are no longer there\)$/m);
  });

  test("leaves out of titles and labels what would steer a terminal", async () => {
    using program = await counted();
    let record = withValue(person(), "linkTrees[0].title", "one\x1b[31m\x07\ntwo\x9b2J");
    record = withValue(record, "linkTrees[0].links[0].label", "\x1b]0;title\x07Home");
    await load(program, record);
    const text = await done(program, ["stats", email]);
    expect(text).toContain("\none[31m two2J  /t/everything-1  ");
    expect(text).toMatch(/^ +0 {2}\]0;titleHome +https:/m);
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  test("says what a bar is, and marks what is not over", async () => {
    using program = await counted(...SOME);
    const days = await done(program, ["stats", email, "--days", "3"]);
    expect(days).toContain(" └──╌\n");
    expect(days).toContain("A bar is the views of a day; ╌ marks one that is not over.\n");
    const weeks = await done(program, ["stats", email, "--days", "61"]);
    expect(weeks).toMatch(/ └[─╌]─{7,8}╌\n/);
    expect(weeks).toContain("A bar is the views of a week; ╌ marks one that is not over");
    expect(await done(program, ["stats", email, "--days", "800"])).toContain("the views of a month");
  });

  test("of very many days draws no wider than a terminal", async () => {
    using program = await counted(...SOME);
    const text = await done(program, ["stats", email, "--days", "3660"]);
    for (const line of text.split("\n")) expect(Bun.stringWidth(line)).toBeLessThan(80);
  });

  test.each(["0", "-1", "1.5", "3661", "many", ""])("refuses --days %j", async (days) => {
    using program = await counted();
    expectRefusal(await program.run(["stats", email, `--days=${days}`]), {
      error: `--days is ${JSON.stringify(days)}, but it must be a whole number from 1 to 3660`,
      exitCode: 2,
    });
  });

  test("refuses a user or a tree that is not there", async () => {
    using program = await counted();
    expectRefusal(await program.run(["stats", "nobody@example.com"]), {
      error: "there is no user nobody@example.com",
      remedy: "vitrine user list",
    });
    expectRefusal(await program.run(["stats", email, "--tree", "everything-2"]), {
      error: `there is no link tree everything-2 of ${email}`,
      remedy: `vitrine user show ${email}`,
    });
  });
});
