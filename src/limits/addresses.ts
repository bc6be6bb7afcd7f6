import { type Address, holds, isIpv4, type Network, parseAddress } from "../addresses.ts";

/** What one customer of a provider has: an address of IPv4, or a network of 64 bits of IPv6. */
export function customerOf(address: Address): Address {
  return isIpv4(address) ? address : address.slice(0, address.length / 2);
}

/**
 * Who a request comes from: the one who connected or, where that is a proxy that is trusted, the last one in
 * `X-Forwarded-For` who is not. Each proxy adds there whom it was asked by, so what stands before that may be made up.
 * A word that is no address ends the search: then it is the proxy that wrote it.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  proxies: readonly Network[],
): Address | undefined {
  let client = parseAddress(peer);
  const hops = forwardedFor?.split(",") ?? [];
  while (client && hops.length > 0) {
    const nearest = client;
    if (!proxies.some((network) => holds(network, nearest))) break;
    const next = parseAddress(withoutPort((hops.pop() as string).trim()));
    if (!next) break;
    client = next;
  }
  return client;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
}
