import { type MaybePromise, withDeadline } from "../async/maybe-promise.ts";
import { ApiError } from "../contract/errors.ts";
import { HEADER } from "../contract/headers.ts";
import { HEALTH_PATH, READY_PATH } from "../contract/routes.ts";
import type { DocumentReader } from "../store/reader.ts";
import { StoreUnavailable } from "../store/unavailable.ts";
import type { Refusal, Routed, Work } from "./exchange.ts";
import { routed } from "./exchange-handler.ts";
import type { Serving } from "./parts.ts";
import { errorResponse, JSON_HEADERS } from "./responses.ts";

/** The longest that storage may take to answer before it counts as away. */
const MAX_WAIT_MS = 500;

const STATUS_HEADERS = new Headers({ ...JSON_HEADERS, [HEADER.cacheControl]: "no-store" });

/** What supervisors and load balancers ask: whether the process lives, and whether it should get requests. */
export function healthHandlers(serving: Serving): Routed[] {
  const live: Work = () => statusResponse({ status: "ok" });
  const ready: Work = async () => {
    if (serving.isDraining) throw new ApiError("unavailable");
    await pingInTime(serving.reader);
    return statusResponse(serving.canCount() ? { status: "ready" } : { status: "ready", counting: false });
  };
  return [routed(HEALTH_PATH, serving, live), routed(READY_PATH, serving, ready, { refuse })];
}

type Status = { readonly status: "ok" } | { readonly status: "ready"; readonly counting?: false };

function statusResponse(status: Status): Response {
  return new Response(JSON.stringify(status), { headers: STATUS_HEADERS });
}

const refuse: Refusal = (error, { id }) => {
  const response = errorResponse(error, id);
  if (error.code === "unavailable") response.headers.set(HEADER.cacheControl, "no-store");
  return response;
};

/** Fails where storage fails, and where it does not answer in time. */
export function pingInTime(reader: Pick<DocumentReader, "ping">): MaybePromise<void> {
  return withDeadline(reader.ping(), MAX_WAIT_MS, () => {
    const cause = `no answer within ${MAX_WAIT_MS} ms`;
    return new StoreUnavailable("storage did not answer", { cause });
  });
}
