import bundleFile from "../../vendor/scalar/api-reference.js.gz" with { type: "file" };
import release from "../../vendor/scalar/release.json" with { type: "json" };
import {
  HEADER,
  HTML_CONTENT_TYPE,
  JSON_CONTENT_TYPE,
  PRIVATE_CACHE_CONTROL,
  SECURITY_HEADERS,
} from "../contract/headers.ts";
import { OPENAPI_FILE } from "../contract/openapi/file.ts";
import { OPENAPI_PATH, REFERENCE_PATH } from "../contract/routes.ts";
import { acceptsGzip } from "./compression.ts";
import { namesTag } from "./conditional.ts";
import { exchangeHandler, type Handler, type Serving, type Work } from "./handler.ts";
import { named } from "./named.ts";
import { referencePage } from "./reference-page.ts";

/** Named for what is in it, so that it may be kept for ever. */
const SCRIPT_PATH = `${REFERENCE_PATH}/scalar-${release.sha256.slice(0, 16)}.js`;

/**
 * The page runs our own files and talks to this server alone. Scalar styles its elements one by one, by attributes
 * and by elements that it makes, which only 'unsafe-inline' allows; that lets nothing run and nothing be sent.
 */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.contentSecurityPolicy]: PAGE_POLICY,
  [HEADER.contentType]: HTML_CONTENT_TYPE,
  [HEADER.cacheControl]: PRIVATE_CACHE_CONTROL,
});

const SCRIPT_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.contentType]: "text/javascript; charset=utf-8",
  [HEADER.cacheControl]: "public, max-age=31536000, immutable",
  [HEADER.vary]: HEADER.acceptEncoding,
});

/** The document says nothing about anybody, so tools on other origins may read it too. */
const DOCUMENT_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.cacheControl]: "public, max-age=300",
  [HEADER.vary]: HEADER.acceptEncoding,
  [HEADER.accessControlAllowOrigin]: "*",
  [HEADER.crossOriginResourcePolicy]: "cross-origin",
});

interface OpenApi {
  readonly plain: Form;
  readonly gzip: Form;
}

interface Form {
  readonly etag: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What describes the API: the OpenAPI document, and the page that shows it. None of it takes a key or counts. */
export function referenceHandlers(parts: Serving): (readonly [path: string, handler: Handler])[] {
  let openApi: Promise<OpenApi> | undefined;

  const document: Work = (request) => {
    openApi ??= loadOpenApi();
    return openApi.then(({ plain, gzip }) => {
      const compressed = acceptsGzip(request);
      const { etag, body } = compressed ? gzip : plain;
      const ifNoneMatch = request.headers.get(HEADER.ifNoneMatch);
      const same = ifNoneMatch !== null && namesTag(ifNoneMatch, etag);
      const response = new Response(same ? null : body, {
        status: same ? 304 : 200,
        headers: DOCUMENT_HEADERS,
      });
      response.headers.set(HEADER.etag, etag);
      if (same) return response;
      response.headers.set(HEADER.contentType, JSON_CONTENT_TYPE);
      if (compressed) response.headers.set(HEADER.contentEncoding, "gzip");
      return response;
    });
  };

  const page: Work = () => new Response(referencePage(SCRIPT_PATH), { headers: PAGE_HEADERS });

  const script: Work = (request) => {
    const file = Bun.file(bundleFile);
    if (!acceptsGzip(request)) {
      const plain = file.stream().pipeThrough(new DecompressionStream("gzip"));
      return new Response(plain, { headers: SCRIPT_HEADERS });
    }
    const response = new Response(file, { headers: SCRIPT_HEADERS });
    response.headers.set(HEADER.contentEncoding, "gzip");
    return response;
  };

  const handler = (path: string, work: Work) => [path, exchangeHandler(path, parts, named(work))] as const;
  return [handler(OPENAPI_PATH, document), handler(REFERENCE_PATH, page), handler(SCRIPT_PATH, script)];
}

/** Read and compressed once, when it is first asked for. */
async function loadOpenApi(): Promise<OpenApi> {
  const body = await Bun.file(OPENAPI_FILE).bytes();
  const tag = Bun.hash(body).toString(36);
  return {
    plain: { etag: `"${tag}"`, body },
    gzip: { etag: `"${tag}.gzip"`, body: Bun.gzipSync(body) },
  };
}
