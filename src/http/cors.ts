import { EXPOSED_HEADERS, HEADER } from "../contract/headers.ts";
import { ALLOWED_METHODS } from "../contract/routes.ts";

const ALLOWED_HEADERS = [HEADER.authorization, HEADER.ifNoneMatch, HEADER.requestId].join(", ");
const EXPOSED = EXPOSED_HEADERS.join(", ");
const PREFLIGHT_SECONDS = "600";

/** Lets pages of the origins that the operator listed read answers, and no others. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Adds what a browser asks for to any answer. Without listed origins nothing varies and nothing is added. */
  apply(request: Request, response: Response): void {
    if (this.#origins.size === 0) return;
    const { headers } = response;
    headers.append(HEADER.vary, HEADER.origin);
    const origin = request.headers.get(HEADER.origin);
    if (origin === null || !this.#origins.has(origin)) return;
    headers.set(HEADER.accessControlAllowOrigin, origin);
    headers.set(HEADER.accessControlExposeHeaders, EXPOSED);
    if (request.method !== "OPTIONS") return;
    headers.set(HEADER.accessControlAllowMethods, ALLOWED_METHODS);
    headers.set(HEADER.accessControlAllowHeaders, ALLOWED_HEADERS);
    headers.set(HEADER.accessControlMaxAge, PREFLIGHT_SECONDS);
  }
}
