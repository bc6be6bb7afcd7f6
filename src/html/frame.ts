import { type Html, html } from "./html.ts";
import { STYLE } from "./style.ts";

/** A small display case with three shelves, in place of a file to fetch. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%238a3f1d'/%3E%3Cpath d='M9 10h14M9 16h14M9 22h9' stroke='%23fff' stroke-width='3' stroke-linecap='round'/%3E%3C/svg%3E";

export type Direction = "ltr" | "rtl";

/** How a page opens: the one thing before its style that differs from page to page. */
export function pageOpening(language: string, direction: Direction): string {
  return String(html`<!doctype html><html lang="${language}" dir="${direction}">`);
}

/** What follows, which is the same for all pages of a kind: it is not stored with each but put in when it is sent. */
export function pageStart(style: string): string {
  return `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><style>${style}</style>`;
}

export const PAGE_START = pageStart(STYLE);

/**
 * What follows: the page's address, which only the server knows, and not the command that compiled the page. Without a
 * public address the canonical one is relative.
 */
export function addressTags(publicUrl: string): (path: string) => string {
  const canonical = `${html`<link rel="canonical" href="${publicUrl}`}`;
  const shared = publicUrl ? `${html`<meta property="og:url" content="${publicUrl}`}` : undefined;
  // A path is percent-encoded, and so has no character that means anything here. This is done for every view.
  return (path) => `${canonical}${path}">${shared === undefined ? "" : `${shared}${path}">`}`;
}

/** The rest of a page, and all that is stored of one: the head from its title on, and the body. */
export function pageRest(head: Html, bodyClass: string, body: Html): string {
  return String(html`${head}</head><body class="${bodyClass}">${body}</body></html>`);
}

/** A page that the server makes itself. It is found by nobody who was not sent there. */
export function serverPage(title: string, body: Html): string {
  const head = html`<title>${title}</title><meta name="robots" content="noindex"><link rel="icon" href="${ICON}">`;
  return pageOpening("en", "ltr") + PAGE_START + pageRest(head, "h1", body);
}
