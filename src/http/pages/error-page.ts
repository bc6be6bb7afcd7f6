import type { ApiError } from "../../contract/errors.ts";
import { HOME_PATH } from "../../contract/routes.ts";
import { serverPage } from "../../html/frame.ts";
import { html } from "../../html/html.ts";

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

/** Whoever mistyped an address may find it from there: the front page leads to the profile where there is one alone. */
const WAY_ON = html`<footer><a href="${HOME_PATH}">Front page</a></footer>`;

export function errorPage({ body }: ApiError): string {
  const { title, words } = WORDS[body.statusCode] ?? OTHERWISE;
  return serverPage(
    title,
    html`<main><header><p class="name">${String(body.statusCode)}</p><h1>${title}</h1><p class="words">${words}</p></header></main>${body.statusCode === 404 ? WAY_ON : undefined}`,
  );
}
