import { HEADER } from "../../contract/headers.ts";
import type { Work } from "../exchange.ts";

/** Short and plain enough to stand in a log line and a header as it is, and no key in the wrong place. */
const SANE = /^(?!.*vitp?_)[\w.-]{1,128}$/;

/** Tells this process's requests from those of any other; a count tells them from each other. */
const processId = crypto.randomUUID().slice(0, 13);
let count = 0;

/** The caller's own id for a request where it is sane, so that both sides can speak of the same one. */
export function requestIdOf(given: string | null): string {
  if (given !== null && SANE.test(given)) return given;
  count++;
  return `${processId}-${count}`;
}

/**
 * Gives an answer the id of its request, where it was made without. The API puts it among the headers from which it
 * makes an answer: setting it afterwards takes a twentieth of the time of a request.
 */
export function withRequestId<Path extends string>(work: Work<Path>): Work<Path> {
  return async (request, exchange) => {
    const response = await work(request, exchange);
    response.headers.set(HEADER.requestId, exchange.id);
    return response;
  };
}
