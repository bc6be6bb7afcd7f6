import { ApiError, ERRORS, type ErrorCode } from "../contract/errors.ts";
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

interface Prepared {
  readonly headers: Headers;
  readonly text: string | undefined;
}

const OPTIONS_HEADERS = new Headers(API_HEADERS);

/** What an error says beside its body, where that is always the same. */
const SAID_OF_ERRORS: { readonly [Code in ErrorCode]?: Readonly<Record<string, string>> } = {
  unauthorized: { [HEADER.wwwAuthenticate]: CHALLENGE },
  invalid_key: { [HEADER.wwwAuthenticate]: `${CHALLENGE}, error="invalid_token"` },
  expired_key: { [HEADER.wwwAuthenticate]: `${CHALLENGE}, error="invalid_token"` },
  key_not_allowed: { [HEADER.wwwAuthenticate]: `${CHALLENGE}, error="insufficient_scope"` },
  unavailable: { [HEADER.retryAfter]: UNAVAILABLE_RETRY_SECONDS },
};

/** Anybody can ask for errors, in any number, so what is known of them is ready. A Response copies its headers. */
const PREPARED = new Map<ErrorCode, Prepared>(
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => [
    code,
    { headers: new Headers({ ...JSON_HEADERS, ...SAID_OF_ERRORS[code] }), text: textOf(code) },
  ]),
);

/** The body of an error that is always the same. */
function textOf(code: ErrorCode): string | undefined {
  return ERRORS[code].message.includes("{detail}") ? undefined : JSON.stringify(new ApiError(code).body);
}

export function errorResponse(error: ApiError, requestId: string): Response {
  const { headers, text = JSON.stringify(error.body) } = PREPARED.get(error.code) as Prepared;
  headers.set(HEADER.requestId, requestId);
  // Errors of one kind all say it, or none does.
  sayWhenToRetry(error, headers);
  return new Response(text, { status: error.body.statusCode, headers });
}

/** The same with other headers to begin with, which stay as they are, and perhaps with another body. */
export function errorResponseWith(
  base: Headers,
  error: ApiError,
  requestId: string,
  body: string = JSON.stringify(error.body),
): Response {
  const response = new Response(body, { status: error.body.statusCode, headers: base });
  const { headers } = response;
  headers.set(HEADER.requestId, requestId);
  for (const [name, value] of Object.entries(SAID_OF_ERRORS[error.code] ?? {})) headers.set(name, value);
  sayWhenToRetry(error, headers);
  return response;
}

function sayWhenToRetry({ retryAfter }: ApiError, headers: Headers): void {
  if (retryAfter !== undefined) headers.set(HEADER.retryAfter, String(retryAfter));
}

export function optionsResponse(requestId: string, methods: string): Response {
  const response = new Response(null, { status: 204, headers: OPTIONS_HEADERS });
  response.headers.set(HEADER.allow, methods);
  response.headers.set(HEADER.requestId, requestId);
  return response;
}
