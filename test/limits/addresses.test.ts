import { describe, expect, test } from "bun:test";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { type Address, holds, parseAddress, parseNetwork } from "../../src/addresses.ts";
import { clientAddress, customerOf } from "../../src/limits/addresses.ts";

/** As a property: the eight numbers, written in one of the ways that there are. */
const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const anyAddress = fc.oneof(
  ipv4,
  ipv6,
  ipv4.map((text) => `::ffff:${text}`),
);

/** Almost an address, and so what a parser stumbles over. */
const nearly = fc
  .array(fc.constantFrom(..."0123456789abcdefF:.%/[] ,x-".split("")), { maxLength: 45 })
  .map((characters) => characters.join(""));
const junk = fc.oneof(
  nearly,
  fc.string({ maxLength: 60 }),
  fc.constantFrom("unknown", "_hidden", "", " ", ",,"),
);

function parsed(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return address;
}

/** What the runtime says of an address in a network, of which it wants to know the family. */
function isWithin(address: string, network: string, length: number): boolean {
  const list = new BlockList();
  list.addSubnet(network, length, isIPv4(network) ? "ipv4" : "ipv6");
  return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

describe("an address", () => {
  test("is what the runtime takes for one, and nothing else is", () => {
    fc.assert(
      fc.property(fc.oneof(anyAddress, nearly), (text) => {
        fc.pre(!text.includes("%"));
        expect(parseAddress(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      { numRuns: 2000 },
    );
  });

  test("is the same however it is written", () => {
    fc.assert(
      fc.property(groups, (numbers) => {
        const long = numbers.map((number) => number.toString(16).padStart(4, "0").toUpperCase()).join(":");
        const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
        expect(parsed(long)).toEqual(numbers);
        expect(parsed(short)).toEqual(numbers);
        expect(parsed(`${short}%eth0`)).toEqual(numbers);
      }),
    );
  });

  test("of IPv4 is the same where IPv6 has mapped it", () => {
    fc.assert(fc.property(ipv4, (text) => expect(parsed(`::ffff:${text}`)).toEqual(parsed(text))));
  });

  test.each([
    "",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "256.1.1.1",
    "1:2:3:4:5:6:7",
    "1::2::3",
    "12345::",
    ":1",
    "1.2.3.4::",
    "::1.2.3",
    "localhost",
  ])("is not %j", (text) => expect(parseAddress(text)).toBeUndefined());
});

describe("a network", () => {
  test.each([
    ["IPv4", ipv4, 32],
    ["IPv6", ipv6, 128],
  ] as const)("of %s holds what the runtime says that it holds", (_, address, most) => {
    fc.assert(
      fc.property(address, address, fc.nat(most), fc.boolean(), (network, other, length, isNear) => {
        const asked = isNear ? network : other;
        const parsedNetwork = parseNetwork(`${network}/${length}`);
        expect(parsedNetwork && holds(parsedNetwork, parsed(asked))).toBe(isWithin(asked, network, length));
      }),
      { numRuns: 1000 },
    );
  });

  test("without a length is one address", () => {
    fc.assert(
      fc.property(anyAddress, anyAddress, (one, other) => {
        const network = parseNetwork(one);
        expect(network && holds(network, parsed(one))).toBe(true);
        expect(network && holds(network, parsed(other))).toBe(parsed(one).join() === parsed(other).join());
      }),
    );
  });

  test.each([
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["::ffff:10.0.0.0/104", "10.1.2.3", true],
    ["::/0", "10.1.2.3", false],
    ["::/0", "2001:db8::1", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["0.0.0.0/0", "10.1.2.3", true],
  ])("%s, and %s in it: %p", (network, address, expected) => {
    const found = parseNetwork(network);
    expect(found && holds(found, parsed(address))).toBe(expected);
  });

  test.each(["10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/a", "/8", ""])(
    "is not %j",
    (text) => expect(parseNetwork(text)).toBeUndefined(),
  );
});

describe("a customer", () => {
  test("is one address of IPv4", () => {
    expect(customerOf(parsed("192.0.2.1"))).not.toEqual(customerOf(parsed("192.0.2.2")));
  });

  test("is a network of 64 bits of IPv6", () => {
    expect(customerOf(parsed("2001:db8:1:2:3::4"))).toEqual(customerOf(parsed("2001:db8:1:2:ffff::1")));
    expect(customerOf(parsed("2001:db8:1:2::1"))).not.toEqual(customerOf(parsed("2001:db8:1:3::1")));
  });
});

describe("whom a request comes from", () => {
  const proxies = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].flatMap((text) => parseNetwork(text) ?? []);
  const client = (peer: string, forwardedFor: string | null) => clientAddress(peer, forwardedFor, proxies);

  test.each([
    ["who connected, where nothing was forwarded", "192.0.2.1", null, "192.0.2.1"],
    ["who connected, where that is no proxy", "192.0.2.1", "198.51.100.1", "192.0.2.1"],
    ["whom the proxy names", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["whom a mapped proxy names", "::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    [
      "the last that is no proxy",
      "127.0.0.1",
      "203.0.113.9, 198.51.100.1, 10.1.1.1, fd00::2",
      "198.51.100.1",
    ],
    ["the first of nothing but proxies", "127.0.0.1", "10.0.0.9, 10.0.0.8", "10.0.0.9"],
    ["an address with a port", "127.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["an address in brackets", "127.0.0.1", "[2001:db8::1]", "2001:db8::1"],
    ["an address in brackets with a port", "127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"],
    ["the proxy that wrote a word", "127.0.0.1", "198.51.100.1, unknown, 10.0.0.8", "10.0.0.8"],
    ["the proxy that wrote nothing", "127.0.0.1", "", "127.0.0.1"],
  ])("is %s", (_, peer, forwardedFor, expected) => {
    expect(client(peer, forwardedFor)).toEqual(parsed(expected));
  });

  test("is what the last proxy says, whatever stands before it", () => {
    fc.assert(
      fc.property(junk, ipv6, (before, address) => {
        fc.pre(!proxies.some((network) => holds(network, parsed(address))));
        expect(client("127.0.0.1", `${before},${address}`)).toEqual(parsed(address));
      }),
    );
  });

  test("is found without a failure, whatever is said", () => {
    fc.assert(
      fc.property(junk, fc.array(fc.oneof(junk, anyAddress)), (peer, hops) => {
        expect(client(peer, hops.join(","))).toEqual(parseAddress(peer) ? expect.any(Array) : undefined);
        expect(client("127.0.0.1", hops.join(", "))).toHaveLength(8);
      }),
      { numRuns: 1000 },
    );
  });

  test("is nobody that a stranger names", () => {
    fc.assert(
      fc.property(ipv6, fc.array(anyAddress), (peer, hops) => {
        fc.pre(isIPv6(peer) && !proxies.some((network) => holds(network, parsed(peer))));
        expect(client(peer, hops.join(", "))).toEqual(parsed(peer));
      }),
    );
  });
});
