import { expect, test } from "bun:test";
import { reconcile } from "../../src/records/reconcile.ts";
import { surplusUploads } from "../../src/store/kept-pictures.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

const hashOf = (number: number) => String(number).padStart(32, "0");

/** A version with very many links, whose summary holds what stands before its lists. */
function largeVersion(number: number, links: object[]) {
  const { profile, linkTrees, ...rest } = writtenRecord();
  const avatarUrl = { isPublic: true, value: `https://links.example/media/${hashOf(number)}.jpg` };
  const summary = { isPublic: true, value: ',"jobs":[' };
  const { record } = reconcile(checkedRecord({ ...rest, profile, linkTrees }), undefined, 0);
  const large = {
    ...record,
    profile: { ...record.profile, avatarUrl, summary },
    linkTrees: record.linkTrees.map((tree) => ({ ...tree, links })),
  };
  return { record: JSON.stringify(large), packedRecord: null };
}

test("the pictures that twenty versions with very many links show are found within moments", () => {
  const links = Array.from({ length: 50_000 }, (_, index) => ({ id: `l${index}`, label: "", url: "tel:1" }));
  const versions = Array.from({ length: 20 }, (_, number) => largeVersion(number, links));
  const pictures = Array.from({ length: 32 }, (_, number) => ({ hash: hashOf(number), putAt: number }));
  const started = performance.now();
  // Of the twelve that no version shows, the one just put and the nine before it stay.
  expect(surplusUploads(pictures, hashOf(31), versions)).toEqual([hashOf(21), hashOf(20)]);
  expect(performance.now() - started).toBeLessThan(500);
});
