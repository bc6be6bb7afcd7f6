import { HEADER } from "../contract/headers.ts";
import { andThen } from "../maybe-promise.ts";
import type { Work } from "./handler.ts";

/** Gives the answer its request's id, where whoever makes it does not know it. */
export function named(work: Work): Work {
  return (request, slug, exchange, linkId) =>
    andThen(work(request, slug, exchange, linkId), (response) => {
      response.headers.set(HEADER.requestId, exchange.id);
      return response;
    });
}
