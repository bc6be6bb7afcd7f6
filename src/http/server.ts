import { ApiError } from "../contract/errors.ts";
import { HEALTH_PATH, ROUTES } from "../contract/routes.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { apiHandler, exchangeHandler, type Handler, type Parts } from "./handler.ts";
import { pageHandlers } from "./pages.ts";
import { referenceHandlers } from "./reference.ts";
import { requestIdOf } from "./request-id.ts";
import { decodePath, matchPath, pathOf } from "./request-path.ts";
import { errorResponse, healthResponse } from "./responses.ts";

export interface RunningServer {
  readonly url: string;
  /** Stops accepting, lets requests in flight finish, and resolves when all is done. */
  stop(): Promise<void>;
}

/** Bun counts a connection's idle time in whole seconds; no request of ours takes longer than a part of one. */
const IDLE_SECONDS = 10;

export function startServer(parts: Parts, address: { host: string; port: number }): RunningServer {
  const handlers = new Map<string, Handler>([
    ...ROUTES.map((route, endpoint) => [route.path, apiHandler(route, endpoint, parts)] as const),
    [HEALTH_PATH, exchangeHandler(HEALTH_PATH, parts, (_request, _slug, { id }) => healthResponse(id))],
    ...pageHandlers(parts),
    ...referenceHandlers(parts),
  ]);
  const elsewhere = lenientRouter(handlers, parts);

  const server = Bun.serve({
    hostname: address.host,
    port: address.port,
    development: false,
    idleTimeout: IDLE_SECONDS,
    // Nothing is read from a body, and Bun drops it; a bound would answer 413 where ours is 405.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: Object.fromEntries(
      handlers.entries().map(([path, handler]) => [path, fromRouter(handler, elsewhere)]),
    ),
    fetch: elsewhere,
    error: (error) => {
      parts.log.error("the server failed", { reason: String(error.stack ?? error) });
      return errorResponse(new ApiError("internal", { cause: error }), requestIdOf(null));
    },
  });

  return {
    url: server.url.href.replace(/\/$/, ""),
    stop: () => server.stop(),
  };
}

type Fetch = (request: Request) => MaybePromise<Response>;

/** Bun's router replaces what it cannot decode; a path with such a mark in it gets a strict second look. */
function fromRouter(handler: Handler, elsewhere: Fetch) {
  return (request: Bun.BunRequest<string>) => {
    const { slug = "", linkId = "" } = request.params as { slug?: string; linkId?: string };
    const unsure = slug.includes("\uFFFD") || linkId.includes("\uFFFD");
    return unsure ? elsewhere(request) : handler(request, slug, linkId);
  };
}

/** Takes what Bun's router did not know: trailing slashes, needless encoding, and paths that are not there. */
function lenientRouter(handlers: ReadonlyMap<string, Handler>, parts: Parts): Fetch {
  const templates = [...handlers.keys()];
  const unknown = exchangeHandler(null, parts, (request) => {
    const path = pathOf(request.url);
    if (!decodePath(path))
      throw new ApiError("bad_request", { detail: "Malformed percent-encoding in the path" });
    throw new ApiError("unknown_path", { detail: `${request.method} ${path}` });
  });

  return (request) => {
    const segments = decodePath(pathOf(request.url));
    const match = segments && matchPath(segments, templates);
    const handler = match && handlers.get(match.template);
    return handler ? handler(request, match.slug, match.linkId) : unknown(request, "", "");
  };
}
