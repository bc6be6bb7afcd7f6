import { type Html, html } from "../../html/html.ts";

/** A page without a script or a style, for what has to be said before the studio's own page is there. */
export function plainPage(title: string, body: Html): string {
  return `<!doctype html>${html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title></head><body><main>${body}</main></body></html>`}`;
}
