/**
 * Every error the API can answer with. The server, the documentation and the tests are all derived from
 * this table. `{detail}` in a message is the only part that varies.
 */
export const ERRORS = {
  bad_request: {
    statusCode: 400,
    error: "Bad Request",
    message: "{detail}",
    when: "The path cannot be decoded, or the request is malformed.",
    remedy: "Read the message: it says what is wrong. Percent-encode slugs with encodeURIComponent.",
  },
  unauthorized: {
    statusCode: 401,
    error: "Unauthorized",
    message: "Unauthorized",
    when: "There is no Authorization header, or it does not use the Bearer scheme.",
    remedy: "Send the header `Authorization: Bearer <your key>`.",
  },
  invalid_key: {
    statusCode: 401,
    error: "Unauthorized",
    message: "Invalid API Key",
    when: "The Bearer value is no key of this service.",
    remedy: "Check that the whole key was copied, and that it belongs to this server.",
  },
  expired_key: {
    statusCode: 401,
    error: "Unauthorized",
    message: "API Key Expired",
    when: "The key was revoked or has expired.",
    remedy: "Ask the operator for a new key.",
  },
  foreign_origin: {
    statusCode: 403,
    error: "Forbidden",
    message: "Origin not allowed",
    when: "A browser's page of an origin that the operator has not listed called /mcp.",
    remedy: "Call it from a program, or ask the operator to list the page's origin.",
  },
  key_not_allowed: {
    statusCode: 403,
    error: "Forbidden",
    message: "Key not allowed here",
    when: "The key is confined to other paths.",
    remedy: "Use a key that may read this path. This answer is not counted.",
  },
  tree_not_found: {
    statusCode: 404,
    error: "Not Found",
    message: "Link tree not found",
    when: "No link tree of yours has this slug.",
    remedy: "List your slugs with GET /user/linktrees.",
  },
  unknown_path: {
    statusCode: 404,
    error: "Not Found",
    message: "Cannot {detail}",
    when: "The path is not part of the API. The message names the method and the path.",
    remedy: "Check the path for a typing mistake.",
  },
  method_not_allowed: {
    statusCode: 405,
    error: "Method Not Allowed",
    message: "Method Not Allowed",
    when: "The path exists, but the API is read-only.",
    remedy: "Use GET or HEAD, as the Allow header says.",
  },
  rate_limited: {
    statusCode: 429,
    error: "Too Many Requests",
    message: "Rate limit exceeded",
    when: "You made more requests to this endpoint within a minute than its limit allows. Or the operator limits wrong keys, and your address has sent too many.",
    remedy: "Wait as many seconds as Retry-After says. A refused request is not counted.",
  },
  internal: {
    statusCode: 500,
    error: "Internal Server Error",
    message: "Internal Server Error",
    when: "A fault of the server.",
    remedy: "Report it to the operator with the X-Request-Id of the answer.",
  },
  unavailable: {
    statusCode: 503,
    error: "Service Unavailable",
    message: "Service Unavailable",
    when: "The server cannot reach its storage.",
    remedy: "Try again after as many seconds as Retry-After says.",
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** The body of every error: these three keys, in this order. */
export interface ErrorBody {
  statusCode: number;
  message: string;
  error: string;
}

/** An answer other than success. The cause, if any, is for the log and never reaches a caller. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly body: ErrorBody;
  /** Whole seconds after which it is worth asking again, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, options: { detail?: string; cause?: unknown; retryAfter?: number } = {}) {
    const { statusCode, error, message } = ERRORS[code];
    const publicMessage = message.replace("{detail}", () => options.detail ?? "");
    super(publicMessage, { cause: options.cause });
    this.code = code;
    this.body = { statusCode, message: publicMessage, error };
    this.retryAfter = options.retryAfter;
  }
}
