/** An IP address as eight numbers of 16 bits. One of IPv4 is written as IPv6 maps it (RFC 4291, section 2.5.5.2). */
export type Address = readonly number[];

/** Addresses that begin with the same bits. */
export interface Network {
  readonly address: Address;
  readonly bits: number;
}

const GROUPS = 8;
const GROUP_BITS = 16;
const ADDRESS_BITS = GROUPS * GROUP_BITS;
const MAPPED = [0, 0, 0, 0, 0, 0xffff];
const MAPPED_BITS = MAPPED.length * GROUP_BITS;

/** Without leading zeros: to some, those mean octal. */
const IPV4 = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;
const GROUP = /^[\da-f]{1,4}$/i;

/** An address as it is written, or nothing where it is none. The zone behind one of IPv6 is left out. */
export function parseAddress(text: string): Address | undefined {
  if (text.includes(":")) return parseIpv6(text.split("%", 1)[0] as string);
  const halves = parseIpv4(text);
  return halves && [...MAPPED, ...halves];
}

function parseIpv4(text: string): number[] | undefined {
  const [, ...digits] = IPV4.exec(text) ?? [];
  const [a = 256, b = 256, c = 256, d = 256] = digits.map(Number);
  return Math.max(a, b, c, d) > 255 ? undefined : [a * 256 + b, c * 256 + d];
}

function parseIpv6(text: string): Address | undefined {
  const sides = text.split("::");
  if (sides.length > 2) return undefined;
  const [front, back] = sides.map((side, index) => parseGroups(side, index === sides.length - 1));
  if (!front) return undefined;
  if (sides.length === 1) return front.length === GROUPS ? front : undefined;
  if (!back) return undefined;
  const missing = GROUPS - front.length - back.length;
  return missing < 1 ? undefined : [...front, ...Array.from({ length: missing }, () => 0), ...back];
}

/** The numbers on one side of `::`. The last two of an address may be written like one of IPv4. */
function parseGroups(side: string, isLast: boolean): number[] | undefined {
  const groups: number[] = [];
  if (side === "") return groups;
  const texts = side.split(":");
  for (const [index, text] of texts.entries()) {
    const embedded = isLast && index === texts.length - 1 ? parseIpv4(text) : undefined;
    if (embedded) groups.push(...embedded);
    else if (GROUP.test(text)) groups.push(Number.parseInt(text, 16));
    else return undefined;
  }
  return groups;
}

/** An address, or the beginning of some with the number of its bits: `10.0.0.0/8`, `fd00::/8`. */
export function parseNetwork(text: string): Network | undefined {
  const [written = "", length, ...rest] = text.split("/");
  const address = parseAddress(written);
  if (!address || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined;
  const most = written.includes(":") ? ADDRESS_BITS : ADDRESS_BITS - MAPPED_BITS;
  const bits = Number(length ?? most);
  return bits > most ? undefined : { address, bits: bits + ADDRESS_BITS - most };
}

/** Whether a network holds an address. One of IPv4 is in networks of IPv4 alone: it is not meant by `::/0`. */
export function holds({ address: first, bits }: Network, address: Address): boolean {
  if (isIpv4(address) && bits < MAPPED_BITS) return false;
  return address.every((group, index) => {
    const ignored = Math.min(Math.max((index + 1) * GROUP_BITS - bits, 0), GROUP_BITS);
    return group >> ignored === (first[index] as number) >> ignored;
  });
}

export function isIpv4(address: Address): boolean {
  return MAPPED.every((group, index) => group === address[index]);
}

/** The address of IPv4 in the last 32 bits of another. */
export function ipv4At(address: Address): Address {
  return [...MAPPED, ...address.slice(MAPPED.length)];
}
