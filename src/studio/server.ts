import { withDeadline } from "../async/maybe-promise.ts";
import { inTurnOf } from "../async/turn.ts";
import { HEADER } from "../contract/headers.ts";
import { NoSuchUser } from "../store/access.ts";
import { asUnavailable } from "../store/faults.ts";
import { DamagedRecord } from "../store/stored-record.ts";
import { StoreUnavailable } from "../store/unavailable.ts";
import { studioAddress } from "./address.ts";
import type { Call, Studio, Visit } from "./call.ts";
import { PAGES } from "./contract.ts";
import { StudioCookies } from "./cookies.ts";
import { notFound, retryAfter, StudioFault } from "./faults.ts";
import { finishJourney, startJourney } from "./handlers/oidc.ts";
import { HANDLERS } from "./handlers.ts";
import { ProviderSilent } from "./oidc.ts";
import type { StudioParts } from "./parts.ts";
import {
  assetResponse,
  faultPageResponse,
  faultResponse,
  jsonResponse,
  pageResponse,
  redirectResponse,
} from "./responses.ts";
import { SessionBook } from "./sessions.ts";
import { readBody, receiveBody } from "./steps/body.ts";
import { clientOf, PROXIES_HERE } from "./steps/client.ts";
import { checkHost } from "./steps/host.ts";
import { countCall } from "./steps/limit.ts";
import { refuseForeignOrigin } from "./steps/origin.ts";
import { checkPermission } from "./steps/permission.ts";
import { findRoute, type Match } from "./steps/route.ts";
import { nameOf, visitOf } from "./visitors.ts";

export interface RunningStudio {
  /** As browsers know it, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * The longest that the database may take to let a call in, and again to answer it. Longer than a write waits for the
 * locks of others: what was said to have failed is not to be saved after that.
 */
const DEADLINE_MS = 12_000;

/** Bun closes a connection on which nothing moves for longer. More than a call takes once its body is there. */
const IDLE_SECONDS = 40;

/** More than any body that is taken, so that what is too long gets a sentence and not a closed connection. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

const REPLACED = "the file of the database was replaced or removed: the studio has to be started anew";

const PAGE_PATHS = new Set<string>(Object.values(PAGES));

export function startStudio(
  parts: StudioParts,
  { host, port }: { readonly host: string; readonly port: number },
): RunningStudio {
  const server = Bun.serve({
    hostname: host,
    port,
    development: false,
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MAX_BODY_BYTES,
    fetch: (request, server) => answer(request, server.requestIP(request)?.address),
    error: (error) => faultResponse(faultOf(error, parts)),
  });
  const address = studioAddress(parts.studioUrl, server.port ?? port);
  // Where it has a public address, a proxy is in front of it.
  const proxies = parts.studioUrl === "" ? [] : [...PROXIES_HERE, ...parts.trustedProxies];
  const studio: Studio = {
    ...parts,
    address,
    cookies: new StudioCookies(address),
    sessions: new SessionBook(parts.store.access, parts.now),
  };

  async function answer(request: Request, peer: string | undefined): Promise<Response> {
    const response = await respond(request, peer).catch((error) => faultResponse(faultOf(error, studio)));
    // Bun refuses a trailer behind chunks as if it were the next request (oven-sh/bun#32887). On a connection that goes
    // on, a proxy would take that for the answer to somebody else.
    if (request.headers.has(HEADER.transferEncoding)) response.headers.set(HEADER.connection, "close");
    return response;
  }

  /** The request path: what is read here from top to bottom is what happens. */
  async function respond(request: Request, peer: string | undefined): Promise<Response> {
    const { leadTo } = checkHost(request, address);
    const { pathname } = new URL(request.url);
    const isReading = request.method === "GET" || request.method === "HEAD";
    const opensPage = isReading && PAGE_PATHS.has(pathname);
    if (!opensPage) refuseForeignOrigin(request, address.origin);
    if (leadTo !== undefined) {
      if (opensPage) return redirectResponse(leadTo + pathname);
      throw new StudioFault("wrong-host", `The studio is at ${leadTo}.`);
    }
    const client = clientOf(request, peer, proxies);
    if (opensPage) return openPage(request, pathname, client);
    const asset = studio.page.assets.get(pathname);
    if (asset && isReading) return assetResponse(asset, request);
    if (!pathname.startsWith("/api/")) throw notFound("page");
    return handle(request, findRoute(request.method, pathname), client);
  }

