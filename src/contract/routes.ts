/** The kinds of document that exist once per user. A link tree's own document is kept per slug. */
export const DOCUMENT_KINDS = ["full", "linktrees", "links", "jobs", "projects", "education"] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Which of the operator's two limit settings bounds a route. */
export type LimitClass = "full" | "default";

export interface Route {
  /** Names the route in limit headers and metrics. */
  readonly name: string;
  readonly path: `/user/${string}`;
  /** What a read of this route fetches: a document of the user, or the document of one link tree. */
  readonly document: DocumentKind | "linktree";
  readonly limit: LimitClass;
  readonly summary: string;
}

/** The whole API. Handlers, documentation and tests are derived from this list. */
export const ROUTES = [
  {
    name: "full",
    path: "/user/full",
    document: "full",
    limit: "full",
    summary:
      "The whole profile in one response: account, profile, jobs, projects, link trees and education. Values are returned whatever their visibility flag says.",
  },
  {
    name: "linktrees",
    path: "/user/linktrees",
    document: "linktrees",
    limit: "default",
    summary: "All your link trees with their links, oldest first.",
  },
  {
    name: "linktree",
    path: "/user/linktrees/:slug",
    document: "linktree",
    limit: "default",
    summary: "One of your link trees, by its slug.",
  },
  {
    name: "links",
    path: "/user/links",
    document: "links",
    limit: "default",
    summary: "Your profile's addresses. One that is unset or marked private is null.",
  },
  {
    name: "jobs",
    path: "/user/jobs",
    document: "jobs",
    limit: "default",
    summary: "Your jobs: current ones first, then by start date, newest first.",
  },
  {
    name: "projects",
    path: "/user/projects",
    document: "projects",
    limit: "default",
    summary: "Your projects: current ones first, then by start date, newest first.",
  },
  {
    name: "education",
    path: "/user/education",
    document: "education",
    limit: "default",
    summary: "Your education: current entries first, then by start date, newest first.",
  },
] as const satisfies readonly Route[];

export type RouteName = (typeof ROUTES)[number]["name"];

/** Answers as soon as the process serves, without a key and without touching storage. */
export const HEALTH_PATH = "/healthz";

/** Whether requests should be sent here: no while storage is away, and no once the process is about to stop. */
export const READY_PATH = "/readyz";

/** The API, described for programs. */
export const OPENAPI_PATH = "/openapi.json";

/** The API, described for people, who can try it there. */
export const REFERENCE_PATH = "/docs";

/** A few words for whoever opens the server's address in a browser. */
export const HOME_PATH = "/";

/** The public page of a link tree. Whoever is shown it has made a view. */
export const PAGE_PATH = "/t/:slug";

/** Leads from a page to where one of its links goes. Whoever is sent there has made a click. */
export const LINK_PATH = "/t/:slug/:linkId";

/** The path of a tree's page, ready to stand in an address. */
export function pagePath(slug: string): string {
  return `/t/${encodeURIComponent(slug)}`;
}

export const ALLOWED_METHODS = "GET, HEAD";

/** The limits hold for any window of this length. */
export const LIMIT_WINDOW_SECONDS = 60;
