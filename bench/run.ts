#!/usr/bin/env bun
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchRecord } from "./data.ts";
import { type Measured, measure, onServerCore, wrk } from "./load.ts";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    users: { type: "string", default: "30000" },
    seconds: { type: "string" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "32" },
  },
});
const users = Number(options.users);
const seconds = Number(options.seconds ?? (options.quick ? 3 : 8));
const rounds = Number(options.rounds);
const connections = Number(options.connections);

const MAIN = join(import.meta.dir, "../src/cli/main.ts");
const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
const database = `sqlite:${join(folder, "vitrine.db")}`;
const keysFile = join(folder, "keys.txt");
const bun = process.execPath;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Runs a command to its end and returns what it printed. */
async function run(command: string[], stdin?: Blob): Promise<string> {
  const child = Bun.spawn(command, { stdin: stdin ?? "ignore", stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
  return output;
}

async function buildData(): Promise<{ perSecond: number }> {
  const file = join(folder, "users.ndjson");
  const sink = Bun.file(file).writer();
  for (let user = 1; user <= users; user++) {
    sink.write(`${JSON.stringify(benchRecord(user))}\n`);
    if (user % 1000 === 0) await sink.flush();
  }
  await sink.end();
  const started = performance.now();
  await run([bun, MAIN, "import", file, "--database", database]);
  const perSecond = users / ((performance.now() - started) / 1000);
  const emails = Array.from({ length: users }, (_, index) => `user${index + 1}@example.com`).join("\n");
  const keys = await run([bun, MAIN, "key", "create", "-", "--database", database], new Blob([emails]));
  await Bun.write(keysFile, keys.replaceAll(/^[^,]*,/gm, ""));
  return { perSecond };
}

interface Contender {
  readonly name: string;
  readonly command: string[];
}

interface Started {
  readonly name: string;
  readonly url: string;
  readonly child: Bun.Subprocess;
}

/** Starts a server and waits for the address it prints. Its log goes to a file, as an operator's would. */
async function start({ name, command }: Contender): Promise<Started> {
  const output = Bun.file(join(folder, `${name.replaceAll(/\W+/g, "-")}.log`));
  const child = Bun.spawn(onServerCore(command), { stdin: "ignore", stdout: output, stderr: "inherit" });
  for (;;) {
    const url = /http:\/\/[\d.]+:\d+/.exec(await output.text())?.[0];
    if (url) return { name, url, child };
    if (child.exitCode !== null) throw new Error(`${name} ended before it served`);
    await Bun.sleep(20);
  }
}

async function residentMegabytes(pid: number): Promise<string> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  const kibibytes = Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]);
  return (kibibytes / 1024).toFixed(0);
}

/** Before anything is timed, answers must be right: each key gets its own user. */
async function checkAnswers(url: string): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  const keys = (await Bun.file(keysFile).text()).trim().split("\n");
  for (const user of [1, Math.ceil(users / 2), users]) {
    const response = await fetch(`${url}/user/full`, {
      headers: { Authorization: `Bearer ${keys[user - 1]}` },
    });
    const body = (await response.json()) as { email: string; linkTrees: unknown[] };
    if (response.status !== 200 || body.email !== `user${user}@example.com` || body.linkTrees.length !== 2) {
      throw new Error(`user ${user} got a wrong answer: ${response.status}`);
    }
  }
  const response = await fetch(`${url}/user/full`, { headers: { Authorization: `Bearer ${keys[0]}` } });
  const headers = Object.fromEntries(
    response.headers.entries().filter(([name]) => !/^(date|content-length)$/.test(name)),
  );
  return { body: await response.bytes(), headers };
}

/** Milliseconds from the start of the process to its first answer with data; the least of some tries. */
async function firstResponse(): Promise<number> {
  const [key] = (await Bun.file(keysFile).text()).split("\n", 1);
  const headers = { Authorization: `Bearer ${key}` };
  const times: number[] = [];
  for (let attempt = 0; attempt < 10; attempt++) {
    const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const { port } = listener;
    listener.stop(true);
    const startedAt = performance.now();
    const child = Bun.spawn([bun, MAIN, "serve", "--port", String(port), "--database", database], {
      stdout: "ignore",
    });
    let response: Response | undefined;
    while (!response)
      response = await fetch(`http://127.0.0.1:${port}/user/full`, { headers }).catch(() => undefined);
    times.push(performance.now() - startedAt);
    child.kill();
    await child.exited;
  }
  return Math.min(...times);
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

try {
  if (!wrk) throw new Error("the benchmark needs wrk (Debian: apt-get install wrk)");
  say(`Building ${users} users …`);
  const { perSecond } = await buildData();
  say(`Imported ${perSecond.toFixed(0)} records a second.`);
  say(`First response ${(await firstResponse()).toFixed(0)} ms after the process started.`);

  const serve = [bun, MAIN, "serve", "--port", "0", "--database", database];
  const vitrine = await start({ name: "Vitrine on SQLite", command: serve });
  const { body, headers } = await checkAnswers(vitrine.url);
  const bodyFile = join(folder, "body.json");
  await Bun.write(bodyFile, body);
  const headersFile = join(folder, "headers.json");
  await Bun.write(headersFile, JSON.stringify(headers));
  const constantBun = [bun, join(import.meta.dir, "contenders/constant-bun/server.ts"), bodyFile];
  const constantNode = ["node", join(import.meta.dir, "contenders/constant-node/server.js"), bodyFile];
  const started = [
    vitrine,
    await start({ name: "constant Bun.serve", command: constantBun }),
    await start({ name: "constant Bun.serve, same headers", command: [...constantBun, headersFile] }),
    await start({ name: "constant node:http", command: constantNode }),
  ];

  const results = new Map<string, Measured[]>(started.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, url } of started) {
      const measured = await measure({
        url,
        path: "/user/full",
        keys: keysFile,
        connections,
        seconds: round === 0 ? 2 : seconds,
      });
      if (measured.failures > 0) throw new Error(`${name}: ${measured.failures} requests failed`);
      // The first round warms up and is not counted.
      if (round > 0) results.get(name)?.push(measured);
      say(
        `${round === 0 ? "warm-up" : `round ${round}`}  ${name}: ${measured.requestsPerSecond.toFixed(0)} requests/s`,
      );
    }
  }

  const rates = new Map(
    results.entries().map(([name, list]) => [name, median(list.map((one) => one.requestsPerSecond))]),
  );
  const own = rates.get("Vitrine on SQLite") ?? Number.NaN;
  const limit = rates.get("constant Bun.serve") ?? Number.NaN;
  process.stdout.write(
    `\n/user/full, ${users} users, ${body.length} bytes, ${connections} connections, a random key per request, logging and limits on\n\n`,
  );
  process.stdout.write(
    "| contender | requests/s | p50 ms | p99 ms | memory MB | of constant Bun.serve | Vitrine is |\n|---|---|---|---|---|---|---|\n",
  );
  for (const { name, child } of started) {
    const list = results.get(name) ?? [];
    const rate = rates.get(name) ?? Number.NaN;
    const cells = [
      name,
      rate.toFixed(0),
      median(list.map((one) => one.p50)).toFixed(2),
      median(list.map((one) => one.p99)).toFixed(2),
      await residentMegabytes(child.pid),
      (rate / limit).toFixed(2),
      `${(own / rate).toFixed(2)}×`,
    ];
    process.stdout.write(`| ${cells.join(" | ")} |\n`);
  }
  for (const { child } of started) child.kill();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
