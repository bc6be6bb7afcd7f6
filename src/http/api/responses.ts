import { HEADER, JSON_CONTENT_TYPE } from "../../contract/headers.ts";
import { LIMIT_WINDOW_SECONDS, type Route } from "../../contract/routes.ts";
import type { Standing } from "../../limits/limiter.ts";
import type { Refusal } from "../exchange.ts";
import { API_HEADERS, errorResponse, errorResponseWith, JSON_HEADERS } from "../responses.ts";
import { gzipTag } from "../steps/conditional.ts";

/** What a document depends on. */
const VARIES = { [HEADER.vary]: `${HEADER.authorization}, ${HEADER.acceptEncoding}` };

/** The headers of a document in one encoding. */
interface Form {
  readonly headers: Headers;
  readonly init: ResponseInit;
}

function formOf(fields: Record<string, string>): Form {
  const headers = new Headers(fields);
  return { headers, init: { headers } };
}

/**
 * Makes the answers of one route that say where the caller stands with its limit. A Response copies the headers
 * it is given, so a document in each encoding and a 304 have one Headers object each, in which only what differs is
 * set: that takes Bun half the time of building them anew, and less than setting it in the Response. Errors are
 * rarer, and start from headers that no answer has changed.
 */
export class LimitedResponses {
  readonly #name: string;
  readonly #plain: Form;
  readonly #gzip: Form;
  readonly #notModifiedHeaders: Headers;
  readonly #errorHeaders: Headers;
  readonly #notModifiedInit: ResponseInit;

  constructor({ name }: Pick<Route, "name">, limit: number) {
    const limited = {
      [HEADER.xRateLimitLimit]: String(limit),
      [HEADER.rateLimitPolicy]: `"${name}";q=${limit};w=${LIMIT_WINDOW_SECONDS}`,
    };
    this.#name = name;
    this.#plain = formOf({ ...JSON_HEADERS, ...limited, ...VARIES });
    this.#gzip = formOf({ ...JSON_HEADERS, ...limited, ...VARIES, [HEADER.contentEncoding]: "gzip" });
    this.#notModifiedHeaders = new Headers({ ...API_HEADERS, ...limited, ...VARIES });
    this.#errorHeaders = new Headers({ ...JSON_HEADERS, ...limited });
    this.#notModifiedInit = { status: 304, headers: this.#notModifiedHeaders };
  }

  document(body: Uint8Array, etag: string, standing: Standing, requestId: string): Response {
    return this.#document(this.#plain, body, etag, standing, requestId);
  }

  /** The same as a gzip stream. */
  packed(body: Uint8Array, etag: string, standing: Standing, requestId: string): Response {
    return this.#document(this.#gzip, body, gzipTag(etag), standing, requestId);
  }

  #document(
    { headers, init }: Form,
    body: Uint8Array,
    etag: string,
    standing: Standing,
    requestId: string,
  ): Response {
    headers.set(HEADER.etag, etag);
    headers.set(HEADER.requestId, requestId);
    this.#stand(headers, standing);
    return new Response(body as Uint8Array<ArrayBuffer>, init);
  }

  /** RFC 9110, section 15.4.5: the tag and the caching headers of the 200, and none about a body. */
  notModified(etag: string, standing: Standing, requestId: string): Response {
    this.#notModifiedHeaders.set(HEADER.etag, etag);
    this.#notModifiedHeaders.set(HEADER.requestId, requestId);
    this.#stand(this.#notModifiedHeaders, standing);
    return new Response(null, this.#notModifiedInit);
  }

  /** Every answer to a known key says where its user stands, errors too. */
  readonly refuse: Refusal = (error, { standing, id }) => {
    if (standing === null) return errorResponse(error, id);
    const response = errorResponseWith(this.#errorHeaders, error, id);
    this.#stand(response.headers, standing);
    return response;
  };

  /** An answer that was made elsewhere, with the headers that all of ours have. */
  other(made: Response, body: Uint8Array<ArrayBuffer>, standing: Standing, requestId: string): Response {
    const init = { status: made.status, headers: this.#errorHeaders };
    const response = new Response(body.length > 0 ? body : null, init);
    response.headers.set(HEADER.contentType, made.headers.get(HEADER.contentType) ?? JSON_CONTENT_TYPE);
    response.headers.set(HEADER.requestId, requestId);
    this.#stand(response.headers, standing);
    return response;
  }

  #stand(headers: Headers, { remaining, resetSeconds }: Standing): void {
    headers.set(HEADER.xRateLimitRemaining, String(remaining));
    headers.set(HEADER.xRateLimitReset, String(resetSeconds));
    headers.set(HEADER.rateLimit, `"${this.#name}";r=${remaining};t=${resetSeconds}`);
  }
}
