import { join } from "node:path";
import { type Histogram, percentile, total, uncorrected } from "./latencies.ts";
import { install, onLoadCore, output } from "./processes.ts";

/** How answers are asked for: as they are, or compressed. */
export const ENCODINGS = ["plain", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface Load {
  readonly url: string;
  readonly path: string;
  /** A file with one key a line. Every request takes one at random. */
  readonly keys: string;
  readonly connections: number;
  readonly seconds: number;
  /** How many requests a second to expect, where that is known. */
  readonly expected?: number | undefined;
  /** Whether it keeps to its own core, which it does unless told otherwise. */
  readonly pinned?: boolean;
  /** Whether answers may be compressed. Without it nothing is said about that. */
  readonly encoding?: Encoding | undefined;
  /** How long a connection waits between an answer and its next request. Only wrk can. */
  readonly pauseMs?: number | undefined;
  /** Another script of wrk beside this file, which takes what it needs from the file of keys. */
  readonly script?: string;
}

export interface Measured {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** Bytes of an answer with its headers. */
  readonly wireBytes: number;
}

/**
 * wrk counts the time until a connection is accepted as part of its first request. Where first requests are more
 * than this share of all, so that they could decide the 99th percentile, each connection waits before its first.
 */
const MAX_FIRST_REQUESTS = 0.005;
const SETTLE_MS = 1000;

const wrk = Bun.which("wrk");
const AUTOCANNON = join(import.meta.dir, "generators/autocannon");

/** What makes the load here, in words. */
export async function generator(): Promise<string> {
  if (!wrk) {
    const { version } = await Bun.file(join(AUTOCANNON, "node_modules/autocannon/package.json")).json();
    return `autocannon ${version} (wrk is not installed; a fast server is not saturated by it)`;
  }
  // It prints its version together with an error.
  const { stdout, stderr } = Bun.spawnSync([wrk, "-v"]);
  return /^wrk \S+/.exec(`${stdout}${stderr}`)?.[0] ?? "wrk";
}

/** Installs the generator that replaces wrk where that is missing. */
export async function prepareGenerator(): Promise<void> {
  if (!wrk) await install(AUTOCANNON);
}

export async function measure(load: Load): Promise<Measured> {
  const text = wrk ? await byWrk(wrk, load) : await byAutocannon(load);
  const [, duration, requests, failures, bytes] = (
    /^measured (\d+) (\d+) (\d+) (\d+)$/m.exec(text) ?? []
  ).map(Number);
  if (duration === undefined || requests === undefined || failures === undefined || bytes === undefined) {
    throw new Error(`the load generator said nothing that can be used: ${text}`);
  }
  if (requests === 0)
    throw new Error(`nothing was answered within ${load.seconds} s; give it more --seconds`);
  const printed = new Map(
    text
      .matchAll(/^latency (\d+) (\d+)$/gm)
      .map(([, taken, count]) => [Number(taken), Number(count)] as const),
  );
  const idle = settles(load) ? SETTLE_MS / 1000 : 0;
  const latencies = asTaken(printed, requests, duration, load.connections);
  return {
    requests,
    requestsPerSecond: requests / (duration / 1e6 - idle),
    p50: percentile(latencies, 0.5) / 1000,
    p99: percentile(latencies, 0.99) / 1000,
    failures,
    wireBytes: bytes / requests,
  };
}

/** As they were taken: more latencies than requests means that wrk has added some. */
function asTaken(printed: Histogram, requests: number, duration: number, connections: number): Histogram {
  const each = Math.floor(requests / connections);
  if (total(printed) <= requests || each === 0) return printed;
  const taken = uncorrected(printed, Math.floor(duration / each));
  if (Math.abs(total(taken) - requests) > requests / 1000) {
    throw new Error("the latencies of this wrk are corrected in a way that cannot be taken back");
  }
  return taken;
}

function placed(command: string[], { pinned = true }: Load): string[] {
  return pinned ? onLoadCore(command) : command;
}

function settles({ script, pauseMs, connections, seconds, expected = Number.POSITIVE_INFINITY }: Load) {
  return wrk !== null && !script && !pauseMs && connections / (expected * seconds) > MAX_FIRST_REQUESTS;
}

async function byWrk(wrk: string, load: Load): Promise<string> {
  const script = join(import.meta.dir, load.script ?? "random-key.lua");
  const command = [
    wrk,
    "-t1",
    `-c${load.connections}`,
    `-d${load.seconds + (settles(load) ? SETTLE_MS / 1000 : 0)}`,
    "--timeout",
    "30",
    "-s",
    script,
  ];
  return output(placed([...command, load.url + load.path], load), {
    KEYS: load.keys,
    REQUEST_PATH: load.path,
    HISTOGRAM: join(import.meta.dir, "histogram.lua"),
    ...(load.encoding === "gzip" && { ACCEPT_ENCODING: "gzip" }),
    ...(load.pauseMs && { PAUSE_MS: String(load.pauseMs) }),
    ...(settles(load) && { SETTLE_CONNECTIONS: String(load.connections), SETTLE_MS: String(SETTLE_MS) }),
  });
}

async function byAutocannon(load: Load): Promise<string> {
  if (load.script || load.pauseMs)
    throw new Error("this measurement needs wrk (Debian: apt-get install wrk)");
  const { url, path, keys, connections, seconds } = load;
  const command = [
    "node",
    join(AUTOCANNON, "load.js"),
    url + path,
    keys,
    String(connections),
    String(seconds),
    ...(load.encoding === "gzip" ? ["gzip"] : []),
  ];
  return output(placed(command, load));
}
