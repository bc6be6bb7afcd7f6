import { ApiError, ERRORS, type ErrorBody, type ErrorCode } from "../errors.ts";
import { HEADER } from "../headers.ts";
import { answerHeaders, type HeaderName, STANDING, sometimes } from "./headers.ts";
import { referTo, type Schema } from "./schemas.ts";

export interface Answer {
  readonly description: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The details that an error with one is shown with, each under the name of its example. */
const DETAILS: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  bad_request: {
    undecodable_path: "Malformed percent-encoding in the path",
    malformed_host: "Malformed Host header",
  },
  unknown_path: { unknown_path: "GET /user/nowhere" },
};

/** The exact bodies of an error. */
function examplesOf(code: ErrorCode): [name: string, example: { summary: string; value: ErrorBody }][] {
  const example = (options?: { detail: string }) => ({
    summary: ERRORS[code].when,
    value: new ApiError(code, options).body,
  });
  const details = DETAILS[code];
  if (!details) return [[code, example()]];
  return Object.entries(details).map(([name, detail]) => [name, example({ detail })]);
}

export function jsonContent(schema: Schema, examples: Readonly<Record<string, unknown>>) {
  return { "application/json": { schema, examples } };
}

/** The answer of one status, with the body of each error that has it. */
function refusal(headers: readonly HeaderName[], ...codes: readonly ErrorCode[]): Answer {
  return {
    description: codes.map((code) => `${ERRORS[code].when} ${ERRORS[code].remedy}`).join("\n\n"),
    headers: answerHeaders(...headers),
    content: jsonContent(referTo("ApiError"), Object.fromEntries(codes.flatMap(examplesOf))),
  };
}

const limited = refusal([HEADER.retryAfter], "rate_limited");

/** Every answer that several operations share, by its name. */
export const SHARED_ANSWERS = {
  NotModified: {
    description: "Nothing has changed since the answer that had your tag. It counts towards the limit.",
    headers: answerHeaders(HEADER.etag, ...STANDING),
  },
  BadRequest: refusal([], "bad_request"),
  Unauthorized: refusal([HEADER.wwwAuthenticate], "unauthorized", "invalid_key", "expired_key"),
  Forbidden: refusal([HEADER.wwwAuthenticate, ...STANDING], "key_not_allowed"),
  TreeNotFound: refusal(STANDING, "tree_not_found"),
  MethodNotAllowed: refusal([HEADER.allow], "method_not_allowed"),
  RateLimited: {
    ...limited,
    headers: {
      ...limited.headers,
      ...sometimes(STANDING, "Not there where your address is refused, for wrong keys."),
    },
  },
  InternalServerError: refusal([HEADER.keyExpires], "internal"),
  ServiceUnavailable: refusal([HEADER.retryAfter], "unavailable"),
} as const satisfies Record<string, Answer>;

export function referToAnswer(name: keyof typeof SHARED_ANSWERS): { $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}

/** An answer as HEAD gets it: all but the body. */
export function withoutBody({ description, headers }: Answer): Answer {
  return { description, headers };
}
