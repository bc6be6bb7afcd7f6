import { holds, ipv4At, isIpv4, type Network, parseAddress, parseNetwork } from "../addresses.ts";

/**
 * What is not of the public Internet, by the registries of special-purpose addresses (RFC 6890): this network, private
 * ones, shared ones, loopback, link-local, documentation, tests, multicast and what is reserved. The last is public by
 * its number, but a cloud's own: it tells machines their secrets.
 */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
].map(networkOf);

/** All that is public (RFC 4291, section 2.4), and what of it is special: protocols, tunnels and documentation. */
const GLOBAL_IPV6 = networkOf("2000::/3");
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map(networkOf);

/** Behind these 96 bits a translator has an IPv4 address (RFC 6052). */
const TRANSLATED = networkOf("64:ff9b::/96");

function networkOf(range: string): Network {
  const network = parseNetwork(range);
  if (!network) throw new Error(`no network: ${range}`);
  return network;
}

/** Whether an address is one of the public Internet, and so nothing that only this machine or its network reaches. */
export function isPublicAddress(text: string): boolean {
  const written = parseAddress(text);
  if (!written) return false;
  const address = holds(TRANSLATED, written) ? ipv4At(written) : written;
  const isWithin = (network: Network) => holds(network, address);
  return isIpv4(address)
    ? !SPECIAL_IPV4.some(isWithin)
    : isWithin(GLOBAL_IPV6) && !SPECIAL_IPV6.some(isWithin);
}
