import { ApiError } from "../contract/errors.ts";
import { HEADER } from "../contract/headers.ts";
import { HEALTH_PATH, READY_PATH } from "../contract/routes.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { StoreUnavailable } from "../store/reader.ts";
import { exchangeHandler, type Handler, type Serving, type Work } from "./handler.ts";
import { errorResponse, statusResponse } from "./responses.ts";

/** So long storage may take to answer before it counts as away. */
const MOST_WAIT_MS = 500;

/** What supervisors and load balancers ask: whether the process lives, and whether it should get requests. */
export function healthHandlers(serving: Serving): (readonly [path: string, handler: Handler])[] {
  const live: Work = (_request, _slug, { id }) => statusResponse("ok", id);
  const ready: Work = (_request, _slug, { id }) => {
    if (serving.isDraining) throw new ApiError("unavailable");
    return andThen(withinWait(serving.reader.ping()), () => statusResponse("ready", id));
  };
  return [
    [HEALTH_PATH, exchangeHandler(HEALTH_PATH, serving, live)],
    [READY_PATH, exchangeHandler(READY_PATH, serving, ready, refuse)],
  ];
}

function refuse(error: ApiError, { id }: { readonly id: string }): Response {
  const response = errorResponse(error, id);
  response.headers.set(HEADER.cacheControl, "no-store");
  return response;
}

export function withinWait(answer: MaybePromise<void>): MaybePromise<void> {
  if (!(answer instanceof Promise)) return answer;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = new StoreUnavailable("storage did not answer", {
    cause: `no answer within ${MOST_WAIT_MS} ms`,
  });
  const timer = setTimeout(() => reject(late), MOST_WAIT_MS);
  answer.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
