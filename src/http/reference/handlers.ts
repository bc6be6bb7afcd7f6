import bundleFile from "../../../vendor/scalar/api-reference.js.gz" with { type: "file" };
import release from "../../../vendor/scalar/release.json" with { type: "json" };
import { once } from "../../async/once.ts";
import {
  HEADER,
  HTML_CONTENT_TYPE,
  JSON_CONTENT_TYPE,
  LASTING_CACHE_CONTROL,
  PRIVATE_CACHE_CONTROL,
  SECURITY_HEADERS,
  TEXT_CONTENT_TYPE,
} from "../../contract/headers.ts";
import { OPENAPI_FILE } from "../../contract/openapi/file.ts";
import { asVersion30 } from "../../contract/openapi/version-3-0.ts";
import { RECORD_SCHEMA_FILE } from "../../contract/record-schema.ts";
import {
  LLMS_PATH,
  OPENAPI_30_PATH,
  OPENAPI_PATH,
  RECORD_SCHEMA_PATH,
  REFERENCE_PATH,
} from "../../contract/routes.ts";
import type { Routed, Work } from "../exchange.ts";
import { routed } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";
import { acceptsGzip } from "../steps/compression.ts";
import { gzipTag, namedTag } from "../steps/conditional.ts";
import { llmsText } from "./llms.ts";
import { referencePage } from "./page.ts";

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
  [HEADER.cacheControl]: LASTING_CACHE_CONTROL,
  [HEADER.vary]: HEADER.acceptEncoding,
});

/** The documents say nothing about anybody, so tools on other origins may read them too. */
const DOCUMENT_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.cacheControl]: "public, max-age=300",
  [HEADER.vary]: HEADER.acceptEncoding,
  [HEADER.accessControlAllowOrigin]: "*",
  [HEADER.crossOriginResourcePolicy]: "cross-origin",
});

const TEXT_HEADERS = new Headers({
  ...SECURITY_HEADERS,
  [HEADER.contentType]: TEXT_CONTENT_TYPE,
  [HEADER.cacheControl]: "public, max-age=300",
});

/** A document of JSON in the forms that it is sent in, and the tag of the plain one. */
interface Described {
  readonly etag: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

/** What describes the API and records: to programs, to language models, and on a page to people. None takes a key or counts. */
export function referenceHandlers(serving: Serving): Routed[] {
  const words = llmsText(serving);
  const text: Work = () => new Response(words, { headers: TEXT_HEADERS });

  const page: Work = () => new Response(referencePage(SCRIPT_PATH), { headers: PAGE_HEADERS });

  const script: Work = (request) => {
    const file = Bun.file(bundleFile);
    serving.giveTimeToRead(request, file.size);
    if (!acceptsGzip(request)) {
      const plain = file.stream().pipeThrough(new DecompressionStream("gzip"));
      return new Response(plain, { headers: SCRIPT_HEADERS });
    }
    const response = new Response(file, { headers: SCRIPT_HEADERS });
    response.headers.set(HEADER.contentEncoding, "gzip");
    return response;
  };

  return [
    routed(OPENAPI_PATH, serving, documentWork(fileLoader(OPENAPI_FILE))),
    routed(OPENAPI_30_PATH, serving, documentWork(loadOpenApi30)),
    routed(RECORD_SCHEMA_PATH, serving, documentWork(fileLoader(RECORD_SCHEMA_FILE))),
    routed(LLMS_PATH, serving, text),
    routed(REFERENCE_PATH, serving, page),
    routed(SCRIPT_PATH, serving, script),
  ];
}

/** Sends a document, which is loaded and compressed once, when it is first asked for. */
function documentWork(load: () => Promise<Uint8Array<ArrayBuffer>>): Work {
  const described = once(async () => inBothForms(await load()));
  return async (request) => {
    const { etag, plain, gzip } = await described();
    const compressed = acceptsGzip(request);
    const ifNoneMatch = request.headers.get(HEADER.ifNoneMatch);
    const known = ifNoneMatch === null ? undefined : namedTag(ifNoneMatch, etag, compressed);
    const response = new Response(known === undefined ? (compressed ? gzip : plain) : null, {
      status: known === undefined ? 200 : 304,
      headers: DOCUMENT_HEADERS,
    });
    response.headers.set(HEADER.etag, known ?? (compressed ? gzipTag(etag) : etag));
    if (known !== undefined) return response;
    response.headers.set(HEADER.contentType, JSON_CONTENT_TYPE);
    if (compressed) response.headers.set(HEADER.contentEncoding, "gzip");
    return response;
  };
}

function fileLoader(file: string): () => Promise<Uint8Array<ArrayBuffer>> {
  return () => Bun.file(file).bytes();
}

async function loadOpenApi30(): Promise<Uint8Array<ArrayBuffer>> {
  const older = asVersion30(await Bun.file(OPENAPI_FILE).json());
  return new TextEncoder().encode(`${JSON.stringify(older, null, 2)}\n`);
}

function inBothForms(plain: Uint8Array<ArrayBuffer>): Described {
  return { etag: `"${Bun.hash(plain).toString(36)}"`, plain, gzip: Bun.gzipSync(plain) };
}
