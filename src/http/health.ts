import { ApiError } from "../contract/errors.ts";
import { HEADER } from "../contract/headers.ts";
import { HEALTH_PATH, READY_PATH } from "../contract/routes.ts";
import { andThen, type MaybePromise, withDeadline } from "../maybe-promise.ts";
import { type DocumentReader, StoreUnavailable } from "../store/reader.ts";
import { exchangeHandler, type Handler, type Serving, type Work } from "./handler.ts";
import { errorResponse, statusResponse } from "./responses.ts";

/** So long storage may take to answer before it counts as away. */
const MOST_WAIT_MS = 500;

/** What supervisors and load balancers ask: whether the process lives, and whether it should get requests. */
export function healthHandlers(serving: Serving): (readonly [path: string, handler: Handler])[] {
  const live: Work = (_request, _slug, { id }) => statusResponse("ok", id);
  const ready: Work = (_request, _slug, { id }) => {
    if (serving.isDraining) throw new ApiError("unavailable");
    return andThen(pingInTime(serving.reader), () => statusResponse("ready", id));
  };
  return [
    [HEALTH_PATH, exchangeHandler(HEALTH_PATH, serving, live)],
    [READY_PATH, exchangeHandler(READY_PATH, serving, ready, refuse)],
  ];
}

function refuse(error: ApiError, { id }: { readonly id: string }): Response {
  const response = errorResponse(error, id);
  if (error.code === "unavailable") response.headers.set(HEADER.cacheControl, "no-store");
  return response;
}

/** Fails where storage fails, and where it does not answer in time. */
export function pingInTime(reader: Pick<DocumentReader, "ping">): MaybePromise<void> {
  return withDeadline(reader.ping(), MOST_WAIT_MS, () => {
    const cause = `no answer within ${MOST_WAIT_MS} ms`;
    return new StoreUnavailable("storage did not answer", { cause });
  });
}
