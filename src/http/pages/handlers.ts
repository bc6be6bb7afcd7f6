import { ApiError } from "../../contract/errors.ts";
import { HEADER } from "../../contract/headers.ts";
import {
  HOME_PATH,
  LINK_PATH,
  PAGE_PATH,
  PREVIEW_PATH,
  PROFILE_PATH,
  pagePath,
  profilePath,
  QR_PATH,
} from "../../contract/routes.ts";
import { packedIn } from "../../packing/packed.ts";
import type { Routed, Work } from "../exchange.ts";
import { routed } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";
import { READING } from "../steps/cors.ts";
import { originOf } from "../steps/host.ts";
import { smallLetters } from "../steps/path.ts";
import { homePage } from "./home-page.ts";
import { previewWork } from "./preview-handler.ts";
import { profileWork } from "./profile-handler.ts";
import { qrResponse } from "./qr.ts";
import { errorPageResponse, homeResponse, PageResponses, redirectResponse, TREE_PAGES } from "./responses.ts";

/** What people see: the pages of link trees, the way from them to where links lead, and the server's own page. */
export function pageHandlers(serving: Serving): Routed[] {
  const { reader, visits } = serving;
  const responses = new PageResponses(serving, TREE_PAGES);
  const front = homePage(serving.siteName);

  /** Where the page of a tree is now: under its slug in small letters, or under the one that it was given since. */
  const movedTo = async (slug: string): Promise<string> => {
    const small = smallLetters(slug);
    if (small !== slug && (await reader.readPageTag(small)) !== null) return small;
    const moved = await reader.readMovedPage("t", small);
    if (moved === null || moved === slug) throw new ApiError("tree_not_found");
    return moved;
  };

  const view: Work<typeof PAGE_PATH> = async (request, { params: { slug } }) => {
    const ifNoneMatch = request.headers.get(HEADER.ifNoneMatch);
    if (ifNoneMatch !== null) {
      const tag = await reader.readPageTag(slug);
      const response = tag && responses.notModified(tag, ifNoneMatch, request);
      if (response) {
        visits.notModified();
        return response;
      }
    }
    const page = await reader.readPage(slug);
    if (page === null) return redirectResponse(pagePath(await movedTo(slug)), 301);
    serving.giveTimeToRead(request, packedIn(page.html)?.length ?? page.html.length);
    const response = responses.page(slug, page, request);
    await visits.view(request, page);
    return response;
  };

  const click: Work<typeof LINK_PATH> = async (request, { params: { slug, linkId } }) => {
    const link = await reader.readLink(slug, linkId);
    if (link === null) {
      // Who has a page of that name now is not to be mistaken for who had one.
      if ((await reader.readPageTag(slug)) !== null) throw new ApiError("tree_not_found");
      const path = pagePath(await movedTo(slug));
      return redirectResponse(`${path}/${encodeURIComponent(linkId)}`, 301);
    }
    await visits.click(request, link, linkId);
    return redirectResponse(link.url);
  };

  const home: Work<typeof HOME_PATH> = async () => {
    const slug = await reader.readOnlyProfile();
    return slug === null ? homeResponse(front) : redirectResponse(profilePath(slug));
  };

  const qrCode: Work<typeof QR_PATH> = async (request, { params: { name } }) => {
    const slug = name.endsWith(".svg") ? name.slice(0, -".svg".length) : "";
    if ((await reader.readPageTag(slug)) === null) throw new ApiError("tree_not_found");
    const origin = serving.publicUrl || originOf(request);
    if (origin === "") throw new ApiError("bad_request", { detail: "The Host header is missing" });
    return qrResponse(origin + pagePath(slug));
  };

  const options = { refuse: errorPageResponse, isTogether: () => true };
  const forAll = { ...options, accepted: { ...READING, isForAll: true } };
  const handler = <Path extends string>(path: Path, work: Work<Path>) => routed(path, serving, work, options);
  return [
    handler(PAGE_PATH, view),
    handler(LINK_PATH, click),
    handler(QR_PATH, qrCode),
    handler(PREVIEW_PATH, previewWork(serving)),
    routed(PROFILE_PATH, serving, profileWork(serving), forAll),
    handler(HOME_PATH, home),
  ];
}
