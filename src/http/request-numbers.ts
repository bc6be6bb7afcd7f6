/** The upper bounds of the buckets of durations, in milliseconds. What takes longer is in one more. */
export const BUCKETS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000];

const MOST_STATUS = 600;

/** What requests are counted under for which there is no route. */
const NO_ROUTE = "none";

/** How many requests a route has had. Plain sums in plain arrays: adding one costs next to nothing. */
export class RouteNumbers {
  readonly byStatus = new Float64Array(MOST_STATUS);
  readonly byDuration = new Float64Array(BUCKETS_MS.length + 1);
  totalMs = 0;

  add(status: number, milliseconds: number): void {
    (this.byStatus[status] as number)++;
    let bucket = 0;
    while (milliseconds > (BUCKETS_MS[bucket] as number)) bucket++;
    (this.byDuration[bucket] as number)++;
    this.totalMs += milliseconds;
  }
}

/** What there is to say of all requests together: nothing of users, and nothing of a link tree. */
export class RequestNumbers {
  readonly #routes = new Map<string, RouteNumbers>();

  of(route: string | null): RouteNumbers {
    const name = route ?? NO_ROUTE;
    const numbers = this.#routes.get(name) ?? new RouteNumbers();
    this.#routes.set(name, numbers);
    return numbers;
  }

  get routes(): ReadonlyMap<string, RouteNumbers> {
    return this.#routes;
  }
}
