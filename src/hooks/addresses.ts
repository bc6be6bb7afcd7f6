import type { BlockList as List } from "node:net";

/** Imported in the usual way, it would be loaded by every command, hooks or not. */
const { BlockList, isIPv4, isIPv6 } = process.getBuiltinModule("node:net");

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
];

/** All that is public (RFC 4291, section 2.4), and what of it is special: protocols, tunnels and documentation. */
const GLOBAL_IPV6 = ["2000::/3"];
const SPECIAL_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** Prefixes of 96 bits behind which there is an IPv4 address: mapped ones, and those of a translator (RFC 6052). */
const MAPPED = [0, 0, 0, 0, 0, 0xffff];
const TRANSLATED = [0x64, 0xff9b, 0, 0, 0, 0];

const specialIpv4 = listOf(SPECIAL_IPV4, "ipv4");
const globalIpv6 = listOf(GLOBAL_IPV6, "ipv6");
const specialIpv6 = listOf(SPECIAL_IPV6, "ipv6");

function listOf(ranges: readonly string[], family: "ipv4" | "ipv6"): List {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", length] = range.split("/");
    list.addSubnet(network, Number(length), family);
  }
  return list;
}

/** Whether an address is one of the public Internet, and so nothing that only this machine or its network reaches. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.check(address, "ipv4");
  if (!isIPv6(address)) return false;
  const inner = ipv4Within(address);
  if (inner !== undefined) return isPublicAddress(inner);
  return globalIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6");
}

function ipv4Within(address: string): string | undefined {
  const groups = groupsOf(address);
  const isEmbedded = [MAPPED, TRANSLATED].some((prefix) =>
    prefix.every((group, index) => group === groups[index]),
  );
  if (!isEmbedded) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** The eight numbers of an IPv6 address, as the parser of URLs spells them out. A zone is left out. */
function groupsOf(address: string): number[] {
  const [bare = ""] = address.split("%");
  const { hostname } = new URL(`http://[${bare}]/`);
  const [front = "", back] = hostname.slice(1, -1).split("::");
  const numbers = (text: string) =>
    text
      .split(":")
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [first, last] = [numbers(front), numbers(back ?? "")];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}
