import type { ApiError } from "../contract/errors.ts";
import { HEADER, JSON_CONTENT_TYPE, PRIVATE_CACHE_CONTROL, SECURITY_HEADERS } from "../contract/headers.ts";

/** How soon it is worth asking again when storage could not be reached. */
const UNAVAILABLE_RETRY_SECONDS = "2";

const CHALLENGE = 'Bearer realm="vitrine"';

/** What all answers to programs have in common. */
export const API_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  [HEADER.cacheControl]: PRIVATE_CACHE_CONTROL,
  [HEADER.vary]: HEADER.authorization,
};

export const JSON_HEADERS: Readonly<Record<string, string>> = {
  ...API_HEADERS,
  [HEADER.contentType]: JSON_CONTENT_TYPE,
};

const OPTIONS_HEADERS = new Headers(API_HEADERS);
const ERROR_HEADERS = new Headers(JSON_HEADERS);

/** The headers that it begins with are copied, and stay as they are. */
export function errorResponse(
  error: ApiError,
  requestId: string,
  base: Headers = ERROR_HEADERS,
  body: string = JSON.stringify(error.body),
): Response {
  const response = new Response(body, { status: error.body.statusCode, headers: base });
  const { headers } = response;
  headers.set(HEADER.requestId, requestId);
  switch (error.code) {
    case "unauthorized":
      headers.set(HEADER.wwwAuthenticate, CHALLENGE);
      break;
    case "invalid_key":
    case "expired_key":
      headers.set(HEADER.wwwAuthenticate, `${CHALLENGE}, error="invalid_token"`);
      break;
    case "key_not_allowed":
      headers.set(HEADER.wwwAuthenticate, `${CHALLENGE}, error="insufficient_scope"`);
      break;
    case "unavailable":
      headers.set(HEADER.retryAfter, UNAVAILABLE_RETRY_SECONDS);
      break;
  }
  return response;
}

export function optionsResponse(requestId: string, methods: string): Response {
  const response = new Response(null, { status: 204, headers: OPTIONS_HEADERS });
  response.headers.set(HEADER.allow, methods);
  response.headers.set(HEADER.requestId, requestId);
  return response;
}
