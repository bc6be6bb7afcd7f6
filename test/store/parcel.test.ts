import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pack, unpack } from "../../src/store/parcel.ts";
import { prepareFirst } from "../../src/store/prepare.ts";
import type { PreparedBatch } from "../../src/store/store.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

function preparedOf(...written: readonly unknown[]): PreparedBatch {
  return prepareFirst(written.map(checkedRecord), Date.parse("2026-04-12T08:30:00.000Z"));
}

/** A batch with all of its long texts as bytes. */
function encoded({ saves }: PreparedBatch): unknown {
  const bytes = (text: string | Uint8Array) => new Uint8Array(Buffer.from(text as string));
  return saves.map(({ compiled, ...save }) => {
    if (!compiled) return save;
    const { full, links, pages, ...others } = compiled.documents;
    return {
      ...save,
      ...others,
      record: bytes(compiled.record),
      full: { ...full, body: bytes(full.body) },
      links: { ...links, body: bytes(links.body) },
      pages: pages.map((page) => ({ ...page, html: bytes(page.html) })),
    };
  });
}

describe("a parcel", () => {
  test("holds a batch of any records as it was", () => {
    fc.assert(
      fc.property(anyRecord, (written) => {
        const batch = preparedOf(written);
        expect(encoded(unpack(pack(batch)))).toEqual(encoded(batch));
      }),
    );
  });

  test("holds what is not to be written, beside what is", () => {
    const [created] = preparedOf(writtenRecord(1)).saves;
    const [unchanged] = preparedOf(writtenRecord(2)).saves;
    if (!created || !unchanged) throw new Error("there are two");
    const earlier = { number: 7, etag: '"tag"' };
    const batch = { saves: [{ ...unchanged, earlier, compiled: undefined }, created] };
    expect(encoded(unpack(pack(batch)))).toEqual(encoded(batch));
  });

  test("can be packed again", () => {
    const batch = preparedOf(writtenRecord());
    expect(encoded(unpack(pack(unpack(pack(batch)))))).toEqual(encoded(batch));
  });

  test("has room for more than any before it", () => {
    const links = Array.from({ length: 20_000 }, (_, index) => ({
      label: "ü".repeat(100),
      url: `https://a.example/${index}`,
    }));
    const written = writtenRecord();
    const batch = preparedOf({ ...written, linkTrees: [{ title: "All", slug: "all", links }] });
    const parcel = pack(batch);
    expect(parcel.bytes.length).toBeGreaterThan(4 * 1024 * 1024);
    expect(encoded(unpack(parcel))).toEqual(encoded(batch));
  });

  test("keeps its bytes when another is packed after it", () => {
    const first = pack(preparedOf(writtenRecord(1)));
    const before = first.bytes.slice();
    pack(preparedOf(writtenRecord(2)));
    expect(first.bytes).toEqual(before);
  });
});
