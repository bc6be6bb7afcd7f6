import { StudioFault } from "../faults.ts";

/**
 * Refuses what another origin's page asked for. Opening a page is let through: a link to the studio may stand
 * anywhere. Another port of the same host is another origin, and says `same-site`.
 */
export function refuseForeignOrigin(request: Request, own: string): void {
  const origin = request.headers.get("Origin");
  const site = request.headers.get("Sec-Fetch-Site");
  const isForeign = (origin !== null && origin !== own) || (site !== null && !OWN_SITES.has(site));
  if (isForeign) throw new StudioFault("not-allowed", "Another site's page may not use the studio.");
}

/** The studio's own page, and what a person did: typed an address, chose a bookmark. */
const OWN_SITES = new Set(["same-origin", "none"]);
