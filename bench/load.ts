import { join } from "node:path";

export interface Load {
  readonly url: string;
  readonly path: string;
  /** A file with one key a line. Every request takes one at random. */
  readonly keys: string;
  readonly connections: number;
  readonly seconds: number;
  /** Another script of wrk beside this file, which takes what it needs from the file of keys. */
  readonly script?: string;
}

export interface Measured {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

export const wrk = Bun.which("wrk");
const taskset = Bun.which("taskset");

/** Pins a command to a core where the system allows it, so that server and load do not take from each other. */
export function pinned(core: number, command: string[]): string[] {
  return taskset && navigator.hardwareConcurrency > 1 ? [taskset, "-c", String(core), ...command] : command;
}

const SERVER_CORE = 0;
const LOAD_CORE = 1;

export const onServerCore = (command: string[]) => pinned(SERVER_CORE, command);

/** Measures a server that is warm. wrk where it is installed; its percentiles are over the whole run. */
export async function measure(load: Load): Promise<Measured> {
  if (!wrk) throw new Error("wrk is not installed; install it (Debian: apt-get install wrk) and run again");
  const command = [
    wrk,
    "-t1",
    `-c${load.connections}`,
    `-d${load.seconds}`,
    "--latency",
    "-s",
    join(import.meta.dir, load.script ?? "random-key.lua"),
    load.url + load.path,
  ];
  const child = Bun.spawn(pinned(LOAD_CORE, command), {
    env: { ...process.env, KEYS: load.keys, REQUEST_PATH: load.path },
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`wrk failed: ${output}`);
  return {
    requests: Number(/(\d+) requests in/.exec(output)?.[1]),
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p50: milliseconds(/ 50%\s+(\S+)/.exec(output)?.[1]),
    p99: milliseconds(/ 99%\s+(\S+)/.exec(output)?.[1]),
    failures:
      Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0) +
      (/Socket errors: (.*)/.exec(output)?.[1]?.match(/\d+/g) ?? []).reduce(
        (sum, count) => sum + Number(count),
        0,
      ),
  };
}

function milliseconds(text = ""): number {
  const unit = text.endsWith("us") ? 0.001 : text.endsWith("ms") ? 1 : 1000;
  return Number.parseFloat(text) * unit;
}
