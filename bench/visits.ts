#!/usr/bin/env bun
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { number, plural } from "../src/cli/output.ts";
import { CONSTANT_BUN } from "./contenders.ts";
import { buildDataset, bun, MAIN } from "./dataset.ts";
import { readOptions } from "./options.ts";
import { freePort, leaveWithServers, run, Server } from "./processes.ts";
import { circumstances, PLACEMENT, rate, table } from "./report.ts";
import { inTurns, type Outcome, type Point } from "./turns.ts";

const options = readOptions(
  "npm run bench:visits",
  "Measures views and clicks of link tree pages, each committed to the disk before it is answered, as a share of what a constant responder of the same runtime does with one page from memory.",
  {
    users: [2000, "users in the database"],
    seconds: [4, "how long each is measured at a time"],
    rounds: [3, "times that each is measured"],
    connections: [64, "connections at once"],
  },
);
const { users, seconds, rounds, connections } = options;

/** More would not change what is measured: each is a row to find and a counter to add to. */
const MAX_PAGES = 1000;
const MAX_PAGES_WITH_LINKS = 200;

leaveWithServers();
const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-visits-"));
const file = join(folder, "vitrine.db");

function start(name: string, command: string[], port: number): Promise<Server> {
  return Server.start({ name, command, log: join(folder, `${name}.log`), port });
}

function counted(): number {
  using database = new Database(file, { readonly: true });
  const row = database
    .query<{ total: number }, []>("SELECT ifnull(sum(count), 0) AS total FROM counts")
    .get();
  return row?.total ?? 0;
}

try {
  const data = await buildDataset(options.cache, users);
  // Visits are counted in a copy, so that the data that is kept stays as it was built.
  await run([bun, MAIN, "backup", file, "--database", data.database]);
  const serve = [bun, MAIN, "serve", "--database", `sqlite:${file}`];
  await using vitrine = await start("vitrine", serve, await freePort());

  const pages = Array.from({ length: Math.min(users, MAX_PAGES) }, (_, index) => `/t/user-${index + 1}-0`);
  const links: string[] = [];
  for (const page of pages.slice(0, MAX_PAGES_WITH_LINKS)) {
    const markup = await (await fetch(vitrine.url + page)).text();
    links.push(...[...markup.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1] ?? ""));
  }
  const pageFile = join(folder, "page.html");
  await Bun.write(pageFile, await (await fetch(vitrine.url + pages[0])).bytes());
  const answer = { file: pageFile, headers: { "content-type": "text/html; charset=utf-8" } };
  const answersFile = join(folder, "answers.json");
  await Bun.write(answersFile, JSON.stringify({ "/t/:slug": answer, "/t/:slug/:linkId": answer }));
  await using constant = await start("constant", [...CONSTANT_BUN, answersFile], await freePort());

  const rows: string[][] = [];
  for (const [what, paths] of [
    ["a view of /t/:slug", pages],
    ["a click on /t/:slug/:linkId", links],
  ] as const) {
    const keys = join(folder, "paths.txt");
    await Bun.write(keys, paths.join("\n"));
    const point = (server: Server): Point => {
      const load = { keys, script: "random-path.lua" };
      return { name: `${server.name}, ${what}`, server, path: "", data, connections, load };
    };
    const [own, other] = [point(vitrine), point(constant)];
    const before = counted();
    const outcomes = await inTurns([own, other], { rounds, seconds });
    const { requests, perSecond } = outcomes.get(own) as Outcome;
    const increase = counted() - before;
    if (increase < requests) throw new Error(`${requests} were answered, but only ${increase} counted`);
    const limit = (outcomes.get(other) as Outcome).perSecond;
    rows.push([what, rate(perSecond), rate(limit), (perSecond / limit).toFixed(2)]);
  }
  const facts = await circumstances(["npm run bench:visits --", ...process.argv.slice(2)].join(" "), [
    `Versions: Bun ${Bun.version}`,
    `${number(users)} users, a random path for every request, ${connections} connections`,
    `${plural(rounds, "round")} of ${seconds} s each after a warm-up, in turns; the medians are given`,
    `Default logging on, to a file; ${PLACEMENT}`,
  ]);
  const headings = ["visit", "Vitrine, requests/s", "constant Bun.serve, requests/s", "share"];
  process.stdout.write(`${facts}\n\n${table(headings, rows)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
