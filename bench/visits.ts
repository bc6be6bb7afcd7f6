#!/usr/bin/env bun
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchRecord } from "./data.ts";
import { measure, onServerCore } from "./load.ts";

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
const MAIN = join(import.meta.dir, "../src/cli/main.ts");
const CONSTANT = join(import.meta.dir, "contenders/constant-bun/server.ts");
const bun = process.execPath;
const folder = mkdtempSync(join(tmpdir(), "vitrine-visits-"));
const file = join(folder, "vitrine.db");
const pathsFile = join(folder, "paths.txt");
const children: Bun.Subprocess[] = [];

async function start(command: string[]): Promise<string> {
  const child = Bun.spawn(onServerCore(command), { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  children.push(child);
  const reader = child.stdout.getReader();
  for (let output = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${command.join(" ")} ended before it served: ${output}`);
    output += new TextDecoder().decode(value);
    const url = /http:\/\/[\d.]+:\d+/.exec(output)?.[0];
    if (url === undefined) continue;
    // What it prints later is its log, which is read and dropped.
    void (async () => {
      while (!(await reader.read()).done);
    })();
    return url;
  }
}

function counted(): number {
  using database = new Database(file, { readonly: true });
  const row = database
    .query<{ total: number }, []>("SELECT ifnull(sum(count), 0) AS total FROM counts")
    .get();
  return row?.total ?? 0;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
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
  const vitrine = await start([bun, MAIN, "serve", "--port", "0", "--database", database]);

  const pages = Array.from({ length: Math.min(users, 1000) }, (_, index) => `/t/user-${index + 1}-0`);
  const links: string[] = [];
  for (const page of pages.slice(0, 200)) {
    const markup = await (await fetch(vitrine + page)).text();
    links.push(...[...markup.matchAll(/<a href="([^"]+)"/g)].map((match) => match[1] ?? ""));
  }
  const pageFile = join(folder, "page.html");
  await Bun.write(pageFile, await (await fetch(vitrine + pages[0])).bytes());
  const constant = await start([bun, CONSTANT, pageFile]);

  process.stdout.write(
    `${options.connections} connections, a random path per request, logging on\n\n| visit | Vitrine, requests/s | constant Bun.serve, requests/s | share |\n|---|---|---|---|\n`,
  );
  await compare("a view of /t/:slug", pages, vitrine, constant);
  await compare("a click on /t/:slug/:linkId", links, vitrine, constant);
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
