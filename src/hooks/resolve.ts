import { parseAddress } from "../addresses.ts";
import { isPublicAddress } from "./addresses.ts";
import { HookRefused } from "./refusal.ts";

export interface Address {
  readonly address: string;
  readonly family: number;
}

/**
 * The addresses of the host of a URL, by the system's resolver, each of which may be connected to. One that may not
 * refuses them all: a name has no business to lead both into the network and out of it. Throws `HookRefused`.
 */
export async function checkedAddresses(url: string, allowPrivate: boolean): Promise<Address[]> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const addresses = parseAddress(host)
    ? [{ address: host, family: host.includes(":") ? 6 : 4 }]
    : await resolve(host);
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new HookRefused("private-address", "it leads to an address that is not of the public Internet");
  return addresses;
}

async function resolve(host: string): Promise<Address[]> {
  // Imported above, it would be loaded by every command, hooks or not.
  const { lookup } = await import("node:dns/promises");
  const addresses = await lookup(host, { all: true }).catch(() => []);
  if (addresses.length === 0) throw new HookRefused("unknown-name", "the name of its host is not known");
  return addresses;
}
