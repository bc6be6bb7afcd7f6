/** Header names as they are sent. All ASCII, spelt once. */
export const HEADER = {
  accessControlAllowHeaders: "Access-Control-Allow-Headers",
  accessControlAllowMethods: "Access-Control-Allow-Methods",
  accessControlAllowOrigin: "Access-Control-Allow-Origin",
  accessControlExposeHeaders: "Access-Control-Expose-Headers",
  accessControlMaxAge: "Access-Control-Max-Age",
  accessControlRequestMethod: "Access-Control-Request-Method",
  accept: "Accept",
  acceptEncoding: "Accept-Encoding",
  allow: "Allow",
  authorization: "Authorization",
  cacheControl: "Cache-Control",
  crossOriginResourcePolicy: "Cross-Origin-Resource-Policy",
  connection: "Connection",
  contentDisposition: "Content-Disposition",
  contentSecurityPolicy: "Content-Security-Policy",
  contentEncoding: "Content-Encoding",
  contentType: "Content-Type",
  date: "Date",
  etag: "ETag",
  forwardedFor: "X-Forwarded-For",
  host: "Host",
  ifNoneMatch: "If-None-Match",
  keyExpires: "Vitrine-Key-Expires",
  location: "Location",
  mcpMethod: "Mcp-Method",
  mcpName: "Mcp-Name",
  mcpProtocolVersion: "MCP-Protocol-Version",
  origin: "Origin",
  rateLimit: "RateLimit",
  rateLimitPolicy: "RateLimit-Policy",
  requestId: "X-Request-Id",
  retryAfter: "Retry-After",
  transferEncoding: "Transfer-Encoding",
  vary: "Vary",
  wwwAuthenticate: "WWW-Authenticate",
  xRateLimitLimit: "X-RateLimit-Limit",
  xRateLimitRemaining: "X-RateLimit-Remaining",
  xRateLimitReset: "X-RateLimit-Reset",
} as const;

export const JSON_CONTENT_TYPE = "application/json; charset=utf-8";
export const TEXT_CONTENT_TYPE = "text/plain; charset=utf-8";
export const HTML_CONTENT_TYPE = "text/html; charset=utf-8";

/** A shared cache must not keep private data; a private one must ask each time (and gets a cheap 304). */
export const PRIVATE_CACHE_CONTROL = "private, no-cache";

/** Said of what is named for what is in it, so that it never changes. */
export const LASTING_CACHE_CONTROL = "public, max-age=31536000, immutable";

/** Sent with every answer, unless it is a page: nothing here is a frame or a script for another origin. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** What a browser's script may read of an answer, beyond the headers that are always readable. */
export const EXPOSED_HEADERS = [
  HEADER.etag,
  HEADER.rateLimit,
  HEADER.rateLimitPolicy,
  HEADER.requestId,
  HEADER.retryAfter,
  HEADER.keyExpires,
  HEADER.xRateLimitLimit,
  HEADER.xRateLimitRemaining,
  HEADER.xRateLimitReset,
] as const;
