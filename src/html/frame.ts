import { type Html, html } from "./html.ts";
import { STYLE } from "./style.ts";

/** A small display case with three shelves, in place of a file to fetch. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%238a3f1d'/%3E%3Cpath d='M9 10h14M9 16h14M9 22h9' stroke='%23fff' stroke-width='3' stroke-linecap='round'/%3E%3C/svg%3E";

/**
 * How every page begins. It is the same for all, so it is not stored with each but put before it when it is sent.
 * The language is that of the few words which are ours.
 */
export const PAGE_START = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="${ICON}"><style>${STYLE}</style>`;

/**
 * What follows: the page's address, which only the server knows, and not whoever compiled the page. Without a
 * public address the canonical one is relative.
 */
export function addressTags(publicUrl: string): (path: string) => string {
  const canonical = `${html`<link rel="canonical" href="${publicUrl}`}`;
  const shared = publicUrl ? `${html`<meta property="og:url" content="${publicUrl}`}` : undefined;
  // A path is percent-encoded, and so has no character that means anything here. This is done for every view.
  return (path) => `${canonical}${path}">${shared === undefined ? "" : `${shared}${path}">`}`;
}

/** The rest of a page, and all that is stored of one: the head from its title on, and the body. */
export function pageRest(page: { head: Html; bodyClass: string; body: Html }): string {
  return String(html`${page.head}</head><body class="${page.bodyClass}">${page.body}</body></html>`);
}

/** A page that the server makes itself. It is found by nobody who was not sent there. */
export function ownPage(title: string, body: Html): string {
  const head = html`<title>${title}</title><meta name="robots" content="noindex">`;
  return PAGE_START + pageRest({ head, bodyClass: "h1", body });
}
