import { ApiError } from "../contract/errors.ts";
import { ROUTES } from "../contract/routes.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { apiHandler, exchangeHandler, type Handler, type Parts, type Serving } from "./handler.ts";
import { healthHandlers } from "./health.ts";
import { pageHandlers } from "./pages.ts";
import { referenceHandlers } from "./reference.ts";
import { requestIdOf } from "./request-id.ts";
import { decodePath, matchPath, pathOf } from "./request-path.ts";
import { errorResponse } from "./responses.ts";

export interface RunningServer {
  readonly url: string;
  /** Answers everything as before, but says that it should be asked no more. */
  drain(): void;
  /** Stops accepting, lets requests in flight finish, and resolves when all is done. */
  stop(): Promise<void>;
}

/** Bun counts a connection's idle time in whole seconds; no request of ours takes longer than a part of one. */
const IDLE_SECONDS = 10;

export interface Address {
  readonly host: string;
  readonly port: number;
  /** Whether other processes serve on the same port. */
  readonly isShared?: boolean;
}

export function startServer(parts: Parts, address: Address): RunningServer {
  const serving: Serving = { ...parts, isDraining: false };
  const handlers = new Map<string, Handler>([
    ...ROUTES.map((route, endpoint) => [route.path, apiHandler(route, endpoint, serving)] as const),
    ...healthHandlers(serving),
    ...pageHandlers(serving),
    ...referenceHandlers(serving),
  ]);
  const elsewhere = lenientRouter(handlers, serving);

  const server = Bun.serve({
    hostname: address.host,
    port: address.port,
    reusePort: address.isShared ?? false,
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
    drain() {
      serving.isDraining = true;
    },
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
function lenientRouter(handlers: ReadonlyMap<string, Handler>, parts: Serving): Fetch {
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
