import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type MaybePromise, withDeadline } from "../async/maybe-promise.ts";
import { EXPIRES_SOON_MS } from "../contract/access.ts";
import { ERRORS } from "../contract/errors.ts";
import { LIMITED_ROUTES } from "../contract/routes.ts";
import { pingInTime } from "../http/health.ts";
import type { FailedKeys } from "../http/steps/failed-keys.ts";
import { BUCKETS_MS, type RequestMetrics } from "../http/steps/request-metrics.ts";
import type { Limiter } from "../limits/limiter.ts";
import type { Log } from "../logging/log.ts";
import type { HookNumbers } from "../store/hook-queue.ts";
import type { DocumentReader } from "../store/reader.ts";
import type { GroupCommit } from "../tracking/group-commit.ts";
import type { Visits } from "../tracking/visits.ts";
import { type Family, type MetricName, type Sample, single } from "./metrics.ts";

const LAG_RESOLUTION_MS = 10;

/** The longest that counting keys or hooks may take: then the page goes without, well before a worker is left out. */
const MAX_COUNTING_MS = 500;

const { statusCode: REFUSED } = ERRORS.rate_limited;

const LIMITED_PATHS: ReadonlySet<string> = new Set(LIMITED_ROUTES.map(({ path }) => path));

/** Counts keys beside the requests, so that no read waits for it. */
interface ExpiringKeys {
  expiringKeys(withinMs: number): MaybePromise<number>;
}

interface Sources {
  readonly requests: RequestMetrics;
  readonly limiter: Limiter;
  /** Absent where wrong keys are not limited. */
  readonly failedKeys?: Pick<FailedKeys, "numbers"> | undefined;
  readonly reader: Pick<DocumentReader, "ping" | "isReplicaUp">;
  readonly commits: Pick<GroupCommit, "numbers">;
  readonly visits: Pick<Visits, "notCounted">;
  readonly log: Pick<Log, "dropped">;
  readonly presence: { readonly others: number };
  readonly writer: ExpiringKeys;
  readonly announcer: HookSource;
  readonly keeper: Numbered<"kept" | "dropped" | "failed">;
  /** Absent where nothing is drawn. */
  readonly previews?: Numbered<"drawn" | "failed" | "refused"> | undefined;
}

interface Numbered<Result extends string> {
  readonly numbers: Readonly<Record<Result, number>>;
}

/** What announces changes. Of the database it tells nothing while that is away. */
interface HookSource {
  readonly tries: { readonly delivered: number; readonly failed: number };
  numbers(): Promise<HookNumbers | undefined>;
}

const HOOK_STATES = ["active", "failing", "disabled"] as const;

