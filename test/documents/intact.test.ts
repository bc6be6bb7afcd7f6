import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StoredDocuments } from "../../src/documents/compare.ts";
import { compile, SLICED_KINDS, type ViewDocuments } from "../../src/documents/compile.ts";
import { areIntact } from "../../src/documents/intact.ts";
import { renditionOf } from "../../src/documents/rendition.ts";
import { GZIP_HEADER } from "../../src/packing/gzip.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { withValue } from "../support/edit-record.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

/** Documents as a store has them, once everything has been asked for. */
function storedDocuments(written: unknown = writtenRecord()) {
  const { record } = reconcile(checkedRecord(written), undefined, Date.UTC(2026, 3, 12));
  const { documents } = compile(record);
  const { full, links, slices, linkTrees, targetChunks } = documents;
  const files = ["profile", "card", "resume", "public resume"] as const;
  return {
    full: { full, links, slices },
    public: documents.public,
    linkTrees,
    targetChunks,
    renditions: [
      ...files.flatMap((kind) => renditionOf(record, { kind, treeId: "" }) ?? []),
      ...record.linkTrees.flatMap(({ id }) => renditionOf(record, { kind: "page", treeId: id }) ?? []),
    ],
  } satisfies StoredDocuments;
}

/** Where the header of a gzip stream ends, which says nothing of the text. */
const TEXT_START = GZIP_HEADER.stream.length;

function withFlippedByte(bytes: Uint8Array, index: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  copy[index % copy.length] = (copy[index % copy.length] ?? 0) ^ 1;
  return copy;
}

describe("documents", () => {
  test("are intact as any record has compiled to them", () => {
    fc.assert(fc.property(anyRecord, (written) => expect(areIntact(storedDocuments(written))).toBe(true)));
  });

  test("are intact with as many of the pages and files as somebody has asked for", () => {
    const stored = storedDocuments();
    expect(stored.renditions.map(({ kind }) => kind)).toEqual([
      "profile",
      "card",
      "resume",
      "public resume",
      "page",
      "page",
    ]);
    for (let count = 0; count <= stored.renditions.length; count++)
      expect(areIntact({ ...stored, renditions: stored.renditions.slice(count) })).toBe(true);
  });

  test("are not where any byte of a body or of a page is another", () => {
    const stored = storedDocuments();
    const { renditions } = stored;
    for (const view of ["full", "public"] as const) {
      const { full, links } = stored[view];
      const intactWith = (changed: Partial<ViewDocuments>) =>
        areIntact({ ...stored, [view]: { ...stored[view], ...changed } });
      for (let index = TEXT_START; index < full.body.length; index += 3)
        expect([index, intactWith({ full: { ...full, body: withFlippedByte(full.body, index) } })]).toEqual([
          index,
          false,
        ]);
      for (let index = 0; index < links.body.length; index += 10)
        expect(intactWith({ links: { ...links, body: withFlippedByte(links.body, index) } })).toBe(false);
    }
    for (const [position, rendition] of renditions.entries()) {
      const changed = { ...rendition, body: withFlippedByte(rendition.body, 100) };
      expect([
        rendition.kind,
        areIntact({ ...stored, renditions: renditions.with(position, changed) }),
      ]).toEqual([rendition.kind, false]);
    }
  });

  test("are not where a tag, a place, a target or a scene is another, or one is missing or too many", () => {
    const links = Array.from({ length: 65 }, (_, index) => ({
      label: `Link ${index}`,
      url: `https://l${index}.example/`,
    }));
    const stored = storedDocuments(withValue(writtenRecord(), "linkTrees[0].links", links));
    const { linkTrees, renditions, targetChunks } = stored;
    const [tree, chunk] = [linkTrees[0], targetChunks[0]];
    const page = renditions.findIndex(({ kind }) => kind === "page");
    if (!tree || !chunk || page === -1) throw new Error("no tree");
    const changedView = <View extends ViewDocuments>(view: View): View[] => [
      { ...view, full: { ...view.full, etag: '"other"' } },
      { ...view, links: { ...view.links, etag: '"other"' } },
      ...SLICED_KINDS.flatMap((kind) =>
        [{ etag: '"other"' }, { length: 1 }, { checksum: 1 }].map((change) => ({
          ...view,
          slices: { ...view.slices, [kind]: { ...view.slices[kind], ...change } },
        })),
      ),
      {
        ...view,
        slices: { ...view.slices, jobs: { ...view.slices.jobs, start: view.slices.jobs.start + 1 } },
      },
    ];
    const changedPages = [{ etag: '"other"' }, { opening: "<!doctype html>" }, { scene: "other" }].map(
      (change) => renditions.with(page, { ...renditions[page], ...change } as (typeof renditions)[number]),
    );
    const { shared } = stored.public;
    const changed: Partial<StoredDocuments>[] = [
      ...changedView(stored.full).map((full) => ({ full })),
      ...changedView(stored.public).map((shown) => ({ public: shown })),
      { full: undefined },
      { public: undefined },
      { public: { ...stored.public, shared: { ...shared, start: shared.start + 1 } } },
      { public: { ...stored.public, shared: { ...shared, size: shared.size - 1 } } },
      { public: { ...stored.public, hasProfilePage: false } },
      { linkTrees: linkTrees.with(0, { ...tree, publicStart: null }) },
      { linkTrees: linkTrees.with(0, { ...tree, length: tree.length - 1 }) },
      { linkTrees: linkTrees.slice(1) },
      { linkTrees: [...linkTrees, { ...tree, slug: "extra" }] },
      { targetChunks: targetChunks.with(0, { ...chunk, targets: '{"x":"https://evil.example/"}' }) },
      { targetChunks: targetChunks.slice(1) },
      ...changedPages.map((renditions) => ({ renditions })),
    ];
    for (const [index, change] of changed.entries())
      expect([index, areIntact({ ...stored, ...change })]).toEqual([index, false]);
  });
});
