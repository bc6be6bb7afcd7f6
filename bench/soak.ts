#!/usr/bin/env bun
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { number } from "../src/cli/output.ts";
import { buildDataset, bun, MAIN, say } from "./dataset.ts";
import { HostileClients } from "./hostile.ts";
import { measure } from "./load.ts";
import { readOptions } from "./options.ts";
import { freePort, leaveWithServers, run, Server } from "./processes.ts";
import { circumstances, median, PLACEMENT, table } from "./report.ts";

const options = readOptions(
  "npm run bench:soak",
  "Makes ordinary reads for minutes on end, first by themselves and then beside hostile requests and visits: what that costs the readers, and whether memory or descriptors grow.",
  {
    users: [1000, "users in the database"],
    minutes: [10, "how long it takes"],
    hostile: [100, "hostile requests, and visits, a second"],
    connections: [4, "connections of ordinary reads"],
  },
);

/** Each round of reads is this long; the median of all rounds is given. */
const ROUND_SECONDS = 15;

leaveWithServers();
const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-soak-"));
const file = join(folder, "vitrine.db");

interface Round {
  readonly p99: number;
  readonly perSecond: number;
  readonly megabytes: number;
  readonly descriptors: number;
}

try {
  const data = await buildDataset(options.cache, options.users);
  await run([bun, MAIN, "backup", file, "--database", data.database]);
  const limits = ["--limit-full", "1000000", "--limit-default", "1000000"];
  await using vitrine = await Server.start({
    name: "vitrine",
    command: [bun, MAIN, "serve", "--database", `sqlite:${file}`, ...limits],
    log: join(folder, "vitrine.log"),
    port: await freePort(),
  });
  const paths = Array.from({ length: 200 }, (_, index) => `/t/user-${index + 1}-0`);

  const readOnce = async (): Promise<Round> => {
    const { p99, requestsPerSecond, failures } = await measure({
      url: vitrine.url,
      path: "/user/full",
      keys: data.keysFile,
      connections: options.connections,
      seconds: ROUND_SECONDS,
    });
    if (failures > 0) throw new Error(`${failures} ordinary reads failed`);
    await vitrine.emptyLog();
    return {
      p99,
      perSecond: requestsPerSecond,
      megabytes: vitrine.memory()?.own ?? Number.NaN,
      descriptors: readdirSync(`/proc/${vitrine.pid}/fd`).length,
    };
  };

  const quiet: Round[] = [];
  for (let round = 0; round < 4; round++) quiet.push(await readOnce());
  const hostile: Round[] = [];
  let sent = 0;
  {
    using clients = new HostileClients(vitrine.url, paths, options.hostile);
    const end = performance.now() + options.minutes * 60_000;
    while (performance.now() < end) {
      hostile.push(await readOnce());
      const last = hostile.at(-1);
      say(
        `p99 ${last?.p99.toFixed(2)} ms, ${last?.megabytes.toFixed(0)} MB, ${last?.descriptors} descriptors`,
      );
    }
    sent = clients.sent;
  }
  // Those that were held are let go, and what they took is given back.
  await Bun.sleep(5000);
  const after = await readOnce();

  const third = Math.ceil(hostile.length / 3);
  const row = (name: string, rounds: readonly Round[]) => [
    name,
    median(rounds.map(({ p99 }) => p99)).toFixed(2),
    number(Math.round(median(rounds.map(({ perSecond }) => perSecond)))),
    median(rounds.map(({ megabytes }) => megabytes)).toFixed(0),
    number(median(rounds.map(({ descriptors }) => descriptors))),
  ];
  const ratio = median(hostile.map(({ p99 }) => p99)) / median(quiet.map(({ p99 }) => p99));
  const facts = [
    `\`/user/full\` with ${options.connections} connections beside ${options.hostile} hostile requests and as many visits a second, ${number(sent)} in all; rounds of ${ROUND_SECONDS} s, the medians are given`,
    PLACEMENT,
    `p99 beside hostile requests is ${ratio.toFixed(2)} times that of a quiet server`,
  ];
  say(await circumstances("npm run bench:soak", facts));
  say(
    table(
      ["", "p99 ms", "requests/s", "memory MB", "descriptors"],
      [
        row("quiet", quiet),
        row("hostile, first third", hostile.slice(0, third)),
        row("hostile, last third", hostile.slice(-third)),
        row("quiet again", [after]),
      ],
    ),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
