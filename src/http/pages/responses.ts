import {
  HEADER,
  HTML_CONTENT_TYPE,
  PRIVATE_CACHE_CONTROL,
  SECURITY_HEADERS,
} from "../../contract/headers.ts";
import { type PageKind, pagePath, previewPath } from "../../contract/routes.ts";
import { addressTags, PAGE_START } from "../../html/frame.ts";
import { drawnTags, undrawnTags } from "../../html/preview.ts";
import { STYLE_HASH } from "../../html/style.ts";
import { GzipStart } from "../../packing/gzip.ts";
import { type Packed, packedIn, unpacked } from "../../packing/packed.ts";
import type { PageTag, StoredProfilePage } from "../../store/reader.ts";
import type { Refusal } from "../exchange.ts";
import type { Parts } from "../parts.ts";
import { errorResponseWith } from "../responses.ts";
import { acceptsGzip } from "../steps/compression.ts";
import { gzipTag, namedTag } from "../steps/conditional.ts";
import { originOf } from "../steps/host.ts";
import { errorPage } from "./error-page.ts";

/** An origin with these in its host, as a URL may have them and no name has, would begin something else in a policy. */
const ENDS_POLICY = /[;,]/;

/** The page's own style and icon, our own fonts, pictures from here and from where the page says, and nothing else. */
function policy(styleHash: string, pictureOrigin: string): string {
  const hasOrigin = pictureOrigin !== "" && !ENDS_POLICY.test(pictureOrigin);
  const images = hasOrigin ? `'self' data: ${pictureOrigin}` : "'self' data:";
  return `default-src 'none'; style-src '${styleHash}'; font-src 'self'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

const PAGE_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.contentSecurityPolicy]: policy(STYLE_HASH, ""),
  [HEADER.cacheControl]: PRIVATE_CACHE_CONTROL,
  [HEADER.vary]: HEADER.acceptEncoding,
});

const HTML_HEADERS = new Headers(PAGE_HEADERS);
HTML_HEADERS.set(HEADER.contentType, HTML_CONTENT_TYPE);

const encoder = new TextEncoder();

/** What is the same for all pages of a kind, and the hash of the style in it. */
export interface PageForm {
  readonly start: string;
  readonly styleHash: string;
  readonly kind: PageKind;
  readonly pathOf: (slug: string) => string;
}

export const TREE_PAGES: PageForm = {
  start: PAGE_START,
  styleHash: STYLE_HASH,
  kind: "t",
  pathOf: pagePath,
};

/** What is put into a page of one origin: the address of its picture. */
interface OriginTags {
  readonly picture: (path: string) => string;
  /** Changes when what the server adds to every page does. */
  readonly startTag: string;
}

/** Makes the answers about pages of one kind that people see. */
export class PageResponses {
  readonly #form: PageForm;
  readonly #addressTags: (path: string) => string;
  readonly #start: Uint8Array;
  readonly #gzipStart: GzipStart;
  /** Of what all pages have in common: without PUBLIC_URL the rest is hashed for every view. */
  readonly #startHash: bigint;
  readonly #hasPreviews: boolean;
  /** Absent where addresses of pictures have the origin that a visitor has asked. */
  readonly #tags: OriginTags | undefined;

  constructor({ publicUrl, previews }: Pick<Parts, "publicUrl" | "previews">, form: PageForm) {
    this.#form = form;
    this.#addressTags = addressTags(publicUrl);
    this.#start = encoder.encode(form.start);
    this.#gzipStart = new GzipStart(this.#start);
    this.#startHash = BigInt(Bun.hash(form.start + this.#addressTags("")));
    this.#hasPreviews = previews !== undefined;
    this.#tags = publicUrl || !previews ? this.#tagsAt(publicUrl) : undefined;
  }

  #tagsAt(origin: string): OriginTags {
    const picture = drawnTags(origin);
    return {
      picture,
      startTag: Bun.hash(this.#hasPreviews ? picture("") : "", this.#startHash).toString(36),
    };
  }

  #tagsFor(request: Request): OriginTags {
    return this.#tags ?? this.#tagsAt(originOf(request));
  }

  #pictureTags(scene: string, slug: string, { picture }: OriginTags): string {
    if (!this.#hasPreviews) return undrawnTags(scene);
    return scene === "" ? "" : picture(previewPath(this.#form.kind, slug, scene));
  }

  /** The tag of a page as it is sent plain: what was stored, and what is added. */
  #tagOf({ etag }: PageTag, { startTag }: OriginTags): string {
    return `${etag.slice(0, -1)}.${startTag}"`;
  }

  page(slug: string, page: StoredProfilePage, request: Request): Response {
    const opening = encoder.encode(page.opening);
    const tags = this.#tagsFor(request);
    const address = encoder.encode(
      this.#addressTags(this.#form.pathOf(slug)) + this.#pictureTags(page.scene, slug, tags),
    );
    const packed = packedIn(page.html);
    if (acceptsGzip(request)) {
      const body = this.#gzipStart.with(opening, address, packed ?? page.html);
      const response = this.#response(page, tags, body, "gzip");
      response.headers.set(HEADER.contentEncoding, "gzip");
      return response;
    }
    const start = joined(opening, this.#start, address);
    if (packed && packed.length > LONG_BYTES)
      return this.#response(page, tags, unpackedPieces(start, packed));
    return this.#response(page, tags, joined(start, unpacked(page.html)));
  }

  #response(page: PageTag, tags: OriginTags, body: Bun.BodyInit, encoding?: "gzip"): Response {
    const response = new Response(body, { headers: HTML_HEADERS });
    const tag = this.#tagOf(page, tags);
    return this.#tagged(response, page, encoding ? gzipTag(tag) : tag);
  }

  /** A 304 where the visitor has the page, in either encoding; else nothing. */
  notModified(page: PageTag, ifNoneMatch: string, request: Request): Response | undefined {
    const tag = namedTag(ifNoneMatch, this.#tagOf(page, this.#tagsFor(request)), acceptsGzip(request));
    if (tag === undefined) return undefined;
    return this.#tagged(new Response(null, { status: 304, headers: PAGE_HEADERS }), page, tag);
  }

  #tagged(response: Response, { pictureOrigin }: PageTag, tag: string): Response {
    response.headers.set(HEADER.etag, tag);
    response.headers.set(HEADER.contentSecurityPolicy, policy(this.#form.styleHash, pictureOrigin));
    return response;
  }
}

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Bun.concatArrayBuffers(parts, Number.POSITIVE_INFINITY, true);
}

