import { EXPOSED_HEADERS, HEADER } from "../../contract/headers.ts";
import { ALLOWED_METHODS } from "../../contract/routes.ts";

/** What a path takes: its methods, and the headers that a page may send along. */
export interface Accepted {
  readonly methods: string;
  readonly headers: readonly string[];
  /** Whether a page of any origin may ask. What it may read, each answer says itself. */
  readonly isForAll?: boolean;
}

/** Many write the type of a body although they send none. Browsers would keep such a page from asking. */
export const READING: Accepted = {
  methods: ALLOWED_METHODS,
  headers: [HEADER.authorization, HEADER.contentType, HEADER.ifNoneMatch, HEADER.requestId],
};

const EXPOSED = EXPOSED_HEADERS.join(", ");
const PREFLIGHT_SECONDS = "600";

/** Lets pages of the origins that the operator listed read answers, and no others. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  lists(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** Whether a browser asks for a page of a listed origin what the page may ask. */
  isAsked({ headers }: Request): boolean {
    return headers.has(HEADER.accessControlRequestMethod) && this.lists(headers.get(HEADER.origin) ?? "");
  }

  /** Adds what a browser asks for to any answer. Without listed origins nothing varies. */
  apply(request: Request, response: Response, accepted: Accepted): void {
    if (accepted.isForAll && request.method === "OPTIONS") letAsk(response.headers, "*", accepted);
    if (this.#origins.size === 0) return;
    const { headers } = response;
    headers.append(HEADER.vary, HEADER.origin);
    const origin = request.headers.get(HEADER.origin);
    if (origin === null || !this.#origins.has(origin)) return;
    headers.set(HEADER.accessControlAllowOrigin, origin);
    headers.set(HEADER.accessControlExposeHeaders, EXPOSED);
    if (request.method === "OPTIONS") letAsk(headers, origin, accepted);
  }
}

function letAsk(headers: Headers, origin: string, accepted: Accepted): void {
  headers.set(HEADER.accessControlAllowOrigin, origin);
  headers.set(HEADER.accessControlAllowMethods, accepted.methods);
  headers.set(HEADER.accessControlAllowHeaders, accepted.headers.join(", "));
  headers.set(HEADER.accessControlMaxAge, PREFLIGHT_SECONDS);
}