  /** What is written to a file that is no longer at its place would be lost. */
  function refuseReplaced(): void {
    if (studio.store.isReplaced()) throw new StoreUnavailable(REPLACED);
  }

  async function openPage(request: Request, path: string, client: string): Promise<Response> {
    if (path === PAGES.home) return pageResponse(studio.page.html);
    const { provider } = studio;
    if (!provider) throw notFound("page");
    const travel = async () => {
      refuseReplaced();
      await countCall(studio.limiter, "sign-ins", `address ${client}`);
      return path === PAGES.oidcStart
        ? startJourney(studio, provider, request)
        : finishJourney(studio, provider, request);
    };
    try {
      return await inTime(travel());
    } catch (error) {
      return faultPageResponse(faultOf(error, studio));
    }
  }

  async function handle(request: Request, match: Match, client: string): Promise<Response> {
    const { name, route, params } = match;
    let who = "nobody";
    const identify = async () => {
      refuseReplaced();
      const visit = await visitOf(request, studio);
      if (visit) who = nameOf(visit.session.userId);
      return visit;
    };
    const permit = async (visit: Visit | null) => ({
      visit,
      user: await checkPermission(route, params.user, visit, studio),
    });
    const admit = async () => {
      await countCall(studio.limiter, route.limit, `address ${client}`);
      const visit = await identify();
      if (visit) await countCall(studio.limiter, route.limit, `account ${who}`);
      return permit(visit);
    };
    const perform = async (bytes: Uint8Array | undefined) => {
      const body = await readBody(bytes, request, name, route, who);
      // Who was signed out or deleted in that time is let in no more, or a session could outlive its end.
      const { visit, user } = await inTime(identify().then(permit));
      const cookies: string[] = [];
      const call = {
        studio,
        request,
        params,
        query: new URL(request.url).searchParams,
        body,
        visit,
        user,
        name: (userId: string | null) => {
          who = nameOf(userId);
        },
        countAccount: (userId: string) => countCall(studio.limiter, route.limit, `account ${userId}`),
        setCookie: (cookie: string) => void cookies.push(cookie),
      };
      // The table says which call belongs to which route, and the types of both are made from it.
      const handler = HANDLERS[name] as (call: unknown) => Promise<unknown>;
      const answered = await inTime(handler(call satisfies Record<keyof Call, unknown>));
      const response = answered instanceof Response ? answered : jsonResponse(answered);
      for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
      return response;
    };
    let response: Response;
    try {
      const admitted = await inTime(admit());
      // However long it takes to come and to be read: some lines are slow, and some files are large.
      const bytes = await receiveBody(request, name, route);
      const act = () => perform(bytes);
      // A large record takes a second to check. Many of one owner's at once would hold up everybody else.
      response = await (admitted.visit ? inTurnOf(who, act) : act());
    } catch (error) {
      response = faultResponse(faultOf(error, studio));
    }
    // What changes something, or tries to, leaves a line: who and what, and never a value.
    if (route.limit !== "reads") studio.log.info("studio", { who, route: name, status: response.status });
    return response;
  }

  return { url: address.origin, port: server.port ?? port, stop: () => server.stop() };
}

/** What takes longer waits for the database, or for the Redis that counts calls. */
async function inTime<Value>(value: Promise<Value>): Promise<Value> {
  return withDeadline(value, DEADLINE_MS, () => new StoreUnavailable(`no answer within ${DEADLINE_MS} ms`));
}

/** What a person is told of a failure. Its cause goes to the log alone. */
function faultOf(error: unknown, { log }: StudioParts): StudioFault {
  if (error instanceof StudioFault) return error;
  // Who was there when the call was let in, and was deleted since.
  if (error instanceof NoSuchUser) return notFound("user");
  if (error instanceof DamagedRecord)
    return new StudioFault("unavailable", "The record is damaged. The operator can mend it: vitrine doctor.");
  if (error instanceof ProviderSilent) {
    log.warn("the OpenID provider does not answer", { reason: error.message });
    return new StudioFault(
      "unavailable",
      "Your provider does not answer. Try again soon.",
      {},
      retryAfter(1),
    );
  }
  const unavailable = asUnavailable(error);
  if (unavailable) {
    log.error("storage is unavailable", { reason: unavailable.reason });
    const words = "The database does not answer. Nothing is lost: try again soon.";
    return new StudioFault("unavailable", words, {}, retryAfter(1));
  }
  log.error("a request of the studio failed", { reason: String((error as Error)?.stack ?? error) });
  return new StudioFault("internal", "Something went wrong here, and nothing was saved. Try again.");
}
