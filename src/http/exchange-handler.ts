import type { MaybePromise } from "../async/maybe-promise.ts";
import { ApiError } from "../contract/errors.ts";
import { HEADER } from "../contract/headers.ts";
import { timestampOf } from "../keys/lifetime.ts";
import type { Log } from "../logging/log.ts";
import { StoreUnavailable } from "../store/unavailable.ts";
import { Answering, type Manner } from "./answering.ts";
import type { Exchange, Handler, Outcome, Params, Refusal, Routed, Work } from "./exchange.ts";
import type { Serving } from "./parts.ts";
import { errorResponse, optionsResponse } from "./responses.ts";
import { isInChunks, isRefused } from "./steps/chunks.ts";
import { type Accepted, READING } from "./steps/cors.ts";
import { refuseMalformedHost } from "./steps/host.ts";
import { requestIdOf, withRequestId } from "./steps/request-id.ts";
import { logExchange } from "./steps/request-log.ts";

const refusal: Refusal = (error, { id }) => errorResponse(error, id);

interface Options {
  readonly refuse?: Refusal;
  readonly accepted?: Accepted;
  /** Whether a request is answered in step with all others of its turn, and not at once. */
  readonly isTogether?: (request: Request) => boolean;
}

/** What every path has in common: a request id, the methods, errors as answers, CORS and a line in the log. */
export function exchangeHandler<Path extends string>(
  route: Path | null,
  serving: Serving,
  work: Work<Path, Outcome>,
  { refuse = refusal, accepted = READING, isTogether = () => false }: Options = {},
): Handler {
  const { cors, log, failedKeys } = serving;
  const methods = accepted.methods.split(", ");
  const logs = log.writes("info");
  const metrics = serving.metrics?.of(route);
  const isTimed = logs || metrics !== undefined;

  function open(request: Request, params: Params, startedAt: number): Exchange<Path> {
    const isLast = isInChunks(request);
    return {
      id: requestIdOf(request.headers.get(HEADER.requestId)),
      method: request.method,
      route,
      params: params as Params<Path>,
      startedAt,
      isLast,
      isGone: isLast && isRefused(request),
      userId: null,
      keyId: null,
      keyExpiresAt: null,
      standing: null,
      isFlood: false,
    };
  }

  function begin(request: Request, exchange: Exchange<Path>): MaybePromise<Outcome> {
    if (exchange.isGone) return new Response(null);
    refuseMalformedHost(request.headers.get(HEADER.host));
    // A browser keeps from a page what is wrong with a path unless the page may ask for it.
    if (exchange.method === "OPTIONS" && (route !== null || cors.isAsked(request)))
      return optionsResponse(exchange.id, accepted.methods);
    if (route !== null && !methods.includes(exchange.method)) throw new ApiError("method_not_allowed");
    return work(request, exchange);
  }

  function fail(error: unknown, request: Request, exchange: Exchange<Path>): Response {
    const cause = toApiError(error, exchange.id, log);
    const judged = failedKeys?.judge(cause, request, serving.peerOf) ?? cause;
    exchange.isFlood = judged.code === "rate_limited" && exchange.standing === null;
    const response = refuse(judged, exchange);
    if (judged.code === "method_not_allowed") response.headers.set(HEADER.allow, accepted.methods);
    return response;
  }

  function finish(request: Request, response: Response, exchange: Exchange<Path>): Response {
    if (exchange.isGone) return response;
    // RFC 9110, section 6.6.1. Bun sends the date with every answer but one to HEAD.
    if (exchange.method === "HEAD") response.headers.set(HEADER.date, new Date().toUTCString());
    if (exchange.keyExpiresAt !== null)
      response.headers.set(HEADER.keyExpires, timestampOf(exchange.keyExpiresAt));
    cors.apply(request, response, accepted);
    if (serving.isDraining || exchange.isLast) response.headers.set(HEADER.connection, "close");
    metrics?.add(response.status, performance.now() - exchange.startedAt, exchange.isFlood);
    if (logs && !exchange.isFlood) logExchange(log, exchange, response.status);
    return response;
  }

  const manner: Manner<Path> = { open, begin, fail, finish };

  return (request, params) => {
    const answering = new Answering(manner, request, params, isTimed ? performance.now() : 0);
    return isTogether(request) || isInChunks(request) ? answering.together() : answering.atOnce();
  };
}

/** A path with its handler, for work that leaves it to others to say the id of the request. */
export function routed<Path extends string>(
  path: Path,
  serving: Serving,
  work: Work<Path>,
  options?: Options,
): Routed {
  return [path, exchangeHandler(path, serving, withRequestId(work), options)];
}

/** What a caller is told of a failure. Its cause goes to the log, with the id that the caller has too. */
export function toApiError(error: unknown, requestId: string, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  const unavailable = error instanceof StoreUnavailable;
  const reason = unavailable ? error.reason : String((error as Error)?.stack ?? error);
  log.error(unavailable ? "storage is unavailable" : "a request failed", { requestId, reason });
  return new ApiError(unavailable ? "unavailable" : "internal", { cause: error });
}
