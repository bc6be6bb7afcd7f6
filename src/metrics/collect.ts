import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { ERRORS } from "../contract/errors.ts";
import { ROUTES } from "../contract/routes.ts";
import { pingInTime } from "../http/health.ts";
import { BUCKETS_MS, type RequestNumbers } from "../http/request-numbers.ts";
import type { RunningLimiter } from "../limits/limiter.ts";
import type { DocumentReader } from "../store/reader.ts";
import type { GroupCommit } from "../tracking/group-commit.ts";
import type { Visits } from "../tracking/visits.ts";
import { type Family, family, type Sample, single } from "./metrics.ts";

const LAG_RESOLUTION_MS = 10;

const { statusCode: REFUSED } = ERRORS.rate_limited;

const LIMITED_ROUTES: ReadonlySet<string> = new Set(ROUTES.map(({ path }) => path));

export interface Sources {
  readonly numbers: RequestNumbers;
  readonly limiter: RunningLimiter;
  readonly reader: Pick<DocumentReader, "ping">;
  readonly commits: Pick<GroupCommit, "numbers">;
  readonly visits: Pick<Visits, "notCounted">;
}

/** Reads what one process has to tell, when it is asked. Nothing in it concerns a user, a view or a click. */
export class Collector {
  readonly #sources: Sources;
  readonly #lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#lag.enable();
  }

  async collect(): Promise<Family[]> {
    const { numbers, limiter, reader, commits, visits } = this.#sources;
    return [
      ...requestFamilies(numbers),
      single("vitrine_limiter_shared", limiter.state === "shared" ? 1 : 0),
      single("vitrine_limiter_fallbacks_total", limiter.fallbacks),
      single("vitrine_store_up", await answers(reader)),
      family(
        "vitrine_visits_not_counted_total",
        Object.entries(visits.notCounted).map(([reason, value]) => ({ value, labels: { reason } })),
      ),
      single("vitrine_visits_lost_total", commits.numbers.dropped),
      family("vitrine_tracking_commits_total", [
        { value: commits.numbers.transactions, labels: { result: "done" } },
        { value: commits.numbers.failures, labels: { result: "failed" } },
      ]),
      ...this.#lagFamilies(),
      ...processFamilies(),
    ];
  }

  #lagFamilies(): Family[] {
    const [p99, max] = [this.#lag.percentile(99), this.#lag.max];
    this.#lag.reset();
    return [
      single("vitrine_event_loop_lag_p99_seconds", p99 / 1e9),
      single("vitrine_event_loop_lag_max_seconds", max / 1e9),
    ];
  }

  close(): void {
    this.#lag.disable();
  }
}

function requestFamilies(numbers: RequestNumbers): Family[] {
  const requests: Sample[] = [];
  const durations: Sample[] = [];
  const refusals: Sample[] = [];
  for (const [route, { byStatus, byDuration, totalMs }] of numbers.routes) {
    for (const [status, value] of byStatus.entries()) {
      if (value > 0) requests.push({ value, labels: { route, status: String(status) } });
    }
    durations.push(...histogram(route, byDuration, totalMs));
    if (LIMITED_ROUTES.has(route)) refusals.push({ value: byStatus[REFUSED] ?? 0, labels: { route } });
  }
  return [
    family("vitrine_requests_total", requests),
    family("vitrine_request_duration_seconds", durations),
    family("vitrine_limiter_refusals_total", refusals),
  ];
}

/** Each bucket holds all that are in smaller ones too. A route that nobody has asked for is left out. */
function histogram(route: string, byDuration: Float64Array, totalMs: number): Sample[] {
  const name = "vitrine_request_duration_seconds";
  const bounds = [...BUCKETS_MS.map((bound) => String(bound / 1000)), "+Inf"];
  let count = 0;
  const buckets = bounds.map((le, index) => {
    count += byDuration[index] ?? 0;
    return { metricName: `${name}_bucket`, value: count, labels: { le, route } };
  });
  if (count === 0) return [];
  return [
    ...buckets,
    { metricName: `${name}_sum`, value: totalMs / 1000, labels: { route } },
    { metricName: `${name}_count`, value: count, labels: { route } },
  ];
}

async function answers(reader: Pick<DocumentReader, "ping">): Promise<0 | 1> {
  try {
    await pingInTime(reader);
    return 1;
  } catch {
    return 0;
  }
}

function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage();
  return [
    single("process_resident_memory_bytes", process.memoryUsage.rss()),
    single("process_cpu_seconds_total", (user + system) / 1e6),
    ...openFiles(),
    single("process_start_time_seconds", Math.round(Date.now() / 1000 - process.uptime())),
  ];
}

function openFiles(): Family[] {
  try {
    return [single("process_open_fds", readdirSync("/proc/self/fd").length)];
  } catch {
    return [];
  }
}
