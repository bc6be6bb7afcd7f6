import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isPublicAddress } from "../../src/hooks/addresses.ts";
import { HookRefused } from "../../src/hooks/refusal.ts";
import { checkedAddresses } from "../../src/hooks/resolve.ts";

describe("an address is not of the public Internet", () => {
  test.each([
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.1.1",
    "198.19.255.255",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "0:0:0:0:0:ffff:a9fe:a9fe",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2001:db8::1",
    "2001::7f00:1",
    "2002:7f00:1::",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "no address",
    "",
  ])("where it is %p", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("an address is of the public Internet", () => {
  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "192.0.1.1",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2001:4860:4860::8888",
    "2606:4700::1111",
    "2a00:1450:4001:80b::200e",
  ])("where it is %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test("exactly where the IPv4 address within it is, however it is wrapped", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
        const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const wrapped = [
          `::ffff:${address}`,
          `::FFFF:${groups}`,
          `64:ff9b::${groups}`,
          `0:0:0:0:0:ffff:${groups}`,
        ];
        for (const one of wrapped) expect(isPublicAddress(one)).toBe(isPublicAddress(address));
      }),
    );
  });
});

describe("the host of a URL", () => {
  test.each([
    "http://localhost/",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://127。0。0。1/",
  ])("is refused in %s, and allowed where private ones are", async (url) => {
    const refusal: unknown = await checkedAddresses(url, false).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(HookRefused);
    expect((refusal as HookRefused).fault).toBe("private-address");
    expect((await checkedAddresses(url, true)).length).toBeGreaterThan(0);
  });

  test("is refused where nobody knows the name", async () => {
    const refusal: unknown = await checkedAddresses("http://nowhere.invalid/", true).catch(
      (error: unknown) => error,
    );
    expect((refusal as HookRefused).fault).toBe("unknown-name");
  });
});
