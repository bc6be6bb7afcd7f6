import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StoredDocuments } from "../../src/documents/compare.ts";
import { compile, SLICED_KINDS, type ViewDocuments } from "../../src/documents/compile.ts";
import { areIntact } from "../../src/documents/intact.ts";
import { reconcile } from "../../src/records/reconcile.ts";
import { anyRecord } from "../support/arbitraries.ts";
import { checkedRecord, writtenRecord } from "../support/records.ts";

type View = ViewDocuments<Uint8Array>;

/** Documents as a store has them: their texts as bytes. */
function storedDocuments(written: unknown = writtenRecord()) {
  const { record } = reconcile(checkedRecord(written), undefined, Date.UTC(2026, 3, 12));
  const { documents } = compile(record);
  const stored = ({ full, links, resume, slices }: ViewDocuments): View => ({
    full: { ...full, body: Buffer.from(full.body) },
    links: { ...links, body: Buffer.from(links.body) },
    resume: { ...resume, body: Buffer.from(resume.body) },
    slices,
  });
  const bytes = (text: string | Uint8Array) => new Uint8Array(Buffer.from(text));
  const { profilePage } = documents;
  return {
    full: stored(documents),
    public: stored(documents.public),
    linkTrees: documents.linkTrees,
    pages: documents.pages.map((page) => ({ ...page, html: bytes(page.html) })),
    profilePage: profilePage && {
      ...profilePage,
      html: bytes(profilePage.html),
      card: bytes(profilePage.card),
    },
  } satisfies StoredDocuments;
}

function withFlippedByte(bytes: Uint8Array, index: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  copy[index % copy.length] = (copy[index % copy.length] ?? 0) ^ 1;
  return copy;
}

describe("documents", () => {
  test("are intact as any record has compiled to them", () => {
    fc.assert(fc.property(anyRecord, (written) => expect(areIntact(storedDocuments(written))).toBe(true)));
  });

  test("are not where any byte of a body or of a page is another", () => {
    const stored = storedDocuments();
    const { pages } = stored;
    for (const view of ["full", "public"] as const) {
      const { full, links } = stored[view];
      const intactWith = (changed: Partial<View>) =>
        areIntact({ ...stored, [view]: { ...stored[view], ...changed } });
      for (let index = 0; index < full.body.length; index += 7)
        expect([index, intactWith({ full: { ...full, body: withFlippedByte(full.body, index) } })]).toEqual([
          index,
          false,
        ]);
      for (let index = 0; index < links.body.length; index += 10)
        expect(intactWith({ links: { ...links, body: withFlippedByte(links.body, index) } })).toBe(false);
    }
    for (const [position, page] of pages.entries()) {
      const changed = pages.with(position, { ...page, html: withFlippedByte(page.html, 100) });
      expect(areIntact({ ...stored, pages: changed })).toBe(false);
    }
    const { profilePage } = stored;
    if (!profilePage) throw new Error("no page of the profile");
    for (const name of ["html", "card"] as const) {
      const changed = { ...profilePage, [name]: withFlippedByte(profilePage[name], 100) };
      expect(areIntact({ ...stored, profilePage: changed })).toBe(false);
    }
    expect(areIntact({ ...stored, profilePage: undefined })).toBe(false);
  });

  test("are not where a tag, a place, a target or an origin is another, or one is missing or too many", () => {
    const stored = storedDocuments();
    const { linkTrees, pages } = stored;
    const [tree, page] = [linkTrees[0], pages[0]];
    if (!tree || !page) throw new Error("no tree");
    const changedView = (view: View): View[] => [
      { ...view, full: { ...view.full, etag: '"other"' } },
      { ...view, links: { ...view.links, etag: '"other"' } },
      { ...view, resume: { ...view.resume, etag: '"other"' } },
      ...SLICED_KINDS.map((kind) => ({
        ...view,
        slices: { ...view.slices, [kind]: { ...view.slices[kind], etag: '"other"' } },
      })),
      {
        ...view,
        slices: { ...view.slices, jobs: { ...view.slices.jobs, start: view.slices.jobs.start + 1 } },
      },
    ];
    const changed: Partial<StoredDocuments>[] = [
      ...changedView(stored.full).map((full) => ({ full })),
      ...changedView(stored.public).map((shown) => ({ public: shown })),
      { full: undefined },
      { public: undefined },
      { linkTrees: linkTrees.with(0, { ...tree, publicStart: null }) },
      { linkTrees: linkTrees.with(0, { ...tree, length: tree.length - 1 }) },
      { linkTrees: linkTrees.slice(1) },
      { linkTrees: [...linkTrees, { ...tree, slug: "extra" }] },
      { pages: pages.with(0, { ...page, targets: '{"x":"https://evil.example/"}' }) },
      { pages: pages.with(0, { ...page, pictureOrigin: "https://evil.example" }) },
      { pages: pages.slice(1) },
    ];
    for (const [index, change] of changed.entries())
      expect([index, areIntact({ ...stored, ...change })]).toEqual([index, false]);
  });
});
