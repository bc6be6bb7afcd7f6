/** Every metric that is served: the page and the documentation are derived from this table. */
export const METRICS = {
  vitrine_build_info: {
    type: "gauge",
    labels: ["version", "commit", "bun"],
    help: "Always 1; its labels say what runs.",
  },
  vitrine_requests_total: {
    type: "counter",
    labels: ["route", "status"],
    help: "Requests that were answered.",
  },
  vitrine_request_duration_seconds: {
    type: "histogram",
    labels: ["route"],
    help: "How long it took to answer a request.",
  },
  vitrine_limiter_refusals_total: {
    type: "counter",
    labels: ["route"],
    help: "Requests that were refused because their user had used up the limit.",
  },
  vitrine_failed_keys_total: {
    type: "counter",
    labels: ["result"],
    help: "Requests without a good key, by whether they were counted (401) or refused (429). Only with LIMIT_FAILED.",
  },
  vitrine_limiter_shared: {
    type: "gauge",
    labels: [],
    help: "1 while requests are counted in Redis, 0 while the process counts by itself.",
  },
  vitrine_limiter_fallbacks_total: {
    type: "counter",
    labels: [],
    help: "How often the process had to begin counting by itself, because Redis was slow or away.",
  },
  vitrine_other_servers: {
    type: "gauge",
    labels: [],
    help: "Other servers, or workers, on the same database. Without Redis each counts requests for itself.",
  },
  vitrine_keys_expiring: {
    type: "gauge",
    labels: [],
    help: "Keys that work and will expire within 14 days, of all users. Left out while they cannot be counted.",
  },
  vitrine_store_up: {
    type: "gauge",
    labels: [],
    help: "1 where storage answered when the metrics were read, 0 where it did not.",
  },
  vitrine_replica_up: {
    type: "gauge",
    labels: [],
    help: "1 while the replica is read from, 0 while it is away or behind and the primary is. Only where there is a replica.",
  },
  vitrine_visits_not_counted_total: {
    type: "counter",
    labels: ["reason"],
    help: "Visits that are neither a view nor a click.",
  },
  vitrine_visits_lost_total: {
    type: "counter",
    labels: [],
    help: "Views and clicks that could not be written and for which there was no more room.",
  },
  vitrine_tracking_commits_total: {
    type: "counter",
    labels: ["result"],
    help: "Transactions with views, clicks and uses of keys, by how they ended: done or failed.",
  },
  vitrine_hooks: {
    type: "gauge",
    labels: ["state"],
    help: "Hooks in the database, by how they are: active, failing or disabled.",
  },
  vitrine_hook_deliveries_waiting: {
    type: "gauge",
    labels: [],
    help: "Deliveries to hooks that are to be tried, or to be tried again.",
  },
  vitrine_hook_tries_total: {
    type: "counter",
    labels: ["result"],
    help: "Tries to deliver to a hook by this process, by how they ended: delivered or failed.",
  },
  vitrine_renditions_total: {
    type: "counter",
    labels: ["result"],
    help: "Pages, cards and résumés that were made from a record: kept, dropped since too many waited or nothing could be written, or failed to be written.",
  },
  vitrine_pictures_total: {
    type: "counter",
    labels: ["result"],
    help: "Preview pictures that were asked for and not kept yet: drawn, failed, or refused since too many waited or nothing could be written.",
  },
  vitrine_log_lines_dropped_total: {
    type: "counter",
    labels: [],
    help: "Lines of the log that were dropped because nobody took them in time.",
  },
  vitrine_event_loop_lag_p99_seconds: {
    type: "gauge",
    labels: [],
    help: "The delay of the event loop that 99 of 100 turns stayed under, since the metrics were last read.",
  },
  vitrine_event_loop_lag_max_seconds: {
    type: "gauge",
    labels: [],
    help: "The longest delay of the event loop since the metrics were last read.",
  },
  process_resident_memory_bytes: {
    type: "gauge",
    labels: [],
    help: "Memory in use. Left out while no more files can be opened.",
  },
  process_cpu_seconds_total: { type: "counter", labels: [], help: "Processor time, of user and system." },
  process_open_fds: {
    type: "gauge",
    labels: [],
    help: "Open files and connections. Only on Linux, and left out while no more can be opened.",
  },
  process_start_time_seconds: {
    type: "gauge",
    labels: [],
    help: "When the process started, in seconds since 1970.",
  },
  vitrine_workers: { type: "gauge", labels: [], help: "How many processes serve." },
  vitrine_worker_restarts_total: {
    type: "counter",
    labels: [],
    help: "How often a worker that had died, or did not answer, was to be replaced: each attempt counts.",
  },
} as const satisfies Readonly<Record<string, Metric>>;

interface Metric {
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
  readonly help: string;
}

export type MetricName = keyof typeof METRICS;

export interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
  /** What it says of a histogram. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

/** A metric with its samples. Plain data, so that it can be sent to another process. */
export interface Family {
  readonly name: MetricName;
  readonly samples: readonly Sample[];
}

/** A metric that has no labels, and so one sample, or none where there is nothing to tell. */
export function single(name: MetricName, value: number | undefined): Family {
  return { name, samples: value === undefined ? [] : [{ value, labels: {} }] };
}

/** The same samples, each with the number of the worker that it is from. */
export function ofWorker(worker: number, families: readonly Family[]): Family[] {
  return families.map(({ name, samples }) => ({
    name,
    samples: samples.map((sample) => ({ ...sample, labels: { ...sample.labels, worker: String(worker) } })),
  }));
}
