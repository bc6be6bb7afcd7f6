import { ApiError } from "../../contract/errors.ts";
import { HEADER, LASTING_CACHE_CONTROL, SECURITY_HEADERS } from "../../contract/headers.ts";
import { type PageKind, type PREVIEW_PATH, previewPath, profilePath } from "../../contract/routes.ts";
import type { Work } from "../exchange.ts";
import type { Serving } from "../parts.ts";
import { smallLetters } from "../steps/path.ts";
import { redirectResponse } from "./responses.ts";

/** Everybody may show a picture: that is what it is for. */
const SHARING = { [HEADER.crossOriginResourcePolicy]: "cross-origin" };

/** A picture is named for what it shows, so that it never changes. */
const PREVIEW_HEADERS = {
  ...SECURITY_HEADERS,
  ...SHARING,
  [HEADER.contentType]: "image/png",
  [HEADER.cacheControl]: LASTING_CACHE_CONTROL,
};

/**
 * The preview pictures of pages. One that nobody has asked for yet is drawn now, and kept. Any other name than that of
 * the scene of today leads to the picture of today, so that no made-up name has anything drawn.
 */
export function previewWork(serving: Serving): Work<typeof PREVIEW_PATH> {
  const { reader, previews } = serving;
  return async (request, { params: { kind, slug, name } }) => {
    const unknown = new ApiError("unknown_path", { detail: `GET /preview/${kind}/${slug}/${name}` });
    if (!previews || !isKind(kind)) throw unknown;
    const found = await reader.readPreview(kind, slug);
    if (found === null) {
      const moved = await reader.readMovedPage(kind, smallLetters(slug));
      const there = moved === null || moved === slug ? null : await reader.readPreview(kind, moved);
      if (there === null || moved === null || there.scene === "") throw notThere(kind, slug);
      return redirectResponse(previewPath(kind, moved, there.scene), 302, SHARING);
    }
    // Compiled before there were pictures, and not yet again.
    if (found.scene === "") throw unknown;
    const path = previewPath(kind, slug, found.scene);
    if (!path.endsWith(`/${name}`)) return redirectResponse(path, 302, SHARING);
    const bytes = found.bytes ?? (await previews.draw(found));
    if (bytes === undefined) throw new ApiError("unavailable");
    serving.giveTimeToRead(request, bytes.length);
    return new Response(new Uint8Array(bytes), { headers: PREVIEW_HEADERS });
  };
}

function isKind(kind: string): kind is PageKind {
  return kind === "t" || kind === "p";
}

/** What the page itself says. */
function notThere(kind: PageKind, slug: string): ApiError {
  return kind === "t"
    ? new ApiError("tree_not_found")
    : new ApiError("unknown_path", { detail: `GET ${profilePath(slug)}` });
}
