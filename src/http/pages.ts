import { ApiError } from "../contract/errors.ts";
import { HEADER } from "../contract/headers.ts";
import { HOME_PATH, LINK_PATH, PAGE_PATH } from "../contract/routes.ts";
import { andThen } from "../maybe-promise.ts";
import { namesTag } from "./conditional.ts";
import { exchangeHandler, type Handler, type Serving, type Work } from "./handler.ts";
import { named } from "./named.ts";
import { homePage } from "./own-pages.ts";
import { errorPageResponse, ownPageResponse, PageResponses, redirectResponse } from "./page-responses.ts";

/** What people see: the pages of link trees, the way from them to where links lead, and the server's own page. */
export function pageHandlers(parts: Serving): (readonly [path: string, handler: Handler])[] {
  const { reader, visits } = parts;
  const responses = new PageResponses(parts.publicUrl);
  const home = homePage();

  const view: Work = (request, slug) =>
    andThen(reader.readPage(slug), (page) => {
      if (page === null) throw new ApiError("tree_not_found");
      const ifNoneMatch = request.headers.get(HEADER.ifNoneMatch);
      if (ifNoneMatch !== null && namesTag(ifNoneMatch, responses.etagOf(page, request))) {
        visits.notModified();
        return responses.notModified(page, request);
      }
      return andThen(visits.view(request, page), () => responses.page(slug, page, request));
    });

  const click: Work = (request, slug, _, linkId) =>
    andThen(reader.readLink(slug, linkId), (link) => {
      if (link === null) throw new ApiError("tree_not_found");
      return andThen(visits.click(request, link, linkId), () => redirectResponse(link.url));
    });

  const handler = (path: string, work: Work) =>
    [path, exchangeHandler(path, parts, named(work), errorPageResponse)] as const;
  return [
    handler(PAGE_PATH, view),
    handler(LINK_PATH, click),
    handler(HOME_PATH, () => ownPageResponse(home)),
  ];
}
