import { type Dataset, say } from "./dataset.ts";
import { type Load, type Measured, measure } from "./load.ts";
import { type Memory, processorSecondsOf, type Server } from "./processes.ts";
import { median, rate } from "./report.ts";

const LONGEST_WARM_UP_SECONDS = 2;
const MINUTE_MS = 60_000;

/** One thing to measure: a server, and how it is loaded. */
export interface Point {
  readonly name: string;
  readonly server: Server;
  readonly path: string;
  readonly data: Dataset;
  readonly connections: number;
  /** Whether so much is allowed in a minute that the next run must wait until this one is forgotten. */
  readonly limited?: boolean;
  /** What is different about the load, where it is not keys of the data on a core of its own. */
  readonly load?: Partial<Pick<Load, "keys" | "script" | "pinned" | "encoding">>;
  /** The id of a process that works for the server, such as Redis. */
  readonly helper?: number;
}

/** Medians over the rounds, and the memory after the last one. */
export interface Outcome {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly memory: Memory | undefined;
  /** Bytes of an answer with its headers. */
  readonly wireBytes: number;
  /** All requests that were answered, those of the warm-up included. */
  readonly requests: number;
  readonly cost: Cost;
}

/** Microseconds of processor time for a request, the least of the rounds: other work can only add to it. */
interface Cost {
  readonly server: number;
  readonly helper: number;
}

interface Run extends Measured {
  readonly cost: Cost;
}

export interface Turns {
  readonly rounds: number;
  readonly seconds: number;
}

/**
 * Measures all points in each round, so that other work of the machine meets them alike. A round before the first
 * warms up and is not counted.
 */
export async function inTurns<Any extends Point>(
  points: readonly Any[],
  { rounds, seconds }: Turns,
): Promise<Map<Any, Outcome>> {
  const runs = new Map<Any, Run[]>(points.map((point) => [point, []]));
  const memory = new Map<Any, Memory | undefined>();
  // A limit is of a server and a path, however it is asked.
  const endedAt = new Map<string, number>();
  const limitOf = ({ server, path }: Point) => server.url + path;
  for (let round = 0; round <= rounds; round++) {
    for (const point of points) {
      const elapsed = performance.now() - (endedAt.get(limitOf(point)) ?? Number.NEGATIVE_INFINITY);
      if (point.limited && elapsed < MINUTE_MS) await Bun.sleep(MINUTE_MS - elapsed);
      const run = await runOnce(
        point,
        round === 0 ? Math.min(LONGEST_WARM_UP_SECONDS, Math.ceil(seconds / 2)) : seconds,
        runs.get(point)?.at(-1)?.requestsPerSecond,
      );
      endedAt.set(limitOf(point), performance.now());
      runs.get(point)?.push(run);
      memory.set(point, point.server.memory());
      await point.server.emptyLog();
      const name = round === 0 ? "warm-up" : `round ${round} of ${rounds}`;
      const what = `${point.name}: ${rate(run.requestsPerSecond)} requests/s`;
      say([name, point.path, point.load?.encoding, what].filter(Boolean).join("  "));
    }
  }
  return new Map(points.map((point) => [point, outcomeOf(runs.get(point) ?? [], memory.get(point))]));
}

async function runOnce(point: Point, seconds: number, expected: number | undefined): Promise<Run> {
  const { server, path, data, connections, load, helper } = point;
  const used = () => [server.processorSeconds(), helper === undefined ? 0 : processorSecondsOf(helper)];
  const before = used();
  const run = await measure({
    url: server.url,
    path,
    keys: data.keysFile,
    connections,
    seconds,
    expected,
    ...load,
  });
  if (run.failures > 0) throw new Error(`${point.name}: ${run.failures} requests failed`);
  const [ofServer = 0, ofHelper = 0] = used().map(
    (now, index) => ((now - (before[index] ?? 0)) * 1e6) / run.requests,
  );
  return { ...run, cost: { server: ofServer, helper: ofHelper } };
}

function outcomeOf(runs: readonly Run[], memory: Memory | undefined): Outcome {
  // The first one has warmed up.
  const counted = runs.slice(1);
  return {
    perSecond: median(counted.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50: median(counted.map(({ p50 }) => p50)),
    p99: median(counted.map(({ p99 }) => p99)),
    memory,
    wireBytes: median(counted.map(({ wireBytes }) => wireBytes)),
    requests: runs.reduce((sum, { requests }) => sum + requests, 0),
    cost: {
      server: Math.min(...counted.map(({ cost }) => cost.server)),
      helper: Math.min(...counted.map(({ cost }) => cost.helper)),
    },
  };
}
