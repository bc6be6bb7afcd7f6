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
  /** Whether nothing more may come on its connection. */
  readonly isLast: boolean;
  /** Whether nobody is there for the answer: then nothing is done, and nothing said of it. */
  readonly isGone: boolean;
  userId: string | null;
  keyId: string | null;
  /** When the key ends, once it is found to be a good one. */
  keyExpiresAt: number | null;
  /** Known once the limiter was asked. */
  standing: Standing | null;
  /** Whether the address was refused, for wrong keys: that is told of together, and not in a line of its own. */
  isFlood: boolean;
}

/** What a step on the way to an answer leads to: the answer, or the next step. */
export type Outcome = Response | (() => MaybePromise<Outcome>);

/** What one path does with a request: all of it, or the first step. */
export type Work<Path extends string = string, Result extends Outcome = Response> = (
  request: Request,
  exchange: Exchange<Path>,
) => MaybePromise<Result>;

/** Makes an answer of an error. */
export type Refusal = (error: ApiError, exchange: Pick<Exchange, "id" | "standing">) => Response;

/** Answers a request that was routed to it. */
export type Handler = (request: Request, params: Params) => MaybePromise<Response>;

export type Routed = readonly [path: string, handler: Handler];
