#!/usr/bin/env bun
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { number, plural } from "../src/cli/output.ts";
import { RAISED_LIMITS, SAID_OF_RAISED_LIMITS } from "./contenders.ts";
import { buildDataset, bun, MAIN } from "./dataset.ts";
import { prepareGenerator } from "./load.ts";
import { readOptions } from "./options.ts";
import { freePort, leaveWithServers, Server } from "./processes.ts";
import { startRedis } from "./redis.ts";
import { circumstances, rate, table } from "./report.ts";
import { inTurns, type Point } from "./turns.ts";

const options = readOptions(
  "npm run bench:scale",
  "Measures what serving costs in each way of running it: with counts in memory or in Redis, to keys that see everything or the public view, with metrics, with workers. The processor time for a request is what to size by: it holds on a busy machine, too.",
  {
    users: [2000, "users in the database"],
    seconds: [5, "how long each way is measured at a time"],
    rounds: [3, "times that each is measured"],
    connections: [32, "connections at once"],
    path: ["/user/full", "what is asked for"],
  },
);
const { users, seconds, connections, rounds, path } = options;

leaveWithServers();
await prepareGenerator();
const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-scale-"));
try {
  const data = await buildDataset(options.cache, users);
  await using servers = new AsyncDisposableStack();
  const redis = servers.use(await startRedis(folder));
  const publicKeys = await data.publicKeys();
  const ways: [name: string, flags: string[], keys?: string][] = [
    ["alone", []],
    ["alone, with keys of the public view", [], publicKeys],
    ["alone, with metrics", ["--metrics-port", "0"]],
    ["with Redis", ["--redis", redis.url]],
    ["2 workers with Redis", ["--redis", redis.url, "--workers", "2"]],
  ];
  const points: Point[] = [];
  for (const [name, flags, keys = data.keysFile] of ways) {
    const server = servers.use(
      await Server.start({
        name,
        command: [bun, MAIN, "serve", "--database", data.database, ...flags],
        env: RAISED_LIMITS,
        log: join(folder, `${points.length}.log`),
        port: await freePort(),
        pinned: false,
      }),
    );
    points.push({
      name,
      server,
      path,
      data,
      connections,
      load: { pinned: false, keys, encoding: "gzip" },
      helper: redis.pid,
    });
  }

  const outcomes = await inTurns(points, { rounds, seconds });
  const facts = await circumstances(["npm run bench:scale --", ...process.argv.slice(2)].join(" "), [
    `Versions: Bun ${Bun.version}`,
    `\`${path}\` as gzip, ${number(users)} users, a random key for every request, ${connections} connections`,
    `${plural(rounds, "round")} of ${seconds} s each after a warm-up, in turns; the median of requests and the least processor time are given`,
    `Nothing is pinned: servers, Redis and load share the cores. Default logging on, to a file; ${SAID_OF_RAISED_LIMITS}`,
  ]);
  const rows = outcomes
    .entries()
    .map(([{ name }, { perSecond, cost, memory }]) => [
      name,
      rate(perSecond),
      cost.server.toFixed(1),
      cost.helper.toFixed(1),
      memory ? (memory.own + memory.mapped).toFixed(0) : "–",
    ])
    .toArray();
  const headings = ["way", "requests/s", "server µs/request", "Redis µs/request", "server MB"];
  process.stdout.write(`${facts}\n\n${table(headings, rows)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
