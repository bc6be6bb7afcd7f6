import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compileBatch, planForNobody } from "../../src/store/save/batch.ts";
import { pack, unpack } from "../../src/store/save/parcel.ts";
import type { CompiledBatch } from "../../src/store/store.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { withPlainBytes } from "../support/plain-bytes.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

async function compiledOf(...written: readonly unknown[]): Promise<CompiledBatch> {
  return compileBatch(await planForNobody(written.map(checkedRecord)));
}

/** What no compression makes shorter. */
function digestOf(number: number): string {
  return new Bun.CryptoHasher("sha256").update(String(number)).digest("base64url");
}

describe("a parcel", () => {
  test("holds a batch of any records as it was", async () => {
    await fc.assert(
      fc.asyncProperty(anyRecord, async (written) => {
        const batch = await compiledOf(written);
        expect(withPlainBytes(unpack(pack(batch)))).toEqual(withPlainBytes(batch));
      }),
    );
  });

  test("holds what is not to be written, beside what is", async () => {
    const [created] = (await compiledOf(writtenRecord(1))).saves;
    const [unchanged] = (await compiledOf(writtenRecord(2))).saves;
    if (!created || !unchanged) throw new Error("there are two");
    const earlier = { number: 7, etag: '"tag"' };
    const batch = { saves: [{ ...unchanged, earlier, compiled: undefined }, created] };
    expect(withPlainBytes(unpack(pack(batch)))).toEqual(withPlainBytes(batch));
  });

  test("can be packed again", async () => {
    const batch = await compiledOf(writtenRecord());
    expect(withPlainBytes(unpack(pack(unpack(pack(batch)))))).toEqual(withPlainBytes(batch));
  });

  test("has room for more than any before it", async () => {
    const links = Array.from({ length: 20_000 }, (_, index) => ({
      label: `${digestOf(2 * index)}${digestOf(2 * index + 1)}`,
      url: `https://a.example/${index}`,
    }));
    const written = writtenRecord();
    const batch = await compiledOf({ ...written, linkTrees: [{ title: "All", slug: "all", links }] });
    const parcel = pack(batch);
    expect(parcel.textBytes).toBeGreaterThan(2 * 1024 * 1024);
    expect(withPlainBytes(unpack(parcel))).toEqual(withPlainBytes(batch));
  });

  test("keeps its bytes when another is packed after it", async () => {
    const first = pack(await compiledOf(writtenRecord(1)));
    const before = first.bytes.slice();
    pack(await compiledOf(writtenRecord(2)));
    expect(first.bytes).toEqual(before);
  });
});
