import type { StudioAddress } from "../address.ts";
import { StudioFault } from "../faults.ts";

/**
 * The first step of all. A name that somebody else has made to lead here (DNS rebinding) would give that person's
 * pages the studio's answers, so that only the studio's own name is answered. Two lines of `Host` arrive as one with
 * a comma, and are no name. Where the address is a number, the same is asked for by name.
 */
export function checkHost(request: Request, address: StudioAddress): { readonly leadTo?: string } {
  const host = request.headers.get("Host")?.toLowerCase() ?? "";
  if (host === address.host) return {};
  if (address.leading.includes(host)) return { leadTo: address.origin };
  throw new StudioFault("wrong-host", `The studio is at ${address.origin} and answers to no other name.`);
}
