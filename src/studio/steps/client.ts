import { type Network, parseNetwork } from "../../addresses.ts";
import { HEADER } from "../../contract/headers.ts";
import { clientAddress, customerOf } from "../../limits/addresses.ts";

/** Proxies on the studio's own machine, which nobody has to name. */
export const PROXIES_HERE = ["127.0.0.0/8", "::1"].map((text) => parseNetwork(text) as Network);

/** Whom a call is counted for: the customer of a provider, who may have many addresses of IPv6. */
export function clientOf(request: Request, peer = "", proxies: readonly Network[]): string {
  const address = clientAddress(peer, request.headers.get(HEADER.forwardedFor), proxies);
  return address ? customerOf(address).join() : peer;
}
