import type { ApiError } from "../contract/errors.ts";
import { OPENAPI_PATH, REFERENCE_PATH } from "../contract/routes.ts";
import { ownPage } from "../html/frame.ts";
import { html } from "../html/html.ts";

/** What a person is told who opens the server's own address. */
export function homePage(): string {
  return ownPage(
    "Vitrine",
    html`<main><header><h1>Vitrine</h1><p class="words">This server holds profiles and link trees, and gives them back to their owners as data: a read-only JSON API behind a personal key. Link trees have public pages here, each under <code>/t/</code> and its own name.</p></header><nav aria-label="More"><ul><li><a href="${REFERENCE_PATH}"><bdi>API reference</bdi></a><li><a href="${OPENAPI_PATH}"><bdi>OpenAPI document</bdi></a></ul></nav></main>`,
  );
}

/** What a visitor is told, by the status of the answer. */
const WORDS: Readonly<Record<number, { title: string; words: string }>> = {
  404: {
    title: "Nothing on this shelf",
    words:
      "There is no such page, or it has moved. If somebody gave you the address, ask them for a new one.",
  },
  503: {
    title: "Back in a moment",
    words: "The page cannot be shown right now. Please try again shortly.",
  },
};

const OTHERWISE = {
  title: "That did not work",
  words: "The page cannot be shown. Please check the address, or try again later.",
};

export function errorPage({ body }: ApiError): string {
  const { title, words } = WORDS[body.statusCode] ?? OTHERWISE;
  return ownPage(
    title,
    html`<main><header><p class="name">${String(body.statusCode)}</p><h1>${title}</h1><p class="words">${words}</p></header></main>`,
  );
}
