#!/usr/bin/env bun
/**
 * What serving costs in each way of running it: with counts in memory or in Redis, with metrics, with workers. The
 * processor time per request is what to size by: it holds on a busy machine, too.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { number, print, printTable } from "../src/cli/output.ts";
import { benchRecord } from "./data.ts";

const { values: options } = parseArgs({
  options: {
    users: { type: "string", default: "2000" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "32" },
    path: { type: "string", default: "/user/full" },
    rounds: { type: "string", default: "3" },
  },
});

const MAIN = join(import.meta.dir, "../src/cli/main.ts");
const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
const database = `sqlite:${join(folder, "vitrine.db")}`;
const keysFile = join(folder, "keys.txt");

/** Processor time is counted in hundredths of a second. */
const TICKS_PER_SECOND = 100;

async function run(command: string[], stdin?: Blob, env = {}): Promise<string> {
  const child = Bun.spawn(command, {
    stdin: stdin ?? "ignore",
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, ...env },
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
  return output;
}

async function buildData(): Promise<void> {
  const numbers = Array.from({ length: Number(options.users) }, (_, index) => index + 1);
  const records = numbers.map((user) => `${JSON.stringify(benchRecord(user))}\n`);
  await run([process.execPath, MAIN, "import", "-", "--database", database], new Blob(records));
  const emails = numbers.map((user) => `user${user}@example.com`).join("\n");
  const keys = await run(
    [process.execPath, MAIN, "key", "create", "-", "--database", database],
    new Blob([emails]),
  );
  await Bun.write(keysFile, keys.replaceAll(/^[^,]*,/gm, ""));
}

/** The fields of a process's line behind its name, which may hold spaces. None where it has ended. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/** A process and those that it has started. */
function familyOf(pid: number): number[] {
  const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return [pid, ...others.map(Number).filter((other) => statOf(other)[1] === String(pid))];
}

function processorSeconds(pids: readonly number[]): number {
  const ticks = pids.map((pid) => Number(statOf(pid)[11]) + Number(statOf(pid)[12]));
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

function residentMegabytes(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]),
  );
  return Math.round(kilobytes.reduce((sum, each) => sum + each, 0) / 1024);
}

interface Cost {
  readonly perSecond: number;
  readonly serverMicroseconds: number;
  readonly redisMicroseconds: number;
  readonly megabytes: number;
}

async function measure(name: string, flags: readonly string[], redisPid: number): Promise<Cost> {
  const log = join(folder, `${name.replaceAll(/\W+/g, "-")}-${crypto.randomUUID()}.log`);
  const limits = ["--limit-full", "1000000", "--limit-default", "1000000"];
  const command = [
    process.execPath,
    MAIN,
    "serve",
    "--port",
    "0",
    "--database",
    database,
    ...limits,
    ...flags,
  ];
  const server = Bun.spawn(command, { stdin: "ignore", stdout: Bun.file(log), stderr: "inherit" });
  let url: string | undefined;
  while (url === undefined) {
    await Bun.sleep(20);
    url = /"listening","url":"([^"]+)"/.exec(await Bun.file(log).text())?.[1];
  }
  const load = (seconds: string) =>
    run(
      [
        "wrk",
        "-t1",
        `-c${options.connections}`,
        `-d${seconds}s`,
        "-s",
        join(import.meta.dir, "random-key.lua"),
        url,
      ],
      undefined,
      { KEYS: keysFile, REQUEST_PATH: options.path },
    );
  await load("1");
  const pids = familyOf(server.pid);
  const before = [processorSeconds(pids), processorSeconds([redisPid])];
  const report = await load(options.seconds);
  const used = [processorSeconds(pids), processorSeconds([redisPid])].map(
    (now, index) => now - (before[index] ?? 0),
  );
  const megabytes = residentMegabytes(pids);
  server.kill();
  await server.exited;
  const requests = Number(/(\d+) requests in/.exec(report)?.[1]);
  if (/Non-2xx/.test(report)) throw new Error(report);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(report)?.[1]);
  const [serverMicroseconds = 0, redisMicroseconds = 0] = used.map((seconds) => (seconds * 1e6) / requests);
  return { perSecond, serverMicroseconds, redisMicroseconds, megabytes };
}

/** A Redis that keeps nothing, on a free port. */
async function startRedis(): Promise<{ url: string; child: Bun.Subprocess }> {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = listener;
  listener.stop(true);
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const child = Bun.spawn(["redis-server", ...args], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  return { url: `redis://127.0.0.1:${port}`, child };
}

await buildData();
const redis = await startRedis();
try {
  const ways: [name: string, flags: string[]][] = [
    ["alone", []],
    ["alone, with metrics", ["--metrics-port", "0"]],
    ["with Redis", ["--redis", redis.url]],
    ["2 workers with Redis", ["--redis", redis.url, "--workers", "2"]],
  ];
  const best = new Map<string, Cost>();
  // The least of several rounds: what else the machine does can only add.
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [name, flags] of ways) {
      const cost = await measure(name, flags, redis.child.pid);
      const before = best.get(name);
      if (!before || cost.serverMicroseconds < before.serverMicroseconds) best.set(name, cost);
    }
  }
  print(`${options.path}, ${options.users} users, ${options.connections} connections`);
  printTable(
    ["WAY", "REQUESTS/S", "SERVER µs/REQUEST", "REDIS µs/REQUEST", "SERVER MB"],
    [...best].map(([name, cost]) => [
      name,
      number(Math.round(cost.perSecond)),
      cost.serverMicroseconds.toFixed(1),
      cost.redisMicroseconds.toFixed(1),
      String(cost.megabytes),
    ]),
  );
} finally {
  redis.child.kill();
  await redis.child.exited;
  rmSync(folder, { recursive: true, force: true });
}
