import type { KeyPath } from "./access.ts";

/** The kinds of document that exist once per user. A link tree's own document is kept per slug. */
export const DOCUMENT_KINDS = [
  "full",
  "linktrees",
  "links",
  "jobs",
  "projects",
  "education",
  "resume",
] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Which of the operator's two limit settings bounds a route. */
export type LimitClass = "full" | "default";

export interface Route {
  /** Names the route in limit headers. Requests are counted under it, so no two routes have the same. */
  readonly name: string;
  readonly path: `/user/${string}`;
  /** What a read of this route fetches: a document of the user, or the document of one link tree. */
  readonly document: DocumentKind | "linktree";
  readonly limit: LimitClass;
  /** What a key must be allowed in order to read it, where the key is confined. */
  readonly keyPath: KeyPath;
  readonly summary: string;
}

/** The whole API. Handlers, documentation and tests are derived from this list. */
export const ROUTES = [
  {
    name: "full",
    path: "/user/full",
    document: "full",
    limit: "full",
    keyPath: "full",
    summary:
      "The whole profile in one response: account, profile, jobs, projects, link trees and education. Values are returned with their visibility flags, private ones too.",
  },
  {
    name: "linktrees",
    path: "/user/linktrees",
    document: "linktrees",
    limit: "default",
    keyPath: "linktrees",
    summary: "All your link trees with their links, oldest first.",
  },
  {
    name: "linktree",
    path: "/user/linktrees/:slug",
    document: "linktree",
    limit: "default",
    keyPath: "linktrees",
    summary: "One of your link trees, by its slug.",
  },
  {
    name: "links",
    path: "/user/links",
    document: "links",
    limit: "default",
    keyPath: "links",
    summary: "Your profile's addresses. One that is unset or marked private is null.",
  },
  {
    name: "jobs",
    path: "/user/jobs",
    document: "jobs",
    limit: "default",
    keyPath: "jobs",
    summary: "Your jobs: current ones first, then by start date, newest first.",
  },
  {
    name: "projects",
    path: "/user/projects",
    document: "projects",
    limit: "default",
    keyPath: "projects",
    summary: "Your projects: current ones first, then by start date, newest first.",
  },
  {
    name: "education",
    path: "/user/education",
    document: "education",
    limit: "default",
    keyPath: "education",
    summary: "Your education: current entries first, then by start date, newest first.",
  },
  {
    name: "resume",
    path: "/user/resume",
    document: "resume",
    limit: "default",
    keyPath: "resume",
    summary: "Your profile, jobs, education and projects as a JSON Resume, which many other programs read.",
  },
] as const satisfies readonly Route[];

/** What agents call: the same reads over the Model Context Protocol. It is no path to read, and takes POST alone. */
export const MCP_ROUTE = {
  name: "mcp",
  path: "/mcp",
  limit: "default",
  keyPath: "mcp",
} as const satisfies Pick<Route, "name" | "limit" | "keyPath"> & { path: string };

/** Every route that is limited, by the name under which its requests are counted. */
export const LIMITED_ROUTES = [...ROUTES, MCP_ROUTE] as const;

export type RouteName = (typeof ROUTES)[number]["name"];

/** Answers as soon as the process serves, without a key and without touching storage. */
export const HEALTH_PATH = "/healthz";

/** Whether requests should be sent here: no while storage is away, and no once the process is about to stop. */
export const READY_PATH = "/readyz";

/** The API, described for programs. */
export const OPENAPI_PATH = "/openapi.json";

/** The same for tools that know OpenAPI 3.0 only. */
export const OPENAPI_30_PATH = "/openapi-3.0.json";

/** What a record may be written as, for editors that complete and check. */
export const RECORD_SCHEMA_PATH = "/schema/record.json";

/** The API, described for people, who can try it there. */
export const REFERENCE_PATH = "/docs";

/** The API in plain text, for language models. */
export const LLMS_PATH = "/llms.txt";

/** The front page, or the way to the one public profile that there is. */
export const HOME_PATH = "/";

export const ROBOTS_PATH = "/robots.txt";

export const FAVICON_PATH = "/favicon.ico";

/** Whom to tell of a security problem (RFC 9116), where the operator has said. */
export const SECURITY_TXT_PATH = "/.well-known/security.txt";

/** The public page of a link tree. Showing it is a view. */
export const PAGE_PATH = "/t/:slug";

/** Leads from a page to where one of its links goes. Following it is a click. */
export const LINK_PATH = "/t/:slug/:linkId";

/** The address of a tree's page as a code to scan. */
export const QR_PATH = "/qr/:name";

/** The public page of a profile. With `.vcf` behind it, a card for address books; with `.json`, a JSON Resume. */
export const PROFILE_PATH = "/p/:slug";

/** A picture that an owner uploaded, by the hash of its bytes. */
export const PICTURE_PATH = "/media/:name";

/** The preview picture of a page: of a link tree (t) or a profile (p). Its name is a hash of all that it shows. */
export const PREVIEW_PATH = "/preview/:kind/:slug/:name";

export type PageKind = "t" | "p";

/** The path of a tree's page, ready to stand in an address. */
export function pagePath(slug: string): string {
  return `/t/${encodeURIComponent(slug)}`;
}

export function qrPath(slug: string): string {
  return `/qr/${encodeURIComponent(slug)}.svg`;
}

/** The path of a profile's page, ready to stand in an address. */
export function profilePath(slug: string): string {
  return `/p/${encodeURIComponent(slug)}`;
}

/** The path of the picture that shows a scene: another scene, another path, so that it may be kept for ever. */
export function previewPath(kind: PageKind, slug: string, scene: string): string {
  return `/preview/${kind}/${encodeURIComponent(slug)}/${Bun.hash.xxHash3(scene).toString(36)}.png`;
}

export const ALLOWED_METHODS = "GET, HEAD";

/** The limits hold for any window of this length. */
export const LIMIT_WINDOW_SECONDS = 60;
