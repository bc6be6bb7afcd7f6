import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compileBatch, planForNobody } from "../../src/store/save/batch.ts";
import { pack, unpack } from "../../src/store/save/parcel.ts";
import type { CompiledBatch } from "../../src/store/store.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

async function compiledOf(...written: readonly unknown[]): Promise<CompiledBatch> {
  return compileBatch(await planForNobody(written.map(checkedRecord)));
}

/** A batch with all of its long texts as bytes. */
function encoded({ saves }: CompiledBatch): unknown {
  const bytes = (text: string | Uint8Array) => new Uint8Array(Buffer.from(text as string));
  return saves.map(({ compiled, ...save }) => {
    if (!compiled) return save;
    const { pages, profilePage, public: shown, ...others } = compiled.documents;
    const view = ({ full, links, resume, slices }: typeof shown) => ({
      full: { ...full, body: bytes(full.body) },
      links: { ...links, body: bytes(links.body) },
      resume: { ...resume, body: bytes(resume.body) },
      slices,
    });
    return {
      ...save,
      ...others,
      ...view(others),
      record: bytes(compiled.record),
      public: view(shown),
      pages: pages.map((page) => ({ ...page, html: bytes(page.html) })),
      profilePage: profilePage && {
        ...profilePage,
        html: bytes(profilePage.html),
        card: bytes(profilePage.card),
      },
    };
  });
}

describe("a parcel", () => {
  test("holds a batch of any records as it was", async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, async (written) => {
        const batch = await compiledOf(written);
        expect(encoded(unpack(pack(batch)))).toEqual(encoded(batch));
      }),
    );
  });

  test("holds what is not to be written, beside what is", async () => {
    const [created] = (await compiledOf(writtenRecord(1))).saves;
    const [unchanged] = (await compiledOf(writtenRecord(2))).saves;
    if (!created || !unchanged) throw new Error("there are two");
    const earlier = { number: 7, etag: '"tag"' };
    const batch = { saves: [{ ...unchanged, earlier, compiled: undefined }, created] };
    expect(encoded(unpack(pack(batch)))).toEqual(encoded(batch));
  });

  test("can be packed again", async () => {
    const batch = await compiledOf(writtenRecord());
    expect(encoded(unpack(pack(unpack(pack(batch)))))).toEqual(encoded(batch));
  });

  test("has room for more than any before it", async () => {
    const links = Array.from({ length: 20_000 }, (_, index) => ({
      label: "ü".repeat(100),
      url: `https://a.example/${index}`,
    }));
    const written = writtenRecord();
    const batch = await compiledOf({ ...written, linkTrees: [{ title: "All", slug: "all", links }] });
    const parcel = pack(batch);
    expect(parcel.textBytes).toBeGreaterThan(4 * 1024 * 1024);
    expect(encoded(unpack(parcel))).toEqual(encoded(batch));
  });

  test("keeps its bytes when another is packed after it", async () => {
    const first = pack(await compiledOf(writtenRecord(1)));
    const before = first.bytes.slice();
    pack(await compiledOf(writtenRecord(2)));
    expect(first.bytes).toEqual(before);
  });
});
