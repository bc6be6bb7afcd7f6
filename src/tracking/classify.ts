import { isbot } from "isbot";

/** Why a visit is not counted. */
export const REASONS = ["head", "prefetch", "preview", "bot", "not-modified", "gone"] as const;

export type Reason = (typeof REASONS)[number];

/** Programs that fetch a page to show a card of it where its address was pasted. */
const PREVIEWERS =
  /facebookexternalhit|facebot|whatsapp|slackbot|slack-imgproxy|telegrambot|twitterbot|discordbot|linkedinbot|skypeuripreview|snap url preview|pinterest|redditbot|mastodon|iframely|embedly|preview/i;

/**
 * Decides whether a visit counts, by what the request says of itself. Nothing of it is kept. A visitor that says
 * nothing counts: only known robots do not.
 */
export function reasonNotToCount(request: Request): Reason | undefined {
  if (request.method === "HEAD") return "head";
  const { headers } = request;
  // Browsers fetch ahead of a visit that may never come; each has or had its own way of saying so.
  const purpose = headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? headers.get("X-Moz");
  if (purpose !== null && /prefetch|prerender/i.test(purpose)) return "prefetch";
  if (purpose === "preview" || headers.get("X-Purpose") === "preview") return "preview";
  const agent = headers.get("User-Agent");
  if (agent === null || !isbot(agent)) return undefined;
  return PREVIEWERS.test(agent) ? "preview" : "bot";
}
