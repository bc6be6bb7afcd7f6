import { describe, expect, test } from "bun:test";
import type { PageKind } from "../../src/contract/routes.ts";
import { rebuild } from "../support/databases.ts";
import { without, withValue } from "../support/edit-record.ts";
import type { Engine } from "../support/engines.ts";
import { openStore } from "../support/opened-store.ts";
import { writtenRecord } from "../support/records.ts";
import { everythingAt } from "../support/version-one.ts";

const BYTES = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
const OTHERS = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 9]);

/** A store with two people, and what keeps pictures beside it. */
async function openKeeping(engine: Engine) {
  const stack = new AsyncDisposableStack();
  const opened = stack.use(await openStore(engine));
  await opened.save(writtenRecord(1), writtenRecord(2));
  const { previews } = opened.writer;
  const found = async (kind: PageKind, slug: string) => {
    const preview = await opened.readPreview(kind, slug);
    if (!preview) throw new Error(`no page ${slug}`);
    // The page that was made to tell what the picture shows.
    await opened.keepMade();
    return preview;
  };
  const kept = async () => (await everythingAt(opened.database.location)).previews as unknown[];
  return {
    ...opened,
    found,
    kept,
    previews,
    keep: async (kind: PageKind, slug: string, bytes = BYTES) =>
      previews.keep({ ...(await found(kind, slug)), bytes }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const PAGES = [
  ["t", "everything-1"],
  ["p", "person-1"],
] as const;

export function previewSentences(engine: Engine): void {
  describe.each(PAGES)(`${engine.name}: the preview picture of /%s/%s`, (kind, slug) => {
    test("is not there until it is kept, and then is what was kept", async () => {
      await using opened = await openKeeping(engine);
      const before = await opened.found(kind, slug);
      expect(before).toMatchObject({ scene: expect.stringContaining("Person 1"), bytes: null });
      await opened.keep(kind, slug);
      expect(await opened.found(kind, slug)).toEqual({ ...before, bytes: BYTES });
      await opened.keep(kind, slug, OTHERS);
      expect((await opened.found(kind, slug)).bytes).toEqual(OTHERS);
    });

    test("is that of no other page", async () => {
      await using opened = await openKeeping(engine);
      await opened.keep(kind, slug);
      for (const [kind, slug] of [
        ["t", "empty-1"],
        ["t", "everything-2"],
        ["p", "person-2"],
      ] as const)
        expect((await opened.found(kind, slug)).bytes).toBeNull();
      for (const nowhere of ["", "nowhere", "\0", slug.toUpperCase()])
        expect(await opened.readPreview(kind, nowhere)).toBeNull();
    });

    test("stays while profile and link trees do, and goes when one of them changes", async () => {
      await using opened = await openKeeping(engine);
      await opened.keep(kind, slug);
      const stale = await opened.found(kind, slug);
      await opened.save(withValue(writtenRecord(), "jobs[0].title", "Another title"));
      await rebuild(opened.store);
      expect((await opened.found(kind, slug)).bytes).toEqual(BYTES);
      for (const [place, text] of [
        ["profile.name.value", "Another Name"],
        ["linkTrees[0].title", "Another title"],
      ] as const) {
        await opened.save(withValue(writtenRecord(), place, text));
        expect((await opened.found(kind, slug)).bytes).toBeNull();
        // Not even hidden away: who takes a name back has it drawn again.
        expect(await opened.kept()).toEqual([]);
        await opened.save(writtenRecord());
        expect(await opened.found(kind, slug)).toEqual({ ...stale, bytes: null });
        await opened.keep(kind, slug);
        expect(await opened.kept()).toHaveLength(1);
      }
    });

    test("of another user stays", async () => {
      await using opened = await openKeeping(engine);
      await opened.keep(kind, slug);
      await opened.save(withValue(writtenRecord(2), "profile.name.value", "Another Name"));
      expect((await opened.found(kind, slug)).bytes).toEqual(BYTES);
    });

    test("that was drawn of what is not shown any more is not kept", async () => {
      await using opened = await openKeeping(engine);
      const stale = await opened.found(kind, slug);
      await opened.save(withValue(writtenRecord(), "profile.name.value", "Another Name"));
      await opened.previews.keep({ ...stale, bytes: BYTES });
      expect(await opened.kept()).toEqual([]);
      expect((await opened.found(kind, slug)).scene).toContain("Another Name");
      await opened.previews.keep({ ...stale, bytes: BYTES });
      expect(await opened.kept()).toEqual([]);
    });

    test("goes with its user, and is not kept of one who is gone", async () => {
      await using opened = await openKeeping(engine);
      await opened.keep(kind, slug);
      const { userNumber, treeId, scene } = await opened.found(kind, slug);
      await opened.store.records.delete("person1@example.com");
      expect(await opened.readPreview(kind, slug)).toBeNull();
      await opened.previews.keep({ userNumber, treeId, scene, bytes: BYTES });
      expect(await opened.kept()).toEqual([]);
      expect(await opened.integrityFaults()).toEqual([]);
    });
  });

  describe(`${engine.name}: a preview picture`, () => {
    test("goes with its tree, and with the tree's page", async () => {
      await using opened = await openKeeping(engine);
      await opened.keep("t", "everything-1");
      await opened.save(withValue(writtenRecord(), "linkTrees[0].hasPage", false));
      expect(await opened.readPreview("t", "everything-1")).toBeNull();
      expect(await opened.kept()).toEqual([]);
      await opened.save(writtenRecord());
      expect((await opened.found("t", "everything-1")).bytes).toBeNull();
      await opened.keep("t", "everything-1");
      await opened.save(without(writtenRecord(), "linkTrees[0]"));
      await opened.save(writtenRecord());
      expect((await opened.found("t", "everything-1")).bytes).toBeNull();
    });
  });
}
