/** The upper bounds of the buckets of durations, in milliseconds. What takes longer is in one more. */
export const BUCKETS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000];

/** One for each status code there may be. */
const STATUS_CODES = 600;

/** What requests without a route are counted under. */
const NO_ROUTE = "none";

/** How many requests a route has had. Plain sums in plain arrays: adding one costs next to nothing. */
class RouteMetrics {
  readonly byStatus = new Float64Array(STATUS_CODES);
  readonly byDuration = new Float64Array(BUCKETS_MS.length + 1);
  totalMs = 0;
  /** How many were refused for what their address had sent, and not for what their user had. */
  floods = 0;

  add(status: number, milliseconds: number, isFlood = false): void {
    if (isFlood) this.floods++;
    (this.byStatus[status] as number)++;
    let bucket = 0;
    while (milliseconds > (BUCKETS_MS[bucket] as number)) bucket++;
    (this.byDuration[bucket] as number)++;
    this.totalMs += milliseconds;
  }
}

/** What there is to say of all requests together: nothing of users, and nothing of a link tree. */
export class RequestMetrics {
  readonly #routes = new Map<string, RouteMetrics>();

  of(route: string | null): RouteMetrics {
    const name = route ?? NO_ROUTE;
    const metrics = this.#routes.get(name) ?? new RouteMetrics();
    this.#routes.set(name, metrics);
    return metrics;
  }

  get routes(): ReadonlyMap<string, RouteMetrics> {
    return this.#routes;
  }
}
