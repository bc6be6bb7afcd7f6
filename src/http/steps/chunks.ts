import { nextTurn } from "../../async/turn.ts";
import { HEADER } from "../../contract/headers.ts";
import type { Handler, Params } from "../exchange.ts";

/**
 * Answers a request whose body comes in chunks once, and closes its connection. Bun takes a trailer behind the chunks
 * for the next request and refuses it (oven-sh/bun#32887): a caller would get two answers, and a proxy might give the
 * second to somebody else. A turn later Bun has read what there is, and where it has refused it, it has closed the
 * connection; what comes after our answer is not read any more.
 */
export function answeringOnce(handler: Handler): Handler {
  return (request, params) =>
    request.headers.get(HEADER.transferEncoding) === null
      ? handler(request, params)
      : answerAndClose(handler, request, params);
}

async function answerAndClose(handler: Handler, request: Request, params: Params): Promise<Response> {
  await nextTurn();
  if (request.signal.aborted) return new Response(null);
  const response = await handler(request, params);
  response.headers.set(HEADER.connection, "close");
  return response;
}
