import { HEADER, HTML_CONTENT_TYPE, JSON_CONTENT_TYPE, LASTING_CACHE_CONTROL } from "../contract/headers.ts";
import type { StudioFault } from "./faults.ts";
import type { PageFile } from "./page/files.ts";
import { notSignedInPage } from "./page/plain.ts";
import { PREVIEW_STYLE_HASHES } from "./preview.ts";

/**
 * The studio's own scripts and styles, and those of a page in a preview. Pictures may come from anywhere, because an
 * owner's may. Nothing frames the studio, and nothing in it is run that did not come as a file of its own.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${PREVIEW_STYLE_HASHES.join(" ")}`,
  "img-src 'self' data: blob: https: http:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const COMMON = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  [HEADER.contentSecurityPolicy]: "default-src 'none'; frame-ancestors 'none'",
  [HEADER.cacheControl]: "no-store",
};

const PAGE_HEADERS = {
  ...COMMON,
  [HEADER.contentSecurityPolicy]: POLICY,
  [HEADER.contentType]: HTML_CONTENT_TYPE,
};

export function pageResponse(html: string, status = 200): Response {
  return new Response(html, { status, headers: PAGE_HEADERS });
}

/** A file whose name is made from what is in it, so that it never changes. */
export function assetResponse({ type, bytes, gzipped }: PageFile, request: Request): Response {
  const isGzipped = /\bgzip\b/.test(request.headers.get(HEADER.acceptEncoding) ?? "");
  return new Response(isGzipped ? gzipped : bytes, {
    headers: {
      ...COMMON,
      [HEADER.contentType]: type,
      [HEADER.cacheControl]: LASTING_CACHE_CONTROL,
      [HEADER.vary]: HEADER.acceptEncoding,
      ...(isGzipped && { [HEADER.contentEncoding]: "gzip" }),
    },
  });
}

export function jsonResponse(body: unknown, status = 200): Response {
  if (body === undefined) return new Response(null, { status: 204, headers: COMMON });
  const headers = { ...COMMON, [HEADER.contentType]: JSON_CONTENT_TYPE };
  return new Response(JSON.stringify(body), { status, headers });
}

/** A file to keep. A browser never shows it as a page, whatever is in it. */
export function fileResponse(
  content: string | Uint8Array<ArrayBuffer>,
  type: string,
  name: string,
): Response {
  return new Response(content, {
    headers: {
      ...COMMON,
      [HEADER.contentType]: type,
      "Content-Disposition": `attachment; filename="${name.replace(/[^\w.@-]+/g, "-")}"`,
    },
  });
}

export function faultResponse(fault: StudioFault): Response {
  return withHeaders(jsonResponse(fault.body, fault.status), fault);
}

/** A fault where a browser shows what it gets, and no page of the studio's reads it. */
export function faultPageResponse(fault: StudioFault): Response {
  return withHeaders(pageResponse(notSignedInPage(fault.message), fault.status), fault);
}

function withHeaders(response: Response, { headers }: StudioFault): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

export function redirectResponse(location: string, cookies: readonly string[] = []): Response {
  const response = new Response(null, { status: 302, headers: COMMON });
  response.headers.set(HEADER.location, location);
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}
