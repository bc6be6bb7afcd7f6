import { ERRORS } from "../errors.ts";
import { HEADER } from "../headers.ts";
import { LIMIT_WINDOW_SECONDS, type LimitClass } from "../routes.ts";

/** What the document says before it comes to the paths. */
export function introduction(): string {
  return `Your own profile and link trees back as data. The API is read-only, and every answer is JSON in UTF-8.

## Your key

Every request carries your personal key, which says whose data is meant:

\`\`\`
${HEADER.authorization}: Bearer vit_…
\`\`\`

The key is all that protects your private data, so keep it out of web pages: read the API when your site is built, or on your own server. The operator of this server gives out keys.

A key has a view. \`full\` (\`vit_…\`) sees every value, whatever its flag. \`public\` (\`vitp_…\`) sees what you show to everybody, and nothing else: it is the key for a web site. It has the same paths. Private values are null, private jobs are absent and so are \`email\` and \`codehostId\`; of a private profile there are only link trees.

A key may be confined to some paths, and gets 403 elsewhere. Every answer to a key that expires says when: \`${HEADER.keyExpires}\`.

## Methods and paths

HEAD answers as GET does, without the body. Query parameters are ignored, and a trailing slash is accepted. Percent-encode slugs (\`encodeURIComponent\`).

## Limits

They hold in any ${LIMIT_WINDOW_SECONDS} seconds, for each user and endpoint; more keys buy nothing. Every answer to a valid key says where you stand (\`${HEADER.xRateLimitLimit}\`, \`${HEADER.xRateLimitRemaining}\`, \`${HEADER.xRateLimitReset}\`). Beyond the limit the answer is 429, and \`${HEADER.retryAfter}\` says how long to wait. A refused request is not counted.

## Caching

Send the \`${HEADER.etag}\` of an answer back as \`${HEADER.ifNoneMatch}\`, and you get a 304 without a body while nothing has changed.

Answers of 1,024 bytes and more are compressed for callers that accept gzip, as most HTTP clients do by themselves.

## Errors

Every error has the same three fields, and every answer has an \`${HEADER.requestId}\` to speak of it by.

| Status | \`message\` | When |
|---|---|---|
${Object.values(ERRORS).map(errorRow).join("\n")}`;
}

function errorRow({ statusCode, message, when }: (typeof ERRORS)[keyof typeof ERRORS]): string {
  const shown =
    message === "{detail}" ? "*what is wrong*" : `\`${message.replace("{detail}", "GET /path")}\``;
  return `| ${statusCode} | ${shown} | ${when} |`;
}

/** An operator may set other limits; the headers always tell the truth. */
export function limitSentence(limit: number): string {
  return `At most ${limit} requests in any ${LIMIT_WINDOW_SECONDS} seconds, unless the operator of the server has set another limit: \`${HEADER.xRateLimitLimit}\` says which one holds.`;
}

export type Limits = Readonly<Record<LimitClass, number>>;
