import { type Dataset, say } from "./dataset.ts";
import { type Measured, measure } from "./load.ts";
import type { Memory, Server } from "./processes.ts";
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
}

/** Medians over the rounds, and the memory after the last one. */
export interface Outcome {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly memory: Memory | undefined;
}

export interface Turns {
  readonly rounds: number;
  readonly seconds: number;
}

/**
 * Measures all points in each round, so that whatever else the machine does meets them alike. A round before the
 * first warms up and is not counted.
 */
export async function inTurns<Any extends Point>(
  points: readonly Any[],
  { rounds, seconds }: Turns,
): Promise<Map<Any, Outcome>> {
  const runs = new Map<Any, Measured[]>(points.map((point) => [point, []]));
  const memory = new Map<Any, Memory | undefined>();
  const endedAt = new Map<Any, number>();
  for (let round = 0; round <= rounds; round++) {
    for (const point of points) {
      const { server, path, data, connections } = point;
      const elapsed = performance.now() - (endedAt.get(point) ?? Number.NEGATIVE_INFINITY);
      if (point.limited && elapsed < MINUTE_MS) await Bun.sleep(MINUTE_MS - elapsed);
      const run = await measure({
        url: server.url,
        path,
        keys: data.keysFile,
        connections,
        seconds: round === 0 ? Math.min(LONGEST_WARM_UP_SECONDS, Math.ceil(seconds / 2)) : seconds,
        expected: runs.get(point)?.at(-1)?.requestsPerSecond,
      });
      endedAt.set(point, performance.now());
      if (run.failures > 0) throw new Error(`${point.name}: ${run.failures} requests failed`);
      runs.get(point)?.push(run);
      memory.set(point, server.memory());
      await server.emptyLog();
      const name = round === 0 ? "warm-up" : `round ${round} of ${rounds}`;
      say(`${name}  ${path}  ${point.name}: ${rate(run.requestsPerSecond)} requests/s`);
    }
  }
  return new Map(
    points.map((point) => {
      const counted = runs.get(point)?.slice(1) ?? [];
      return [
        point,
        {
          perSecond: median(counted.map(({ requestsPerSecond }) => requestsPerSecond)),
          p50: median(counted.map(({ p50 }) => p50)),
          p99: median(counted.map(({ p99 }) => p99)),
          memory: memory.get(point),
        },
      ];
    }),
  );
}
