import { html } from "../../html/html.ts";

/**
 * A page without a script or a style, which says why somebody who comes by way of their provider is not signed in. The
 * studio's own page is not there yet.
 */
export function notSignedInPage(words: string): string {
  const title = "Not signed in";
  return `<!doctype html>${html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title></head><body><main><h1>${title}</h1><p>${words}</p><p><a href="/">Back to the studio</a></p></main></body></html>`}`;
}