/** Reads what one process has to tell, when it is asked. Nothing in it concerns a user, a view or a click. */
export class Collector {
  readonly #sources: Sources;
  readonly #expiring = new Count<number>();
  readonly #hooks = new Count<HookNumbers | undefined>();
  readonly #lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#lag.enable();
  }

  async collect(): Promise<Family[]> {
    const sources = this.#sources;
    // All at the same time: a database that hangs must not take the other metrics along.
    const [expiring, storeUp, hooks] = await Promise.all([
      this.#expiring.ask(() => sources.writer.expiringKeys(EXPIRES_SOON_MS)),
      answers(sources.reader),
      this.#hooks.ask(() => sources.announcer.numbers()),
    ]);
    const { isReplicaUp } = sources.reader;
    const { dropped, transactions, failures } = sources.commits.numbers;
    return [
      ...requestFamilies(sources.requests),
      byLabel("vitrine_failed_keys_total", "result", sources.failedKeys?.numbers),
      single("vitrine_limiter_shared", sources.limiter.isShared ? 1 : 0),
      single("vitrine_limiter_fallbacks_total", sources.limiter.fallbacks),
      single("vitrine_other_servers", sources.presence.others),
      single("vitrine_keys_expiring", expiring),
      single("vitrine_store_up", storeUp),
      single("vitrine_replica_up", isReplicaUp === undefined ? undefined : Number(isReplicaUp)),
      byLabel("vitrine_visits_not_counted_total", "reason", sources.visits.notCounted),
      single("vitrine_visits_lost_total", dropped),
      byLabel("vitrine_tracking_commits_total", "result", { done: transactions, failed: failures }),
      ...hookFamilies(hooks, sources.announcer.tries),
      byLabel("vitrine_renditions_total", "result", sources.keeper.numbers),
      byLabel("vitrine_pictures_total", "result", sources.previews?.numbers),
      single("vitrine_log_lines_dropped_total", sources.log.dropped),
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

function requestFamilies({ routes }: RequestMetrics): Family[] {
  const requests: Sample[] = [];
  const durations: Sample[] = [];
  const refusals: Sample[] = [];
  for (const [route, { byStatus, byDuration, totalMs, floods }] of routes) {
    for (const [status, value] of byStatus.entries()) {
      if (value > 0) requests.push({ value, labels: { route, status: String(status) } });
    }
    durations.push(...histogram(route, byDuration, totalMs));
    if (LIMITED_PATHS.has(route)) {
      refusals.push({ value: (byStatus[REFUSED] ?? 0) - floods, labels: { route } });
    }
  }
  return [
    { name: "vitrine_requests_total", samples: requests },
    { name: "vitrine_request_duration_seconds", samples: durations },
    { name: "vitrine_limiter_refusals_total", samples: refusals },
  ];
}

/** Each bucket holds all that are in smaller ones too. A route that had no request is left out. */
function histogram(route: string, byDuration: Float64Array, totalMs: number): Sample[] {
  const bounds = [...BUCKETS_MS.map((bound) => String(bound / 1000)), "+Inf"];
  let count = 0;
  const buckets = bounds.map((le, index): Sample => {
    count += byDuration[index] ?? 0;
    return { suffix: "_bucket", value: count, labels: { le, route } };
  });
  if (count === 0) return [];
  return [
    ...buckets,
    { suffix: "_sum", value: totalMs / 1000, labels: { route } },
    { suffix: "_count", value: count, labels: { route } },
  ];
}

/** A metric that has one label, with a sample for each of its values: none where what is counted is turned off. */
function byLabel(name: MetricName, label: string, numbers: Readonly<Record<string, number>> = {}): Family {
  const samples = Object.entries(numbers).map(([said, value]) => ({ value, labels: { [label]: said } }));
  return { name, samples };
}

async function answers(reader: Pick<DocumentReader, "ping">): Promise<0 | 1> {
  try {
    await pingInTime(reader);
    return 1;
  } catch {
    return 0;
  }
}

/**
 * Asks a database to count, and again only once that has come to an end: one that hangs would else gather a question
 * for each time that metrics are read, and whoever counts or stops would wait for all of them.
 */
class Count<Value> {
  #underWay: Promise<Value> | undefined;

  /** Nothing where counting fails, or takes too long. */
  async ask(count: () => MaybePromise<Value>): Promise<Value | undefined> {
    this.#underWay ??= Promise.try(count).finally(() => {
      this.#underWay = undefined;
    });
    try {
      return await withDeadline(this.#underWay, MAX_COUNTING_MS);
    } catch {
      return undefined;
    }
  }
}

function hookFamilies(told: HookNumbers | undefined, tries: HookSource["tries"]): Family[] {
  const hooks = told && HOOK_STATES.map((state) => ({ value: told[state], labels: { state } }));
  return [
    { name: "vitrine_hooks", samples: hooks ?? [] },
    single("vitrine_hook_deliveries_waiting", told?.waiting),
    byLabel("vitrine_hook_tries_total", "result", tries),
  ];
}

function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage();
  return [
    ...toldBySystem("process_resident_memory_bytes", () => process.memoryUsage.rss()),
    single("process_cpu_seconds_total", (user + system) / 1e6),
    ...toldBySystem("process_open_fds", () => readdirSync("/proc/self/fd").length),
    single("process_start_time_seconds", Math.round(Date.now() / 1000 - process.uptime())),
  ];
}

/** Nothing where the system does not tell: where it is not Linux, and where every descriptor is in use. */
function toldBySystem(name: MetricName, read: () => number): Family[] {
  try {
    return [single(name, read())];
  } catch {
    return [];
  }
}
