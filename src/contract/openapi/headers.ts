import { EXPOSED_HEADERS, HEADER, PRIVATE_CACHE_CONTROL, SECURITY_HEADERS } from "../headers.ts";
import { ALLOWED_METHODS, LIMIT_WINDOW_SECONDS } from "../routes.ts";
import type { Schema } from "./schemas.ts";

interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: string | number;
}

export type HeaderName = keyof typeof HEADERS | keyof typeof SECURITY_HEADERS;

const sent = (description: string, schema: Schema, example: string | number): Header => ({
  description,
  required: true,
  schema,
  example,
});

/** A header that always has the same value. */
export const fixed = (description: string, value: string): Header => ({
  description,
  required: true,
  schema: { type: "string", const: value },
});

/** A header that is there only for pages of origins that the operator has listed. */
const forListedOrigins = (description: string, example: string): Header => ({
  description,
  required: false,
  schema: { type: "string" },
  example,
});

/** What the headers of an answer say. Those of every HTTP message (`Date`, `Content-Length`) are left out. */
const HEADERS = {
  [HEADER.requestId]: sent(
    "The id of the request: your own where you sent one of letters, digits, `-`, `_` and `.`, of at most 128. Name it when you report a problem.",
    { type: "string", pattern: "^[\\w.-]{1,128}$" },
    "3f0c2b7e-91d4-42",
  ),
  [HEADER.cacheControl]: fixed(
    "No shared cache may keep the answer, and a private one must ask each time.",
    PRIVATE_CACHE_CONTROL,
  ),
  [HEADER.vary]: sent(
    "What the answer depends on besides the path.",
    { type: "string" },
    `${HEADER.authorization}, ${HEADER.acceptEncoding}`,
  ),
  [HEADER.etag]: sent(
    `Changes exactly when the body does, and ends in \`.gzip\` where that is compressed. Send it back as \`${HEADER.ifNoneMatch}\`.`,
    { type: "string", pattern: '^"[\\da-z]+(\\.gzip)?"$' },
    '"2x8k0v3qz1m7c.gzip"',
  ),
  [HEADER.contentEncoding]: {
    description: `How the body is compressed. Only there where it is: it is not short, and you accept gzip (\`${HEADER.acceptEncoding}\`).`,
    required: false,
    schema: { type: "string", const: "gzip" },
  },
  [HEADER.xRateLimitLimit]: sent(
    `How many requests to this endpoint you may make in any ${LIMIT_WINDOW_SECONDS} seconds.`,
    { type: "integer", minimum: 1 },
    30,
  ),
  [HEADER.xRateLimitRemaining]: sent("How many of them are left.", { type: "integer", minimum: 0 }, 29),
  [HEADER.xRateLimitReset]: sent(
    "In how many seconds one more request is let in when none is left.",
    { type: "integer", minimum: 0, maximum: LIMIT_WINDOW_SECONDS },
    LIMIT_WINDOW_SECONDS,
  ),
  [HEADER.rateLimitPolicy]: sent(
    "The limit (`q`) and its window in seconds (`w`), as the IETF's draft of RateLimit fields writes them.",
    { type: "string", pattern: '^"\\w+";q=\\d+;w=\\d+$' },
    `"full";q=30;w=${LIMIT_WINDOW_SECONDS}`,
  ),
  [HEADER.rateLimit]: sent(
    "What is left of the limit (`r`), and the seconds until there is more (`t`), written alike.",
    { type: "string", pattern: '^"\\w+";r=\\d+;t=\\d+$' },
    `"full";r=29;t=${LIMIT_WINDOW_SECONDS}`,
  ),
  [HEADER.keyExpires]: {
    description: "When the key expires. Only there where it does.",
    required: false,
    schema: { type: "string", format: "date-time" },
    example: "2027-01-31T00:00:00.000Z",
  },
  [HEADER.retryAfter]: sent(
    "How many seconds to wait before you ask again.",
    { type: "integer", minimum: 1 },
    12,
  ),
  [HEADER.wwwAuthenticate]: sent(
    'The scheme to use. It has `error="invalid_token"` where a key was sent that is none or has ended, and `error="insufficient_scope"` where the key may not read this path.',
    { type: "string" },
    'Bearer realm="vitrine"',
  ),
  [HEADER.allow]: fixed("The methods that the path knows.", ALLOWED_METHODS),
  [HEADER.accessControlAllowOrigin]: forListedOrigins(
    "Your page's origin, where the operator of the server has listed it.",
    "https://mira.example",
  ),
  [HEADER.accessControlExposeHeaders]: forListedOrigins(
    "The headers that a page of such an origin may read.",
    EXPOSED_HEADERS.join(", "),
  ),
} satisfies Record<string, Header>;

const PROTECTIONS = Object.entries(SECURITY_HEADERS).map(
  ([name, value]) => [name, fixed("Asks a browser to take the answer for nothing but data.", value)] as const,
);

/** On every answer of every path. */
const EVERYWHERE: readonly HeaderName[] = [
  HEADER.requestId,
  HEADER.cacheControl,
  HEADER.vary,
  ...PROTECTIONS.map(([name]) => name),
  HEADER.accessControlAllowOrigin,
  HEADER.accessControlExposeHeaders,
];

/** On every answer to a key that is known: where its user stands, and when it expires. */
export const STANDING: readonly HeaderName[] = [
  HEADER.keyExpires,
  HEADER.xRateLimitLimit,
  HEADER.xRateLimitRemaining,
  HEADER.xRateLimitReset,
  HEADER.rateLimitPolicy,
  HEADER.rateLimit,
];

export function namedHeaders(): Record<string, Header> {
  return { ...HEADERS, ...Object.fromEntries(PROTECTIONS) };
}

/** The headers of one kind of answer: its own, and those that every answer has. */
export function answerHeaders(...own: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    [...own, ...EVERYWHERE].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Headers that an answer of a kind may be without, and when it is. */
export function sometimes(names: readonly HeaderName[], when: string): Record<string, Header> {
  const headers = namedHeaders();
  return Object.fromEntries(
    names.map((name) => {
      const header = headers[name] as Header;
      return [name, { ...header, required: false, description: `${header.description} ${when}` }];
    }),
  );
}
