import type { MaybePromise } from "../async/maybe-promise.ts";
import type { ApiError } from "../contract/errors.ts";
import type { Standing } from "../limits/limiter.ts";

/** What varies in a path, by the names that its template has for it: `/t/:slug` has a `slug`. */
export type Params<Path extends string = string> = Readonly<Bun.BunRequest<Path>["params"]>;

/** One request, and what is found out about it on the way to its answer. */
export interface Exchange<Path extends string = string> {
  readonly id: string;
  readonly method: string;
  /** The template of the path, or null where nothing matched. */
  readonly route: string | null;
  readonly params: Params<Path>;
  readonly startedAt: number;
  userId: string | null;
  keyId: string | null;
  /** When the key ends, once it is found to be a good one. */
  keyExpiresAt: number | null;
  /** Known once the limiter was asked. */
  standing: Standing | null;
  /** Whether the address was refused, for wrong keys: that is told of together, and not in a line of its own. */
  isFlood: boolean;
}

/** What one path does with a request. */
export type Work<Path extends string = string> = (
  request: Request,
  exchange: Exchange<Path>,
) => MaybePromise<Response>;

/** Makes an answer of an error. */
export type Refusal = (error: ApiError, exchange: Pick<Exchange, "id" | "standing">) => Response;

/** Answers a request that was routed to it. */
export type Handler = (request: Request, params: Params) => MaybePromise<Response>;
