import type { ApiError } from "../contract/errors.ts";
import { HEADER, HTML_CONTENT_TYPE, PRIVATE_CACHE_CONTROL, SECURITY_HEADERS } from "../contract/headers.ts";
import { pagePath } from "../contract/routes.ts";
import { addressTags, PAGE_START } from "../html/frame.ts";
import { STYLE_HASH } from "../html/style.ts";
import type { StoredPage } from "../store/reader.ts";
import { acceptsGzip } from "./compression.ts";
import { errorPage } from "./own-pages.ts";
import { errorResponse } from "./responses.ts";

/** The page's own style and icon, a picture from where the page says, and nothing else at all. */
function policy(pictureOrigin: string): string {
  const images = pictureOrigin ? `data: ${pictureOrigin}` : "data:";
  return `default-src 'none'; style-src '${STYLE_HASH}'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

const PAGE_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.contentSecurityPolicy]: policy(""),
  [HEADER.cacheControl]: PRIVATE_CACHE_CONTROL,
  [HEADER.vary]: HEADER.acceptEncoding,
});

const HTML_HEADERS = new Headers(PAGE_HEADERS);
HTML_HEADERS.set(HEADER.contentType, HTML_CONTENT_TYPE);

/** What a new connection can send before it must wait for an answer. A longer page is worth compressing. */
const FIRST_FLIGHT_BYTES = 14 * 1024;

const encoder = new TextEncoder();
const START = encoder.encode(PAGE_START);

/** Makes the answers about link trees that people see. */
export class PageResponses {
  readonly #addressTags: (path: string) => string;
  /** Changes when what the server adds to every page does. */
  readonly #startTag: string;

  constructor(publicUrl: string) {
    this.#addressTags = addressTags(publicUrl);
    this.#startTag = Bun.hash(PAGE_START + this.#addressTags("")).toString(36);
  }

  /** The tag of a page as it is sent: what was stored, what is added, and whether it is compressed. */
  etagOf(page: StoredPage, request: Request): string {
    const form = this.#isCompressed(page, request) ? ".gzip" : "";
    return `${page.etag.slice(0, -1)}.${this.#startTag}${form}"`;
  }

  #isCompressed({ html }: StoredPage, request: Request): boolean {
    if (START.length + html.length <= FIRST_FLIGHT_BYTES) return false;
    return acceptsGzip(request);
  }

  page(slug: string, page: StoredPage, request: Request): Response {
    const address = encoder.encode(this.#addressTags(pagePath(slug)));
    const body = new Uint8Array(START.length + address.length + page.html.length);
    body.set(START);
    body.set(address, START.length);
    body.set(page.html, START.length + address.length);
    const compressed = this.#isCompressed(page, request);
    const response = new Response(compressed ? Bun.gzipSync(body) : body, { headers: HTML_HEADERS });
    if (compressed) response.headers.set(HEADER.contentEncoding, "gzip");
    response.headers.set(HEADER.etag, this.etagOf(page, request));
    if (page.pictureOrigin) response.headers.set(HEADER.contentSecurityPolicy, policy(page.pictureOrigin));
    return response;
  }

  notModified(page: StoredPage, request: Request): Response {
    const response = new Response(null, { status: 304, headers: PAGE_HEADERS });
    response.headers.set(HEADER.etag, this.etagOf(page, request));
    if (page.pictureOrigin) response.headers.set(HEADER.contentSecurityPolicy, policy(page.pictureOrigin));
    return response;
  }
}

export function ownPageResponse(markup: string): Response {
  return new Response(markup, { headers: HTML_HEADERS });
}

/** An error as a person can read it, with the headers that it has for programs too. */
export function errorPageResponse(error: ApiError, { id }: { readonly id: string }): Response {
  const plain = errorResponse(error, id, HTML_HEADERS);
  const response = new Response(errorPage(error), { status: plain.status, headers: plain.headers });
  response.headers.set(HEADER.cacheControl, "no-store");
  return response;
}

const REDIRECT_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.cacheControl]: "no-store",
});

/** A header holds ASCII; a URL that does not is sent in the form that a browser would give it. */
const ASCII = /^[!-~]*$/;

export function redirectResponse(url: string): Response {
  const response = new Response(null, { status: 302, headers: REDIRECT_HEADERS });
  response.headers.set(HEADER.location, ASCII.test(url) ? url : new URL(url).href);
  return response;
}
