import type { MaybePromise } from "../async/maybe-promise.ts";
import { ApiError } from "../contract/errors.ts";
import { HEADER } from "../contract/headers.ts";
import { MCP_ROUTE, ROUTES } from "../contract/routes.ts";
import { apiHandler } from "./api/handler.ts";
import type { Handler, Params, Work } from "./exchange.ts";
import { exchangeHandler } from "./exchange-handler.ts";
import { fontHandlers } from "./fonts/handlers.ts";
import { healthHandlers } from "./health.ts";
import { mcpHandler } from "./mcp/handler.ts";
import { mediaHandlers } from "./media/handlers.ts";
import { pageHandlers } from "./pages/handlers.ts";
import { errorPageResponse } from "./pages/responses.ts";
import type { Parts, Serving } from "./parts.ts";
import { referenceHandlers } from "./reference/handlers.ts";
import { errorResponse } from "./responses.ts";
import { siteHandlers } from "./site/handlers.ts";
import { LongAnswers } from "./steps/long-answers.ts";
import { decodePath, matchPath, pathOf, UNREADABLE } from "./steps/path.ts";
import { PATIENCE, readingSeconds } from "./steps/patience.ts";
import { requestIdOf } from "./steps/request-id.ts";

interface RunningServer {
  readonly url: string;
  /** Answers everything as before, but says that it should be asked no more. */
  drain(): void;
  /** Stops accepting, lets requests in flight finish, and resolves when all is done. */
  stop(): Promise<void>;
}

interface Address {
  readonly host: string;
  readonly port: number;
  /** Whether other processes serve on the same port. */
  readonly isShared?: boolean;
}

export function startServer(parts: Parts, address: Address, patience = PATIENCE): RunningServer {
  const serving: Serving = {
    ...parts,
    isDraining: false,
    giveTimeToRead(request, bytes) {
      const seconds = readingSeconds(bytes, patience);
      if (seconds !== undefined) server.timeout(request, seconds);
    },
    longAnswers: new LongAnswers(),
    peerOf: (request) => server.requestIP(request)?.address,
  };
  const handlers = new Map<string, Handler>([
    ...ROUTES.map((route) => [route.path, apiHandler(route, serving)] as const),
    [MCP_ROUTE.path, mcpHandler(serving)],
    ...healthHandlers(serving),
    ...pageHandlers(serving),
    ...mediaHandlers(serving),
    ...fontHandlers(serving),
    ...siteHandlers(serving),
    ...referenceHandlers(serving),
  ]);
  const elsewhere = lenientRouter(handlers, serving);

  const server = Bun.serve({
    hostname: address.host,
    port: address.port,
    reusePort: address.isShared ?? false,
    development: false,
    idleTimeout: patience.idleSeconds,
    // Nothing is read from a body, and Bun drops it; a bound would answer 413 where ours is 405.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: Object.fromEntries(
      handlers.entries().map(([path, handler]) => [path, fromRouter(path, handler, elsewhere)]),
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

const NO_PARAMS: Params = {};

/** Bun's router marks what it cannot decode; a path with such a mark in it gets a strict second look. */
function fromRouter(template: string, handler: Handler, elsewhere: Fetch) {
  if (!template.includes(":")) return (request: Request) => handler(request, NO_PARAMS);
  return (request: Bun.BunRequest) => {
    const { params } = request;
    const isUnsure = Object.values(params).some((value) => value.includes(UNREADABLE));
    return isUnsure ? elsewhere(request) : handler(request, params);
  };
}

/** Takes what Bun's router did not know: trailing slashes, needless encoding, and paths that are not there. */
function lenientRouter(handlers: ReadonlyMap<string, Handler>, serving: Serving): Fetch {
  const templates = [...handlers.keys()];
  const refuse: Work<string> = (request) => {
    const path = pathOf(request.url);
    if (!decodePath(path))
      throw new ApiError("bad_request", { detail: "Malformed percent-encoding in the path" });
    // RFC 9110, section 9.3.2: HEAD tells the length that GET has, and so has the words of GET.
    const method = request.method === "HEAD" ? "GET" : request.method;
    throw new ApiError("unknown_path", { detail: `${method} ${path}` });
  };
  const unknown = exchangeHandler(null, serving, refuse);
  const unknownPage = exchangeHandler(null, serving, refuse, { refuse: errorPageResponse });

  return (request) => {
    const segments = decodePath(pathOf(request.url));
    const match = segments && matchPath(segments, templates);
    const handler = match && handlers.get(match.template);
    if (handler) return handler(request, match.params);
    return (isForPeople(request) ? unknownPage : unknown)(request, NO_PARAMS);
  };
}

/** What only programs ask for, whatever they say that they take. */
const FOR_PROGRAMS = /^\/(?:user|mcp|\.well-known)(?:\/|$)/;

/** Whether a browser asks for a page, somewhere that is not the API. */
function isForPeople(request: Request): boolean {
  return (
    request.headers.get(HEADER.accept)?.includes("text/html") === true &&
    !FOR_PROGRAMS.test(pathOf(request.url))
  );
}
