import { HEADER, SECURITY_HEADERS, TEXT_CONTENT_TYPE } from "../../contract/headers.ts";
import { FAVICON_PATH, ROBOTS_PATH, SECURITY_TXT_PATH } from "../../contract/routes.ts";
import { ICON } from "../../html/frame.ts";
import type { Routed } from "../exchange.ts";
import { routed } from "../exchange-handler.ts";
import type { Serving } from "../parts.ts";

const KEPT_FOR_A_DAY = "public, max-age=86400";

const TEXT_HEADERS = {
  ...SECURITY_HEADERS,
  [HEADER.contentType]: TEXT_CONTENT_TYPE,
  [HEADER.cacheControl]: KEPT_FOR_A_DAY,
};

const ICON_HEADERS = {
  ...SECURITY_HEADERS,
  [HEADER.contentType]: "image/svg+xml",
  [HEADER.cacheControl]: KEPT_FOR_A_DAY,
};

/** Pages say themselves whether they may be listed. What lies behind links and keys is for no robot. */
const ROBOTS = "User-agent: *\nDisallow: /user/\nDisallow: /mcp\nDisallow: /t/*/\n";

/** Bytes of the icon, which browsers ask for by name on whatever is no page of ours. */
const FAVICON = decodeURIComponent(ICON.slice(ICON.indexOf(",") + 1));

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** What programs look for at the root of every site. */
export function siteHandlers(serving: Serving): Routed[] {
  const { publicUrl, securityContact, now } = serving;
  const handlers = [
    routed(ROBOTS_PATH, serving, () => new Response(ROBOTS, { headers: TEXT_HEADERS })),
    routed(FAVICON_PATH, serving, () => new Response(FAVICON, { headers: ICON_HEADERS })),
  ];
  if (securityContact !== "")
    handlers.push(
      routed(SECURITY_TXT_PATH, serving, () => {
        const text = securityText(securityContact, publicUrl, now());
        return new Response(text, { headers: TEXT_HEADERS });
      }),
    );
  return handlers;
}

/** RFC 9116, section 2.5: the two fields that must be there, and the address where it lies, if that is known. */
function securityText(contact: string, publicUrl: string, now: number): string {
  const lines = [`Contact: ${contact}`, `Expires: ${new Date(now + YEAR_MS).toISOString()}`];
  if (publicUrl) lines.push(`Canonical: ${publicUrl}${SECURITY_TXT_PATH}`);
  return `${lines.join("\n")}\n`;
}
