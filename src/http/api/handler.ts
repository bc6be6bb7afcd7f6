import type { MaybePromise } from "../../async/maybe-promise.ts";
import { ApiError } from "../../contract/errors.ts";
import { HEADER } from "../../contract/headers.ts";
import type { Route } from "../../contract/routes.ts";
import type { Standing } from "../../limits/limiter.ts";
import { gzipAnswer, isPackable, plainAnswer } from "../../packing/answer.ts";
import type { KeyedDocument } from "../../store/reader.ts";
import type { Exchange, Handler, Outcome } from "../exchange.ts";
import { exchangeHandler } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";
import {
  INVALID_KEY,
  mayRead,
  type PresentedKey,
  presentedKey,
  refuseEndedKey,
} from "../steps/authorization.ts";
import { acceptsGzip } from "../steps/compression.ts";
import { namedTag } from "../steps/conditional.ts";
import { findDocument, whyMissing } from "../steps/stored-document.ts";
import { LimitedResponses } from "./responses.ts";

/**
 * The life of a request to a route of the API, step by step. An embedded store and a limiter in memory answer at once,
 * and then the next step follows without the cost of a promise.
 */
export function apiHandler(route: Route, serving: Serving): Handler {
  const { limiter, keyUse, longAnswers, now } = serving;
  const limit = serving.limits[route.limit];
  const responses = new LimitedResponses(route, limit);
  const { name: endpoint, document: kind, keyPath } = route;

  function identify(request: Request, exchange: Exchange): Outcome {
    const key = presentedKey(request.headers.get(HEADER.authorization));
    return () => find(request, key, exchange);
  }

  function find(request: Request, key: PresentedKey, exchange: Exchange): MaybePromise<Outcome> {
    const found = findDocument(serving, request, key, kind, exchange.params.slug ?? "");
    if (found instanceof Promise) return found.then((it) => admit(request, it, exchange));
    return () => admit(request, found, exchange);
  }

  function admit(request: Request, found: KeyedDocument | null, exchange: Exchange): MaybePromise<Response> {
    if (found === null) throw INVALID_KEY;
    exchange.keyId = found.keyId;
    exchange.userId = found.userId;
    refuseEndedKey(found, now());
    exchange.keyExpiresAt = found.expiresAt;
    keyUse.note(found.keyId, found.lastUsedAt);
    if (!mayRead(keyPath, found)) return turnAway(found, exchange);
    const standing = limiter.take(found.userNumber, endpoint, limit);
    if (standing instanceof Promise) return standing.then((it) => deliver(request, found, it, exchange));
    return deliver(request, found, standing, exchange);
  }

  /** The caller is told where its user stands, as in every answer, and nothing is counted. */
  function turnAway(found: KeyedDocument, exchange: Exchange): MaybePromise<Response> {
    const refuse = (standing: Standing): never => {
      exchange.standing = standing;
      throw new ApiError("key_not_allowed");
    };
    const standing = limiter.look(found.userNumber, endpoint, limit);
    return standing instanceof Promise ? standing.then(refuse) : refuse(standing);
  }

  function deliver(
    request: Request,
    { etag, body, length, checksum }: KeyedDocument,
    standing: Standing,
    exchange: Exchange,
  ): Response {
    exchange.standing = standing;
    if (!standing.allowed) throw new ApiError("rate_limited", { retryAfter: standing.resetSeconds });
    if (etag === null || body === null) throw whyMissing(kind);
    const stored = { body, length, checksum };
    const packs = acceptsGzip(request) && isPackable(stored);
    const ifNoneMatch = request.headers.get(HEADER.ifNoneMatch);
    const known = ifNoneMatch === null ? undefined : namedTag(ifNoneMatch, etag, packs);
    if (known !== undefined) return responses.notModified(known, standing, exchange.id);
    const packed = packs ? gzipAnswer(stored) : undefined;
    if (packed) {
      noteLength(request, packed.length);
      return responses.packed(packed, etag, standing, exchange.id);
    }
    const plain = plainAnswer(stored);
    noteLength(request, plain.length);
    return responses.document(plain, etag, standing, exchange.id);
  }

  function noteLength(request: Request, bytes: number): void {
    serving.giveTimeToRead(request, bytes);
    longAnswers.note(request, bytes);
  }

  return exchangeHandler<string>(route.path, serving, identify, {
    refuse: responses.refuse,
    isTogether: (request) => !longAnswers.has(request),
  });
}
