import { OPENAPI_PATH, REFERENCE_PATH } from "../../contract/routes.ts";
import { serverPage } from "../../html/frame.ts";
import { html } from "../../html/html.ts";
import { ICONS, iconShapes } from "../../html/icons/icons.ts";

/** What a person is told who opens the server's own address. Of users it says nothing. */
export function homePage(siteName: string): string {
  const { document, code } = ICONS;
  return serverPage(
    siteName,
    html`${iconShapes(new Set([document, code]))}<main><header><h1 dir="auto">${siteName}</h1><p class="words">Profiles and link trees live here, each at an address of its own. Their owners can read all of it as data, with a personal key.</p></header><nav aria-label="More"><ul><li><a href="${REFERENCE_PATH}">${document.use}<bdi>API reference</bdi></a><li><a href="${OPENAPI_PATH}">${code.use}<bdi>OpenAPI document</bdi></a></ul></nav></main>`,
  );
}
