/** Every metric that is served: the page and the documentation are derived from this table. */
export const METRICS = {
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
  vitrine_store_up: {
    type: "gauge",
    labels: [],
    help: "1 where storage answered when the metrics were read, 0 where it did not.",
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
  process_resident_memory_bytes: { type: "gauge", labels: [], help: "Memory in use." },
  process_cpu_seconds_total: { type: "counter", labels: [], help: "Processor time, of user and system." },
  process_open_fds: { type: "gauge", labels: [], help: "Open files and connections. Only on Linux." },
  process_start_time_seconds: {
    type: "gauge",
    labels: [],
    help: "When the process started, in seconds since 1970.",
  },
  vitrine_workers: { type: "gauge", labels: [], help: "How many processes serve." },
  vitrine_worker_restarts_total: {
    type: "counter",
    labels: [],
    help: "How often a worker that had died was replaced.",
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
  /** Of a histogram: the name with what it is a sample of. */
  readonly metricName?: string;
}

/** A metric with its samples, in the form that the library reads and that can be sent to another process. */
export interface Family {
  readonly name: MetricName;
  readonly help: string;
  readonly type: Metric["type"];
  readonly values: readonly Sample[];
  /** How samples with equal labels become one. Ours have labels of their own, so there is nothing to choose. */
  readonly aggregator: "sum";
}

export function family(name: MetricName, values: readonly Sample[]): Family {
  const { help, type } = METRICS[name];
  return { name, help, type, values, aggregator: "sum" };
}

export function single(name: MetricName, value: number): Family {
  return family(name, [{ value, labels: {} }]);
}
