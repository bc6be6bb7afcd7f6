import { ApiError } from "../contract/errors.ts";
import { HEADER } from "../contract/headers.ts";
import type { Route } from "../contract/routes.ts";
import type { Limiter, Standing } from "../limits/limiter.ts";
import type { Log } from "../logging/log.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { type DocumentReader, type KeyedDocument, StoreUnavailable } from "../store/reader.ts";
import type { KeyUse } from "../tracking/key-use.ts";
import type { Visits } from "../tracking/visits.ts";
import { keyHashOf, refuseEndedKey } from "./authorization.ts";
import { namesTag } from "./conditional.ts";
import type { Cors } from "./cors.ts";
import { requestIdOf } from "./request-id.ts";
import { type Exchange, logExchange } from "./request-log.ts";
import type { RequestNumbers } from "./request-numbers.ts";
import { refuseMalformedHost } from "./request-path.ts";
import { errorResponse, LimitedResponses, optionsResponse } from "./responses.ts";

/** All that answering a request takes. Nothing here can write a record or issue a key. */
export interface Parts {
  readonly reader: DocumentReader;
  readonly limiter: Limiter;
  readonly limits: Readonly<Record<Route["limit"], number>>;
  readonly keyUse: Pick<KeyUse, "note">;
  readonly visits: Visits;
  /** The origin that visitors know the server by, or nothing where it is not known. */
  readonly publicUrl: string;
  readonly cors: Cors;
  readonly log: Log;
  /** Absent where nobody looks at them. */
  readonly numbers?: RequestNumbers | undefined;
  /** The wall clock, by which keys expire. */
  readonly now: () => number;
}

/** The parts while they serve. */
export interface Serving extends Parts {
  /** Set when the process is about to stop: whoever is answered is told to connect anew, and so elsewhere. */
  isDraining: boolean;
}

/** Answers one request. The slug of a tree and the id of a link are given where the path has them. */
export type Handler = (request: Request, slug: string, linkId: string) => MaybePromise<Response>;

/**
 * The life of a request to a route of the API, step by step. An embedded store and limiter answer at once, and
 * then each step calls the next without the cost of a promise.
 */
export function apiHandler(route: Route, endpoint: number, parts: Serving): Handler {
  const { reader, limiter, keyUse, now } = parts;
  const limit = parts.limits[route.limit];
  const responses = new LimitedResponses(route, limit);
  const kind = route.document;

  function find(request: Request, slug: string, exchange: Exchange): MaybePromise<Response> {
    const keyHash = keyHashOf(request.headers.get(HEADER.authorization));
    const found =
      kind === "linktree" ? reader.readLinkTree(keyHash, slug) : reader.readDocument(keyHash, kind);
    if (found instanceof Promise) return found.then((it) => admit(request, it, exchange));
    return admit(request, found, exchange);
  }

  function admit(request: Request, found: KeyedDocument | null, exchange: Exchange): MaybePromise<Response> {
    if (found === null) throw new ApiError("invalid_key");
    exchange.keyId = found.keyId;
    exchange.userId = found.userId;
    refuseEndedKey(found, now());
    keyUse.note(found.keyId, found.lastUsedAt);
    const standing = limiter.take(found.userNumber, endpoint, limit);
    if (standing instanceof Promise) return standing.then((it) => deliver(request, found, it, exchange));
    return deliver(request, found, standing, exchange);
  }

  function deliver(
    request: Request,
    { etag, body }: KeyedDocument,
    standing: Standing,
    exchange: Exchange,
  ): Response {
    exchange.standing = standing;
    if (!standing.allowed) throw new ApiError("rate_limited");
    if (etag === null || body === null) {
      if (kind === "linktree") throw new ApiError("tree_not_found");
      throw new Error(`a user has no ${kind} document`);
    }
    const ifNoneMatch = request.headers.get(HEADER.ifNoneMatch);
    if (ifNoneMatch !== null && namesTag(ifNoneMatch, etag)) {
      return responses.notModified(etag, standing, exchange.id);
    }
    return responses.document(body as Uint8Array<ArrayBuffer>, etag, standing, exchange.id);
  }

  /** Every answer to a known key says where its user stands, errors too. */
  function refuse(error: ApiError, { standing, id }: Exchange): Response {
    return standing ? responses.error(error, standing, id) : errorResponse(error, id);
  }

  return exchangeHandler(route.path, parts, find, refuse);
}

export type Work = (
  request: Request,
  slug: string,
  exchange: Exchange,
  linkId: string,
) => MaybePromise<Response>;

/** What every path has in common: a request id, the methods, errors as answers, CORS and a line in the log. */
export function exchangeHandler(
  route: string | null,
  parts: Serving,
  work: Work,
  refuse = (error: ApiError, exchange: Exchange): Response => errorResponse(error, exchange.id),
): Handler {
  const { cors, log } = parts;
  const logs = log.writes("info");
  const numbers = parts.numbers?.of(route);
  const isTimed = logs || numbers !== undefined;

  function answer(
    request: Request,
    slug: string,
    exchange: Exchange,
    linkId: string,
  ): MaybePromise<Response> {
    refuseMalformedHost(request.headers.get(HEADER.host));
    if (route !== null && exchange.method !== "GET" && exchange.method !== "HEAD") {
      if (exchange.method === "OPTIONS") return optionsResponse(exchange.id);
      throw new ApiError("method_not_allowed");
    }
    return work(request, slug, exchange, linkId);
  }

  function fail(error: unknown, exchange: Exchange): Response {
    return refuse(toApiError(error, exchange, log), exchange);
  }

  function finish(request: Request, response: Response, exchange: Exchange): Response {
    // RFC 9110, section 6.6.1. Bun sends the date with every answer but one to HEAD.
    if (exchange.method === "HEAD") response.headers.set(HEADER.date, new Date().toUTCString());
    cors.apply(request, response);
    if (parts.isDraining) response.headers.set(HEADER.connection, "close");
    numbers?.add(response.status, performance.now() - exchange.startedAt);
    if (logs) logExchange(log, exchange, response.status);
    return response;
  }

  return (request, slug, linkId) => {
    const exchange: Exchange = {
      id: requestIdOf(request.headers.get(HEADER.requestId)),
      method: request.method,
      route,
      startedAt: isTimed ? performance.now() : 0,
      userId: null,
      keyId: null,
      standing: null,
    };
    let response: MaybePromise<Response>;
    try {
      response = answer(request, slug, exchange, linkId);
    } catch (error) {
      response = fail(error, exchange);
    }
    if (!(response instanceof Promise)) return finish(request, response, exchange);
    return response.catch((error) => fail(error, exchange)).then((it) => finish(request, it, exchange));
  };
}

/** What a caller is told of a failure. Its cause goes to the log, with the id that the caller has too. */
function toApiError(error: unknown, exchange: Exchange, log: Log): ApiError {
  if (error instanceof ApiError) return error;
  const unavailable = error instanceof StoreUnavailable;
  const reason = unavailable
    ? `${error.message}: ${String(error.cause)}`
    : String((error as Error)?.stack ?? error);
  log.error(unavailable ? "storage is unavailable" : "a request failed", { requestId: exchange.id, reason });
  return new ApiError(unavailable ? "unavailable" : "internal", { cause: error });
}