/** From this length on a page is not unpacked as a whole: with its start it is longer than a first flight. */
const LONG_BYTES = 10 * 1024;

/** How much of a packed page is unpacked at a time. */
const PIECE_BYTES = 8 * 1024;

/**
 * A long page for the few who take no gzip. It is unpacked piece by piece as it is read, so that a visitor who does not
 * read holds little more than the packed page in memory.
 */
async function* unpackedPieces(start: Uint8Array, { stream }: Packed): AsyncGenerator<Uint8Array> {
  yield start;
  let at = 0;
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (at >= stream.length) controller.close();
        else controller.enqueue(stream.slice(at, at + PIECE_BYTES));
        at += PIECE_BYTES;
      },
    },
    { highWaterMark: 0 },
  );
  yield* pieces.pipeThrough(new DecompressionStream("deflate-raw"));
}

export function homeResponse(markup: string): Response {
  return new Response(markup, { headers: HTML_HEADERS });
}

const ERROR_HEADERS = new Headers(HTML_HEADERS);
ERROR_HEADERS.set(HEADER.cacheControl, "no-store");

/** An error as a person can read it, with the headers that it has for programs too. */
export const errorPageResponse: Refusal = (error, { id }) =>
  errorResponseWith(ERROR_HEADERS, error, id, errorPage(error));

const REDIRECT_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.cacheControl]: "no-store",
});

/** A header holds ASCII; a URL that does not is sent in the form that a browser would give it. */
const ASCII = /^[!-~]*$/;

/**
 * Not even a page that has moved for good is to be remembered: somebody else may take its name. Where other sites may
 * have what it leads to, the redirect must say so as well: browsers ask every answer on the way.
 */
export function redirectResponse(
  url: string,
  status: 301 | 302 = 302,
  sharing: Readonly<Record<string, string>> = {},
): Response {
  const response = new Response(null, { status, headers: REDIRECT_HEADERS });
  response.headers.set(HEADER.location, ASCII.test(url) ? url : new URL(url).href);
  for (const [name, value] of Object.entries(sharing)) response.headers.set(name, value);
  return response;
}
