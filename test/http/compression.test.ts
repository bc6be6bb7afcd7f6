import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { acceptsGzip } from "../../src/http/steps/compression.ts";

function isCompressedFor(acceptEncoding: string): boolean {
  return acceptsGzip(new Request("http://localhost/", { headers: { "Accept-Encoding": acceptEncoding } }));
}

describe("gzip", () => {
  test.each([
    "gzip",
    "GZIP",
    "x-gzip",
    "gzip, deflate, br, zstd",
    "br;q=1.0, gzip;q=0.8, *;q=0.1",
    "gzip;q=0.001",
    "gzip ; q=1",
    "gzip;Q=1.000",
    "*",
    "*;q=0.5",
    "identity, gzip",
    "identity;q=0, *",
    "identity;q=0.5, gzip;q=1.0, *;q=0",
    "deflate, gzip;q=1.0, *;q=0.5",
    ", gzip",
    "\tgzip\t",
  ])("is for who sends %p", (acceptEncoding) => {
    expect(isCompressedFor(acceptEncoding)).toBe(true);
  });

  test.each([
    "",
    "identity",
    "br",
    "gzip;q=0",
    "gzip;q=0.0",
    "gzip;q=0.000",
    "gzip; q=0 ",
    "GZIP;q=0",
    "*, gzip;q=0",
    "gzip;q=0, *",
    "*;q=0",
    "*;q=0, identity",
    "identity;q=0",
    "gzip;q=0.5, identity",
    "gzip;q=0.5, *;q=0.6",
    "gzip;q=0.0000, *",
    "gzip;q=2",
    "gzip;q=-1",
    "gzip;q=",
    "gzip;level=9",
    "gzipped",
    "notgzip",
    "gzip deflate",
  ])("is not for who sends %p", (acceptEncoding) => {
    expect(isCompressedFor(acceptEncoding)).toBe(false);
  });

  test("is not for who says nothing", () => {
    expect(acceptsGzip(new Request("http://localhost/"))).toBe(false);
  });

  test("is decided by its weight and that of the plain form, whatever stands around them", () => {
    const anySpace = fc.constantFrom("", " ", "\t", "  ");
    const anyWeight = fc.integer({ min: 0, max: 1000 });
    const asWritten = (weight: number) => {
      const digits = (weight / 1000).toFixed(3);
      return fc.constantFrom(digits, String(weight / 1000));
    };
    const anyCoding = fc.constantFrom("gzip", "identity", "*", "br", "deflate", "zstd", "compress");
    const inAnyCase = (text: string) => fc.constantFrom(text, text.toUpperCase());
    const anyElement = fc
      .record({ coding: anyCoding, weight: fc.option(anyWeight, { nil: undefined }) })
      .chain(({ coding, weight }) =>
        fc
          .tuple(inAnyCase(coding), asWritten(weight ?? 1000), anySpace, anySpace, anySpace)
          .map(([name, written, before, between, after]) => ({
            coding,
            weight: weight ?? 1000,
            text:
              weight === undefined
                ? `${before}${name}${after}`
                : `${before}${name}${between};${between}q=${written}${after}`,
          })),
      );
    const anyHeader = fc.uniqueArray(anyElement, { selector: ({ coding }) => coding });
    fc.assert(
      fc.property(anyHeader, (elements) => {
        const weight = (coding: string) => elements.find((element) => element.coding === coding)?.weight;
        const gzip = weight("gzip") ?? weight("*") ?? 0;
        const identity = weight("identity") ?? weight("*") ?? 0;
        const header = elements.map(({ text }) => text).join(",");
        expect({ header, gzip: isCompressedFor(header) }).toEqual({
          header,
          gzip: gzip > 0 && gzip >= identity,
        });
      }),
      { numRuns: 2000 },
    );
  });
});
