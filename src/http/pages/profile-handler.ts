import { ApiError } from "../../contract/errors.ts";
import {
  HEADER,
  JSON_CONTENT_TYPE,
  PRIVATE_CACHE_CONTROL,
  SECURITY_HEADERS,
} from "../../contract/headers.ts";
import { type PROFILE_PATH, profilePath } from "../../contract/routes.ts";
import { pageStart } from "../../html/frame.ts";
import { profileStyle } from "../../html/profile-style.ts";
import { styleHash } from "../../html/style.ts";
import { gzipAnswer, isPackable, plainAnswer } from "../../packing/answer.ts";
import { packedIn } from "../../packing/packed.ts";
import type { ProfileFile, StoredFile } from "../../store/reader.ts";
import type { Work } from "../exchange.ts";
import type { Serving } from "../parts.ts";
import { acceptsGzip } from "../steps/compression.ts";
import { gzipTag, namedTag } from "../steps/conditional.ts";
import { smallLetters } from "../steps/path.ts";
import { errorPageResponse, type PageForm, PageResponses, redirectResponse } from "./responses.ts";

function profilePages(publicUrl: string): PageForm {
  const style = profileStyle(publicUrl);
  return { start: pageStart(style), styleHash: styleHash(style), kind: "p", pathOf: profilePath };
}

/** What a public profile is as a file, by the ending of its name. All of it is public, so that any site may read it. */
const FILES: Readonly<Record<string, { readonly file: ProfileFile; readonly type: string }>> = {
  ".vcf": { file: "card", type: "text/vcard; charset=utf-8" },
  ".json": { file: "resume", type: JSON_CONTENT_TYPE },
};

const SHARING = {
  [HEADER.accessControlAllowOrigin]: "*",
  [HEADER.crossOriginResourcePolicy]: "cross-origin",
};

const FILE_HEADERS = {
  ...SECURITY_HEADERS,
  ...SHARING,
  [HEADER.cacheControl]: PRIVATE_CACHE_CONTROL,
  [HEADER.vary]: HEADER.acceptEncoding,
};

/** The page of a profile, and its files. Nothing of it is counted. One that is private is like one that is not there. */
export function profileWork(serving: Serving): Work<typeof PROFILE_PATH> {
  const { reader } = serving;
  const responses = new PageResponses(serving, profilePages(serving.publicUrl));

  /** The path at which a profile, or a file of it, is now. */
  const movedTo = async (name: string, ending: string): Promise<string | undefined> => {
    const slug = name.slice(0, name.length - ending.length);
    const small = smallLetters(slug);
    const isThere = small !== slug && (await reader.readProfilePageTag(small)) !== null;
    const moved = isThere ? small : await reader.readMovedPage("p", small);
    return moved === null || moved === slug ? undefined : profilePath(moved) + ending;
  };

  return async (request, exchange) => {
    const { slug } = exchange.params;
    const ending = /\.[a-z]+$/.exec(slug)?.[0] ?? "";
    const kind = Object.hasOwn(FILES, ending) ? FILES[ending] : undefined;
    if (kind) {
      // The file of somebody comes before the page of somebody whose slug is called like it.
      const owner = slug.slice(0, -ending.length);
      const found = await reader.readProfileFile(owner, kind.file);
      if (found) return fileResponse(found, kind, slug, request, serving);
    }
    const ifNoneMatch = request.headers.get(HEADER.ifNoneMatch);
    if (ifNoneMatch !== null) {
      const tag = await reader.readProfilePageTag(slug);
      const response = tag && responses.notModified(tag, ifNoneMatch, request);
      if (response) return response;
    }
    const page = await reader.readProfilePage(slug);
    if (page === null) {
      const moved = await movedTo(slug, kind ? ending : "");
      if (moved !== undefined) return redirectResponse(moved, 301, kind && SHARING);
      const missing = new ApiError("unknown_path", { detail: `GET ${profilePath(slug)}` });
      if (!kind) throw missing;
      return shared(errorPageResponse(missing, exchange));
    }
    serving.giveTimeToRead(request, packedIn(page.html)?.length ?? page.html.length);
    return responses.page(slug, page, request);
  };
}

/** Else a page of another site could not tell a file that is not there from a server that does not answer. */
function shared(response: Response): Response {
  for (const [name, value] of Object.entries(SHARING)) response.headers.set(name, value);
  return response;
}

function fileResponse(
  { etag, body }: StoredFile,
  { file, type }: { file: ProfileFile; type: string },
  name: string,
  request: Request,
  { giveTimeToRead }: Serving,
): Response {
  const stored = { body, length: null, checksum: null };
  const packs = acceptsGzip(request) && isPackable(stored);
  const ifNoneMatch = request.headers.get(HEADER.ifNoneMatch);
  const known = ifNoneMatch === null ? undefined : namedTag(ifNoneMatch, etag, packs);
  if (known !== undefined) {
    const notModified = new Response(null, { status: 304, headers: FILE_HEADERS });
    notModified.headers.set(HEADER.etag, known);
    return notModified;
  }
  const packed = packs ? gzipAnswer(stored) : undefined;
  const sent = packed ?? plainAnswer(stored);
  giveTimeToRead(request, sent.length);
  const response = new Response(sent as Uint8Array<ArrayBuffer>, { headers: FILE_HEADERS });
  response.headers.set(HEADER.etag, packed ? gzipTag(etag) : etag);
  if (packed) response.headers.set(HEADER.contentEncoding, "gzip");
  response.headers.set(HEADER.contentType, type);
  if (file === "card")
    response.headers.set(HEADER.contentDisposition, `attachment; filename*=UTF-8''${encoded(name)}`);
  return response;
}

/** RFC 6266, section 4.3: a name in any script. RFC 8187 leaves fewer characters as they are than JavaScript does. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
