import { HEADER } from "../../contract/headers.ts";

/**
 * Whether the body of a request comes in chunks. Such a request is answered once, and its connection closed: Bun takes a
 * trailer behind the chunks for the next request and refuses it (oven-sh/bun#32887), so that a caller would get two
 * answers, and a proxy might give the second to somebody else.
 */
export function isInChunks(request: Request): boolean {
  return request.headers.get(HEADER.transferEncoding) !== null;
}

/**
 * Whether Bun has refused what came behind the chunks, and with that closed the connection. At the end of the turn in
 * which the request came it has read what there was; what comes after our answer is not read any more.
 */
export function isRefused(request: Request): boolean {
  return request.signal.aborted;
}
