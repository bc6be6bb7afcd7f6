#!/usr/bin/env bun
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CONSTANT_BUN } from "./contenders.ts";
import { benchRecord } from "./data.ts";
import { bun, MAIN } from "./dataset.ts";
import { measure } from "./load.ts";
import { freePort, Server } from "./processes.ts";
import { median } from "./report.ts";

/*
 * Views and clicks of link tree pages, each committed to the disk before it is answered, as a share of what a
 * constant responder of the same runtime does with one page from memory.
 */
const { values: options } = parseArgs({
  options: {
    users: { type: "string", default: "2000" },
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "64" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "vitrine-visits-"));
const file = join(folder, "vitrine.db");
const pathsFile = join(folder, "paths.txt");

async function start(name: string, command: string[]): Promise<Server> {
  return Server.start({ name, command, log: join(folder, `${name}.log`), port: await freePort() });
}

function counted(): number {
  using database = new Database(file, { readonly: true });
  const row = database
    .query<{ total: number }, []>("SELECT ifnull(sum(count), 0) AS total FROM counts")
    .get();
  return row?.total ?? 0;
}

async function compare(what: string, paths: readonly string[], vitrine: string, constant: string) {
  await Bun.write(pathsFile, paths.join("\n"));
  const load = { path: "", keys: pathsFile, script: "random-path.lua" };
  const before = counted();
  const rates: { vitrine: number; constant: number }[] = [];
  let answered = 0;
  for (let round = 0; round <= Number(options.rounds); round++) {
    const seconds = round === 0 ? 2 : Number(options.seconds);
    const connections = Number(options.connections);
    const own = await measure({ url: vitrine, connections, seconds, ...load });
    const other = await measure({ url: constant, connections, seconds, ...load });
    if (own.failures + other.failures > 0)
      throw new Error(`${own.failures + other.failures} requests failed`);
    answered += own.requests;
    // The first round warms up and is not counted.
    if (round > 0) rates.push({ vitrine: own.requestsPerSecond, constant: other.requestsPerSecond });
  }
  const increase = counted() - before;
  if (increase < answered) throw new Error(`${answered} were answered, but only ${increase} counted`);
  const own = median(rates.map((rate) => rate.vitrine));
  const other = median(rates.map((rate) => rate.constant));
  process.stdout.write(
    `| ${what} | ${own.toFixed(0)} | ${other.toFixed(0)} | ${(own / other).toFixed(2)} |\n`,
  );
}

try {
  const users = Number(options.users);
  const records = Array.from({ length: users }, (_, index) => JSON.stringify(benchRecord(index + 1)));
  await Bun.write(join(folder, "users.ndjson"), `${records.join("\n")}\n`);
  const database = `sqlite:${file}`;
  await Bun.$`${bun} ${MAIN} import ${join(folder, "users.ndjson")} --database ${database}`.quiet();
  await using vitrine = await start("vitrine", [bun, MAIN, "serve", "--database", database]);

  const pages = Array.from({ length: Math.min(users, 1000) }, (_, index) => `/t/user-${index + 1}-0`);
  const links: string[] = [];
  for (const page of pages.slice(0, 200)) {
    const markup = await (await fetch(vitrine.url + page)).text();
    links.push(...[...markup.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1] ?? ""));
  }
  const pageFile = join(folder, "page.html");
  await Bun.write(pageFile, await (await fetch(vitrine.url + pages[0])).bytes());
  const answer = { file: pageFile, headers: { "content-type": "text/html; charset=utf-8" } };
  const answersFile = join(folder, "answers.json");
  await Bun.write(answersFile, JSON.stringify({ "/t/:slug": answer, "/t/:slug/:linkId": answer }));
  await using constant = await start("constant", [...CONSTANT_BUN, answersFile]);

  process.stdout.write(
    `${options.connections} connections, a random path per request, logging on\n\n| visit | Vitrine, requests/s | constant Bun.serve, requests/s | share |\n|---|---|---|---|\n`,
  );
  await compare("a view of /t/:slug", pages, vitrine.url, constant.url);
  await compare("a click on /t/:slug/:linkId", links, vitrine.url, constant.url);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
