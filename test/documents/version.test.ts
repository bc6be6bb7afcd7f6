import { expect, test } from "bun:test";
import { compile } from "../../src/documents/compile.ts";
import { COMPILER_VERSION } from "../../src/documents/version.ts";
import { unpacked } from "../../src/packing/packed.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import type { UserRecord } from "../../src/records/record.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

/** What each version compiles the same records to, in short. A change of it without a new version fails here. */
const DIGESTS: Readonly<Record<number, string>> = { 1: "1702145e23caf995" };

/** A record of every part, with ids that stay, and one whose page is long. */
function records(): UserRecord[] {
  const links = Array.from({ length: 200 }, (_, index) => ({
    id: `link-${index}`,
    label: `Link ${index}`,
    url: `https://place-${index}.example/`,
  }));
  return [writtenRecord(1), withValue(writtenRecord(2), "linkTrees[0].links", links)].map(
    (written, index) => {
      const { record } = reconcile(
        checkedRecord({ ...(written as object), id: `user-${index}` }),
        undefined,
        0,
      );
      return {
        ...record,
        linkTrees: record.linkTrees.map((tree, at) => ({
          ...tree,
          id: `tree-${index}-${at}`,
          links: tree.links.map((link, position) => ({ ...link, id: `link-${position}` })),
        })),
      };
    },
  );
}

test("the version of the compiler is raised with every change of what it makes", () => {
  const hash = new Bun.CryptoHasher("sha256");
  for (const record of records()) {
    const { documents } = compile(record);
    const pages = documents.pages.map(({ html, ...page }) => ({
      ...page,
      html: typeof html === "string" ? html : Buffer.from(unpacked(html)).toString(),
    }));
    hash.update(JSON.stringify({ ...documents, pages }));
  }
  expect(hash.digest("hex").slice(0, 16)).toBe(DIGESTS[COMPILER_VERSION] ?? "");
});
